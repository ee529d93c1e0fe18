"""Word classes of Chinese, by jieba; its only home."""

import warnings
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jieba.posseg import POSTokenizer

# Verbs, adjectives, adverbs, prepositions, places such as 里, counting words, particles, pronouns.
_DESCRIBING = ("v", "a", "d", "p", "f", "q", "m", "c", "u", "y", "r", "k")
_NOUNS_AFTER_ALL = ("an", "vn")


@lru_cache(maxsize=4096)
def words_of(run: str) -> tuple[tuple[str, bool], ...]:
    """The words of a run of Han characters in order, each with whether it names something."""
    return tuple(
        (word, tag in _NOUNS_AFTER_ALL or not tag.startswith(_DESCRIBING))
        for word, tag in _tagger().lcut(run)
    )


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
