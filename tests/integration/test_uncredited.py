"""What was retrieved without being credited, and why."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from haozhi.accounting.settle import post_final
from haozhi.reports.uncredited import Uncredited, count_uncredited, uncredited, uncredited_csv
from store.answers import add_answer
from store.clock import now_us
from store.engine import Engine, read, write
from store.identities import merge
from store.people import add_author
from store.records.answers import Answer, Unattributed
from store.records.corpus import AuthorShare
from store.rights import link_asker, mark_common
from store.statements import NewStatement, add_statements
from store.works import NewWork, add_work
from tests.books import a_refusal, an_attribution
from tests.closed_books import close
from tests.payable_books import add_policy
from tests.stored_books import NOW, Corpus, add_corpus, settle


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known."""
    return add_corpus(engine)


def settle_with(
    engine: Engine, corpus: Corpus, answer: Answer, *share_ppb: int, **causes: int
) -> None:
    """Settle an answer with these shares of A, B and nobody, and these causes of the rest."""
    shares = {pair: ppb for pair, ppb in corpus.shares(*share_ppb).items() if ppb}
    attribution = an_attribution(shares, answer)
    rest = attribution.unattributed.total
    attribution = replace(
        attribution,
        unattributed=Unattributed(**{"unsupported": rest - sum(causes.values()), **causes}),
        signals=tuple(
            replace(signal, support=0.9 if signal.position == 0 else 0.0)
            for signal in attribution.signals
        ),
    )
    with write(engine) as s:
        add_answer(s, answer)
        post_final(s, answer, attribution, now_us=answer.created_us)


def reasons(engine: Engine, author: str, period_id: int = 1) -> list[tuple[str, str]]:
    """(answer, reason) of everything of an author's that was not credited."""
    with read(engine) as s:
        return [(each.answer_id, each.reason) for each in uncredited(s, author, period_id)]


def test_each_cause_has_its_reason(engine: Engine, corpus: Corpus) -> None:
    """Backing nothing, backing what was known, too small a share, and no room in the window."""
    settle_with(engine, corpus, corpus.answer(1), 0, 350_000_000)
    settle_with(engine, corpus, corpus.answer(2), 0, 350_000_000, already_known=9)
    settle_with(engine, corpus, corpus.answer(3), 0, 350_000_000, below_noise=9, already_known=9)
    settle_with(engine, corpus, corpus.answer(4, fee_micro=1), 100, 999_999_000)
    cut = corpus.answer(5)
    left_out = replace(cut.context[0], included=False, token_start=None, token_end=None)
    cut = replace(cut, context=(left_out, *cut.context[1:]))
    settle_with(engine, corpus, cut, 0, 350_000_000)
    assert reasons(engine, corpus.a) == [
        ("answer-1", "not_supporting"),
        ("answer-2", "already_known"),
        ("answer-3", "below_noise"),
        ("answer-4", "below_noise"),
        ("answer-5", "did_not_fit"),
    ]
    assert reasons(engine, corpus.b) == []
    with read(engine) as s:
        assert count_uncredited(s, "A", 1) == {
            "did_not_fit": 1, "not_supporting": 1, "already_known": 1, "below_noise": 2, "own": 0,
            "repeated": 0, "copied": 0, "common_knowledge": 0, "duplicate_of": 0,
        }  # fmt: skip


def test_what_the_policy_gave_to_nobody_has_its_reason(engine: Engine, corpus: Corpus) -> None:
    """An asker's own statement, the same question again, and what everybody knows."""
    with write(engine) as s:
        link_asker(s, "me", corpus.a, by="Ada")
        add_policy(s, {"window_s": 100, "common_ppm": 0})
    settle(engine, corpus, 1, asker_id="me", policy_version=2)
    settle(engine, corpus, 2, asker_id="you", policy_version=2)
    settle(engine, corpus, 3, asker_id="you", policy_version=2)
    assert reasons(engine, corpus.a) == [("answer-1", "own"), ("answer-3", "repeated")]
    with write(engine) as s:
        mark_common(s, corpus.statements[1].statement_id, by="Ada")
    now = replace(corpus.answer(4, policy_version=2), created_us=now_us())
    settle_with(engine, corpus, now, 400_000_000, 350_000_000)
    assert reasons(engine, corpus.b) == [("answer-3", "repeated"), ("answer-4", "common_knowledge")]


