"""What backs each segment of an answer in its context: words first, then the learned judge."""

from collections.abc import Sequence

from haozhi.attribution.support import SegmentSupport, SupportStatement, find_support


def back(
    question: str,
    segments: Sequence[str],
    statements: Sequence[SupportStatement],
    similarities: Sequence[float],
) -> tuple[SegmentSupport, ...]:
    """Support of each segment; `similarities` are the statements' retrieval cosines."""
    return find_support(question, segments, statements)


def answering_sequences(
    question: str, statements: Sequence[str], similarities: Sequence[float]
) -> list[tuple[int, ...]]:
    """The statements, and sequences of them by number, that answer a question of fact."""
    return [(n,) for n in range(len(statements))]
