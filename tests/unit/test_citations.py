"""Citation precision and recall are ALCE's, with what people say in the verifier's place."""

import pytest

from haozhi.evaluation.attribution.citations import (
    Citations,
    Evidence,
    citation_scores,
    evidence_of,
)
from haozhi.evaluation.attribution.items import Item


def _sets(*alternatives: str) -> Evidence:
    return [frozenset(map(int, each)) for each in alternatives]


@pytest.mark.parametrize(
    ("cited", "evidence", "precision", "recall"),
    [
        ("0", _sets("0"), 1.0, 1.0),
        ("01", _sets("01"), 1.0, 1.0),  # both are needed
        ("0", _sets("01"), 0.0, 0.0),  # half of a proof supports nothing
        ("013", _sets("01"), 2 / 3, 1.0),  # what is cited beside the proof does not count
        ("01", _sets("0", "1"), 1.0, 1.0),  # each supports alone: neither is too many
        ("", _sets("0"), 0.0, 0.0),
        ("2", _sets(), 0.0, 0.0),  # nothing supports it
    ],
)
def test_a_citation_counts_when_it_supports_or_is_needed(
    cited: str, evidence: Evidence, precision: float, recall: float
) -> None:
    """A supported segment counts for recall, its needed or sufficient citations for precision."""
    found = citation_scores([frozenset(map(int, cited))], [evidence])
    assert found == Citations(precision, recall)


def test_precision_is_over_citations_and_recall_over_segments() -> None:
    """A segment with many citations weighs more in precision, not in recall."""
    cited = [frozenset({0}), frozenset({1, 2, 3})]
    found = citation_scores(cited, [_sets("0"), _sets("4")])
    assert found == Citations(1 / 4, 1 / 2)


@pytest.mark.parametrize(
    ("kind", "expected"), [("single", _sets("1", "3")), ("bridge", _sets("13"))]
)
def test_the_kind_of_an_item_says_whether_one_statement_is_enough(
    kind: str, expected: Evidence
) -> None:
    """Each statement that answers a search is a proof; the hops of a chain are one together."""
    texts = tuple("abcd")
    item = Item("i", "s", kind, "en", "?", texts, texts, frozenset({1, 3}), "b")
    assert list(evidence_of(item)) == list(expected)