def test_a_merge_changes_whose_it_is(engine: Engine, corpus: Corpus) -> None:
    """What was retrieved under an id that was merged is listed, and what that id earned is not."""
    settle(engine, corpus, 1)
    settle_with(engine, corpus, corpus.answer(2), 0, 350_000_000)
    with write(engine) as s:
        merge(s, "A", "B", "root")
    assert reasons(engine, corpus.b) == [("answer-2", "not_supporting")]
    assert reasons(engine, corpus.a) == []


def test_a_copy_under_a_merged_id_is_no_copy_of_another(engine: Engine, corpus: Corpus) -> None:
    """Two statements of one cluster by one person stand for each other, and nobody lost by it."""
    with write(engine) as s:
        cluster = "UPDATE statements SET cluster_id = (SELECT min(cluster_id) FROM statements)"
        s.execute(text(cluster))
    now = replace(corpus.answer(1), created_us=now_us())
    settle_with(engine, corpus, replace(now, context=now.context[:1]), 400_000_000)
    assert reasons(engine, corpus.b) == [("answer-1", "duplicate_of")]
    with write(engine) as s:
        merge(s, "A", "B", "root")
    assert reasons(engine, corpus.b) == []


def test_who_said_the_same_later_learns_which_statement_stood_for_it(
    engine: Engine, corpus: Corpus
) -> None:
    """C's copy in the cluster of A's statement earned nothing; answers before it are not listed."""
    settle(engine, corpus, 1)
    with write(engine) as s:
        c = add_author(s, "C", "test")
        work = NewWork("public", "1" * 64, 10, "copy", "copy", "text/plain", "utf-8", "test", "x")
        copied = NewStatement("1 + 1 = 2!", "en", 0, 1, (AuthorShare(c, 1_000_000),))
        (added,) = add_statements(s, add_work(s, work), "public", [copied])
        first = corpus.statements[0].statement_id
        cluster = "UPDATE statements SET cluster_id = (SELECT cluster_id FROM statements"
        cluster += " WHERE id = :first) WHERE id = :copy"
        s.execute(text(cluster), {"first": first, "copy": added.statement_id})
        known_us = s.scalar(text("SELECT max(registered_us) FROM occurrences"))
    later = replace(corpus.answer(2), created_us=known_us + 1)
    settle_with(engine, corpus, later, 400_000_000, 350_000_000)
    with read(engine) as s:
        found = list(uncredited(s, "C", 1))
    assert found == [Uncredited("answer-2", added.statement_id, "duplicate_of", first)]
    assert b"".join(uncredited_csv(found)).decode("utf-8-sig").splitlines() == [
        "answer_id,statement_id,reason,duplicate_of",
        f"answer-2,{added.statement_id},duplicate_of,{first}",
    ]


def test_refused_answers_count_in_their_period_and_free_ones_nowhere(
    engine: Engine, corpus: Corpus, tmp_path: Path
) -> None:
    """What a refused answer had supported nothing; from a free answer nobody could earn."""
    settle(engine, corpus, 0)
    context = corpus.answer().context
    with write(engine) as s:
        opened = s.scalar(text("SELECT max(opened_us) FROM periods"))
        for number in (1, 2):
            refused = a_refusal(id=f"r{number}", context=context, created_us=opened + number)
            add_answer(s, refused)
            nothing = replace(an_attribution({}, refused), signals=())
            if number == 1:
                post_final(s, refused, nothing, now_us=NOW)
        free = corpus.answer(3, fee_micro=0)
        add_answer(s, free)
        post_final(s, free, an_attribution({}, free), now_us=NOW)
    assert reasons(engine, corpus.a) == [("r1", "not_supporting")]
    close(engine, tmp_path)
    assert reasons(engine, corpus.a, 1) == [("r1", "not_supporting")]
    assert reasons(engine, corpus.a, 2) == []
