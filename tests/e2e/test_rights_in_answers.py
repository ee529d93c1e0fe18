"""Rights at work in real answers: who is credited, who is paid, what is found and what is shown."""

from pathlib import Path

import pytest

from haozhi import rights
from haozhi.answer_view import Json, answer_view
from haozhi.app import App
from haozhi.policies import approve, propose
from ingest.options import IngestOptions
from ingest.pipeline import ingest
from store.engine import read
from store.rights import NewGrant
from store.vectors.catch_up import catch_up
from tests.asking import PERCENT, MakeWorld, asked, share, told

CAT = "我家猫叫团子。"
QUESTION = "我的猫叫什么？"
FACTS = [
    ("An octopus has three hearts.", "Ines Calder", None),
    ("豆腐是用黄豆做的。", "林晓禾", None),
]


def _add_file(app: App, folder: Path, text: str, author: str, published_on: str) -> None:
    """One more work, by one author, with one statement."""
    path = folder / f"{author}.txt"
    path.write_text(text + "\n" * len(author), encoding="utf-8")  # the same bytes are one work
    options = IngestOptions(author=author, title=f"work of {author}", published_on=published_on)
    assert not ingest([path], engine=app.engine, embedder=app.embedder, options=options).rejected
    catch_up(app.engine, app.index)


def _work_of_cat(view: Json) -> str:
    (entry,) = [entry for entry in view["context"] if entry["text"] == CAT]
    found: str = entry["work"]["id"]
    return found


@pytest.mark.parametrize("turned", [False, True])
def test_the_earlier_work_is_credited_in_either_order_of_import(
    world: MakeWorld, tmp_path: Path, turned: bool
) -> None:
    """Two works say the same: dates decide, then evidence, never which was imported first."""
    app = world(FACTS)
    works = [("苏禾", "1999"), ("Copy", "2005")]
    for author, on in reversed(works) if turned else works:
        _add_file(app, tmp_path, CAT, author, on)
    view = asked(app, QUESTION)
    assert share(view, "苏禾") >= 45 * PERCENT, told(view)
    assert share(view, "Copy") == 0
    rights.record_evidence(app.engine, "work of Copy", "registry", "2005", "admin")
    again = asked(app, QUESTION)
    assert share(again, "Copy") >= 45 * PERCENT, told(again)
    assert share(again, "苏禾") == 0


def test_grants_are_paid_end_at_once_and_hide_what_they_do_not_allow(world: MakeWorld) -> None:
    """Money follows the grant in force, citations name authors; an ended grant leaves retrieval
    without reindexing, and the old answer keeps its credit but shows the text no more."""
    app = world([*FACTS, (CAT, "苏禾", None)])
    work = _work_of_cat(asked(app, QUESTION))
    press = rights.add_holder(app.engine, "Press")
    made = rights.grant(app.engine, NewGrant(work, "Press", 300_000, display_chars=3), "admin")
    view = asked(app, QUESTION)
    paid = {p["account"]: p["amount_micro"] for p in view["postings"] if p["reason"] == "grant"}
    earned = view["fee_micro"] * share(view, "苏禾") // 10**9
    assert paid.keys() == {f"holder:{press.id}"}
    assert abs(paid[f"holder:{press.id}"] - earned * 3 // 10) <= 1
    (entry,) = [e for e in view["context"] if e["work"]["id"] == work and e["share_ppb"]]
    assert (entry["text"], entry["display"]) == (CAT[:3], "cut")

    rights.end_grant(app.engine, made.grants[0].id, "admin")
    gone = asked(app, QUESTION)
    assert gone["state"] == "refused"
    assert all(e["statement_id"] != entry["statement_id"] for e in gone["context"])
    with read(app.engine) as session:
        old = answer_view(session, view["id"])
    assert (old["shares"], old["postings"]) == (view["shares"], view["postings"])
    (then,) = [e for e in old["context"] if e["statement_id"] == entry["statement_id"]]
    assert (then["text"], then["display"], then["work"]) == (None, "not_granted", entry["work"])

    rights.grant(app.engine, NewGrant(work, "Press", 0), "admin")
    assert share(asked(app, QUESTION), "苏禾") >= 45 * PERCENT


def test_what_an_asker_was_shown_enough_of_is_refused(world: MakeWorld) -> None:
    """With a display budget the asker learns why; what was shown before can be asked for again."""
    app = world([(CAT, "苏禾", None)])
    assert asked(app, QUESTION)["state"] == "answered"
    proposed = propose(app.engine, {"display_budget_chars": len(CAT)}, "one")
    approve(app.engine, proposed.proposal.id, "two")
    assert asked(app, QUESTION)["state"] == "answered"
    other = world([("我家狗叫旺财，它今年已经五岁了。", "苏禾", None)])
    approve(
        other.engine, propose(other.engine, {"display_budget_chars": 5}, "one").proposal.id, "2"
    )
    view = asked(other, "我的狗叫什么？")
    assert (view["state"], view["refusal"], view["context"]) == ("refused", "over_budget", [])
    assert len(view["over_budget"]) == 1
