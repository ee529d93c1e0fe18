"""Rules of a credit report's provenance as PROV-JSON."""

import json

import pytest
from prov.model import (
    ProvAttribution,
    ProvDerivation,
    ProvDocument,
    ProvGeneration,
    ProvRelation,
)

from haozhi.reports.prov import MOST_LINES, report_prov
from store.errors import BadInput
from store.records.ledger import Line
from tests.credit_reports import a_credit_report, a_line_of

LINES = (
    a_line_of("an1", 7, 2**63 - 1),
    a_line_of("an1", 8, 5, author_id="a2"),
    a_line_of("an2", 7, 3, entry_seq=2, entry_key="answer:an2:dist:1"),
    a_line_of("an2", 9, 3, author_id=None, entry_seq=2, entry_key="answer:an2:dist:1"),
)
PAYOUT = Line(3, "hold:payout:1:h1", 3, 0, "hold:x", -9, "payout", None, None, None, None)


def read(text: str) -> ProvDocument:
    """The document as any PROV tool reads it."""
    return ProvDocument.deserialize(content=text, format="json")


def pairs(document: ProvDocument, kind: type[ProvRelation]) -> set[tuple[str, str]]:
    """The first two ends of every relation of a kind."""
    return {(str(record.args[0]), str(record.args[1])) for record in document.get_records(kind)}


def test_prov_leads_from_each_line_to_the_author() -> None:
    """A line derives from its answer, this from its statements, and these are their authors'."""
    document = read(report_prov(a_credit_report(), LINES))
    assert pairs(document, ProvDerivation) == {
        ("haozhi:line/1/0", "haozhi:answer/an1"),
        ("haozhi:line/1/1", "haozhi:answer/an1"),
        ("haozhi:line/2/0", "haozhi:answer/an2"),
        ("haozhi:line/2/1", "haozhi:answer/an2"),
        ("haozhi:answer/an1", "haozhi:statement/7"),
        ("haozhi:answer/an1", "haozhi:statement/8"),
        ("haozhi:answer/an2", "haozhi:statement/7"),
        ("haozhi:answer/an2", "haozhi:statement/9"),
    }
    assert {pair for pair in pairs(document, ProvAttribution) if "statement" in pair[0]} == {
        ("haozhi:statement/7", "haozhi:author/a1"),
        ("haozhi:statement/8", "haozhi:author/a2"),
    }


def test_prov_says_what_generated_an_answer_and_a_line() -> None:
    """Answers come from their generation, lines from the posting of their entry."""
    document = read(report_prov(a_credit_report(), (*LINES[:1], PAYOUT)))
    assert pairs(document, ProvGeneration) == {
        ("haozhi:answer/an1", "haozhi:generation/an1"),
        ("haozhi:line/1/0", "haozhi:posting/1"),
        ("haozhi:line/3/0", "haozhi:posting/3"),
    }


def test_prov_declares_each_id_once_and_names_nothing_undeclared() -> None:
    """Every end of a relation is an entity, activity or agent of the document."""
    document = json.loads(report_prov(a_credit_report(), (*LINES, PAYOUT)))
    declared = {key for kind in ("entity", "activity", "agent") for key in document[kind]}
    relations = (kind for kind in document if kind.startswith(("was", "used")))
    named = {
        value
        for kind in relations
        for relation in document[kind].values()
        for key, value in relation.items()
        if key != "prov:time"
    }
    assert named == declared


def test_prov_keeps_amounts_exact() -> None:
    """Amounts are typed strings, for JSON numbers lose units above 2^53."""
    document = json.loads(report_prov(a_credit_report(), LINES))
    assert document["entity"]["haozhi:line/1/0"]["haozhi:amount_micro"] == {
        "$": "9223372036854775807",
        "type": "xsd:long",
    }


def test_prov_is_read_back_whole_and_written_the_same() -> None:
    """The same lines give the same text, and a reader gets the same document."""
    text = report_prov(a_credit_report(), LINES)
    assert text == report_prov(a_credit_report(), iter(LINES))
    assert "\n" not in text
    again = read(text).serialize(format="json")
    assert again is not None
    assert read(again) == read(text)
    assert read(report_prov(a_credit_report(), ())).is_document()


def test_prov_of_too_many_lines_is_refused_before_it_fills_the_memory() -> None:
    """The user is told the limit and what to export instead."""
    report = a_credit_report(line_count=MOST_LINES + 1)
    with pytest.raises(BadInput, match="at most 50000 lines and this one has 50001"):
        report_prov(report, ())
