"""Whether a clause speaks of the same thing as the question: polarity, names, ranks."""

from collections.abc import Iterable, Sequence

from haozhi.attribution.support.clauses import Clause, Known, Name
from haozhi.attribution.support.lexicon import chinese, english, stem


def denies(clauses: Sequence[Clause]) -> bool:
    """Whether a not, never, 不, 没, 未 or 并非 stands in one of the clauses."""
    return any(clause.negated for clause in clauses)


def speaks_of_another(clauses: Sequence[Clause], known: Known) -> bool:
    """Whether a second, former or 第二 sets the clauses apart from what is known."""
    for clause in clauses:
        ranks = {stem(word) for word in english().qualifiers} & clause.held.words
        ranks |= set(chinese().qualifiers.findall(clause.held.han))
        if any(rank not in known.words and rank not in known.han for rank in ranks):
            return True
    return False


def names_held(names: Iterable[Name], clauses: Sequence[Clause]) -> bool:
    """Whether every name occurs as a name of its own.

    Marie Curie may be called Curie, and Einstein Albert Einstein; Pierre Curie is another, and so
    are Paris Hilton for Paris and North Korea for Korea.
    """
    runs = [run for clause in clauses for run in clause.names]
    words = frozenset(word for clause in clauses for word in clause.held.words)
    return all(_is_held(name, runs, words) for name in names)


def _is_held(name: Name, runs: Sequence[Name], words: frozenset[str]) -> bool:
    if any(same_name(name, run) for run in runs):
        return True
    in_small_letters = not any(name[-1] in run for run in runs)
    return in_small_letters and all(stem(word) in words for word in name)


def same_name(name: Name, run: Name) -> bool:
    """Whether a run of capitals is the name or a shorter or longer form of it."""
    shorter, longer = sorted((name, run), key=len)
    more = longer[: len(longer) - len(shorter)]
    grown = len(run) > len(name) and set(more) & english().name_shifters
    return longer[len(more) :] == shorter and not grown
