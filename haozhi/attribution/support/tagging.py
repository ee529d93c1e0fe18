"""Word classes of Chinese, by jieba; its only home."""

import warnings
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from haozhi.attribution.support.lexicon import chinese

if TYPE_CHECKING:
    from jieba.posseg import POSTokenizer

# Verbs, adjectives, adverbs, prepositions, places such as 里, counting words, particles, pronouns.
_DESCRIBING = ("v", "a", "d", "p", "f", "q", "m", "c", "u", "y", "r", "k")
_NOUNS_AFTER_ALL = ("an", "vn")


@lru_cache(maxsize=4096)
def words_of(run: str) -> tuple[tuple[str, bool], ...]:
    """The words of a run of Han characters in order, each with whether it tells a thing apart.

    Names of things do, and what stands before one: the 老 of 老磨坊.
    """
    tagged = [(word, tag) for word, tag in _tagger().lcut(run)]
    names = [_is_name(word, tag) for word, tag in tagged]
    return tuple(
        (word, name or (tag.startswith("a") and name_follows))
        for (word, tag), name, name_follows in zip(tagged, names, [*names[1:], False], strict=True)
    )


def _is_name(word: str, tag: str) -> bool:
    if len(word) == 1:  # its tags for single characters are noise: 树 a verb, 藏 an abbreviation
        return word not in chinese().acts
    return tag in _NOUNS_AFTER_ALL or not tag.startswith(_DESCRIBING)


@cache
def _tagger() -> "POSTokenizer":
    """Reads the dictionary, about a second.

    jieba would keep a pickle-like cache in the shared temporary folder, where anyone can put one:
    its own way of loading is not used.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has old escapes in its patterns
        from jieba import Tokenizer
        from jieba.posseg import POSTokenizer

    words = Tokenizer()
    words.FREQ, words.total = words.gen_pfdict(words.get_dict_file())
    words.initialized = True
    return POSTokenizer(words)
