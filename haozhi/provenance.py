"""How the authors of a claim stand to it: stated, first stated, or derived from what they said."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from haozhi.answering.backing import back
from haozhi.attribution.context import authors_of
from haozhi.attribution.support import SupportStatement
from haozhi.casework import build_case
from haozhi.display import Shown, shown_texts
from haozhi.language import Language, as_language
from haozhi.questions import Relation
from store.engine import Session
from store.people import author_names
from store.records.answers import Answer
from store.statements import first_dated, get_statements

Standing = Literal["stated", "first_stated", "derived"]

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "stated": "{who} said so.",
        "first": "{who} stated it first.",
        "undated": "{who} said so; who was first is unknown, since no dates are known.",
        "derived": "No stored statement says this; it follows from {who}.",
        "derived_first": "Who first said this is unknown: no stored statement says it; "
        "it follows from {who}.",
        "unknown": "No stored statement says this or supports it.",
        "item": "{name} ({text})",
        "and": " and ",
        "nobody": "an unknown author",
    },
    "zh": {
        "stated": "{who}说过这句话。",
        "first": "最早说这句话的是{who}。",
        "undated": "{who}说过这句话；没有已知日期，最先由谁提出未知。",
        "derived": "库中没有陈述直接这样说；它由{who}推出。",
        "derived_first": "最先由谁提出未知：库中没有陈述直接这样说；它由{who}推出。",
        "unknown": "库中没有陈述这样说，也没有陈述支持它。",
        "item": "{name}（{text}）",
        "and": "和",
        "nobody": "未知作者",
    },
}


def relations_of(session: Session, answer: Answer) -> dict[int, Standing]:
    """How each statement that backs the answer stands to the claim.

    A statement that says the claim by itself *stated* it, and the first of those that are dated
    (`store.statements.priority`) *first stated* it; where nobody did, the statements that it
    follows from are *derived*.
    """
    if answer.state == "refused":
        return {}
    case = build_case(session, answer)
    statements = get_statements(session, case.statement_ids)
    bodies = [SupportStatement(s.id, s.text or "") for s in statements]
    whole = back("", [answer.claim or ""], bodies, [0.0] * len(bodies))[0]
    said = {found.statement_ids[0] for found in whole.sets if len(found.statement_ids) == 1}
    if said:
        first = first_dated(session, said, answer.created_us)
        return {i: "first_stated" if i == first else "stated" for i in sorted(said)}
    sets = [found for support in case.support for found in support.sets]
    return {i: "derived" for found in sets for i in found.statement_ids}


def opened(session: Session, answer: Answer) -> Answer:
    """The answer as it is shown: a `who` answer opens with the sentence that names authors."""
    if "relation_asked" not in answer.options:
        return answer
    relations = {int(i): standing for i, standing in answer.options["relations"].items()}
    opening = explain(session, answer, relations, answer.options["relation_asked"])
    lead = f"{opening}\n" if answer.text else opening
    segments = tuple(
        replace(s, start=s.start + len(lead), end=s.end + len(lead)) for s in answer.segments
    )
    return replace(answer, text=lead + answer.text, segments=segments)


def explain(
    session: Session, answer: Answer, relations: Mapping[int, Standing], asked: Relation
) -> str:
    """The sentence that answers a provenance question, in the answer's language."""
    words = _WORDS[as_language(answer.language)]
    if not relations:
        return words["unknown"]
    order = {"first_stated": 0, "stated": 1, "derived": 2}
    ids = sorted(relations, key=lambda i: (order[relations[i]], i))
    firsts = [i for i in ids if relations[i] == "first_stated"]
    if "derived" in relations.values():
        form = "derived_first" if asked == "first" else "derived"
    elif asked == "first":
        form, ids = ("first", firsts) if firsts else ("undated", ids)
    else:
        form = "stated"
    return words[form].replace("{who}", words["and"].join(_items(session, answer, ids, words)))


def _items(
    session: Session, answer: Answer, ids: Sequence[int], words: Mapping[str, str]
) -> list[str]:
    """Each statement as its authors' names and its text."""
    authors = {c.statement_id: authors_of(c.player) for c in answer.context}
    names = author_names(session, {a.author_id for i in ids for a in authors[i]})
    joined = {
        i: words["and"].join(names.get(a.author_id, a.author_id) for a in authors[i]) for i in ids
    }
    places = {c.statement_id: c.occurrence_id for c in answer.context}
    statements = get_statements(session, ids)
    shown = shown_texts(session, ((s.text, places[s.id]) for s in statements))
    return [
        _item(joined[s.id] or words["nobody"], text, words)
        for s, text in zip(statements, shown, strict=True)
    ]


def _item(name: str, shown: Shown, words: Mapping[str, str]) -> str:
    if shown.text is None:
        return name
    text = shown.text + "…" if shown.display == "cut" else shown.text.rstrip("。.")
    return words["item"].replace("{name}", name).replace("{text}", text)
