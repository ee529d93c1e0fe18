"""Policy over stored answers: who is paid, who is not, and books of every version that check."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from haozhi.accounting.settle import check_ledger, post_final
from haozhi.policies import approve, propose
from store import ledger, rights
from store.answers import add_answer
from store.engine import Engine, read, write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.records.ledger import Entry
from store.statements import NewStatement, add_statements, get_statements
from store.works import NewWork, add_work
from tests.books import an_attribution
from tests.stored_books import NOW, TEXT, Corpus, account_of, add_corpus, settle

SECOND = 1_000_000


@pytest.fixture
def corpus(engine: Engine) -> Corpus:
    """Three statements by A, by B and by nobody known."""
    return add_corpus(engine)


def set_policy(engine: Engine, **changes: Any) -> int:
    """Two admins make this change; the version."""
    version = approve(engine, propose(engine, changes, "Ann").proposal.id, "Bob").proposal.version
    assert version is not None
    return version


def lines_of(entry: Entry | None) -> Counter[tuple[str | None, str]]:
    """Micro-credits of an entry by (author, reason)."""
    assert entry is not None
    found: Counter[tuple[str | None, str]] = Counter()
    for t in entry.transfers:
        found[t.author_id, t.reason] += t.amount_micro
    return found


def assert_whole(engine: Engine) -> None:
    """The books say the same when everything is derived again."""
    with read(engine) as s:
        assert check_ledger(s) == ()


def test_the_same_question_in_the_window_pays_a_statement_once(
    engine: Engine, corpus: Corpus
) -> None:
    """Again in other spelling: nobody is paid twice; another question, asker or day is paid."""
    version = set_policy(engine, window_s=10)

    def ask(number: int, after_s: float, **changes: Any) -> bool:
        at_us = NOW + int(after_s * SECOND)
        answer = replace(corpus.answer(number, policy_version=version), created_us=at_us, **changes)
        shares = corpus.shares(400_000_000, 350_000_000, 100_000_000)
        with write(engine) as s:
            add_answer(s, answer)
            entry = post_final(s, answer, an_attribution(shares, answer), now_us=at_us)
        reasons = {t.reason for t in entry.transfers} if entry else set()
        assert reasons in ({"repeated", "unsupported"}, {"share", "unclaimed", "unsupported"})
        return "share" in reasons

    assert ask(1, 0)
    assert not ask(2, 5, question="１+１+１  等于几？")
    assert not ask(3, 10)
    assert ask(4, 10.000_001), "what was not paid itself does not keep the window open"
    assert ask(5, 11, asker_id="other")
    assert ask(6, 12, question="2+1 等于几？")
    assert ask(7, -1), "only what was asked before counts, whenever it is settled"
    assert_whole(engine)


def test_a_statement_is_repeated_only_where_it_was_paid(engine: Engine, corpus: Corpus) -> None:
    """The second answer to a question pays the author that the first one did not rest on."""
    version = set_policy(engine, window_s=10)
    found = []
    for number, shares in enumerate(((10**9, 0), (500_000_000, 500_000_000))):
        answer = corpus.answer(number, policy_version=version)
        with write(engine) as s:
            add_answer(s, answer)
            attribution = an_attribution(corpus.shares(*shares), answer)
            found.append(lines_of(post_final(s, answer, attribution, now_us=NOW + number)))
    assert found == [
        {(corpus.a, "share"): 10_000},
        {(corpus.a, "repeated"): 5_000, (corpus.b, "share"): 5_000},
    ]
    assert_whole(engine)


def test_what_was_given_back_is_not_repeated(engine: Engine, corpus: Corpus) -> None:
    """After the first answer's entry is reversed, asking again pays."""
    version = set_policy(engine, window_s=10)
    first = settle(engine, corpus, 1, policy_version=version)
    with write(engine) as s:
        ledger.reverse(s, "answer:answer-1:dist:1", now_us=NOW + 2)
    again = settle(engine, corpus, 3, policy_version=version)
    assert lines_of(again) == lines_of(first)
    assert lines_of(settle(engine, corpus, 4, policy_version=version))[corpus.a, "share"] == 0
    assert_whole(engine)


def test_an_author_who_asks_earns_nothing_from_it(engine: Engine, corpus: Corpus) -> None:
    """A linked asker's own share is nobody's; B and the reserves get what they would have."""
    plain = lines_of(settle(engine, corpus, 1, asker_id="stranger"))
    with write(engine) as s:
        assert rights.link_asker(s, "local", "A", "Ann")
    own = lines_of(settle(engine, corpus, 1_000))
    assert own.pop((corpus.a, "own")) == plain.pop((corpus.a, "share"))
    assert own == plain
    assert_whole(engine)


def test_bots_that_ask_for_free_earn_nothing(engine: Engine, corpus: Corpus) -> None:
    """However many askers ask without a fee, no entry is posted and nobody is paid."""
    for number in range(30):
        entry = settle(engine, corpus, number, asker_id=f"bot-{number}", fee_micro=0)
        assert entry is None
    with read(engine) as s:
        for author in (corpus.a, corpus.b):
            assert ledger.balance(s, account_of(s, author)) == 0
        assert ledger.find_balance(s, "asker:bot-1") == 0
        assert check_ledger(s) == ()


def test_common_knowledge_is_paid_at_the_policys_rate(engine: Engine, corpus: Corpus) -> None:
    """A marked statement earns its rate, in answers under that policy."""
    with write(engine) as s:
        rights.mark_common(s, corpus.statements[0].statement_id, "Ann")
    version = set_policy(engine, common_ppm=250_000)
    under_first = replace(corpus.answer(1), created_us=2 * NOW)
    under_second = replace(corpus.answer(2, policy_version=version), created_us=2 * NOW)
    found = []
    for answer in (under_first, under_second):
        with write(engine) as s:
            add_answer(s, answer)
            attribution = an_attribution(corpus.shares(400_000_000, 600_000_000), answer)
            found.append(lines_of(post_final(s, answer, attribution, now_us=2 * NOW)))
    assert found[0] == {(corpus.a, "share"): 4_000, (corpus.b, "share"): 6_000}
    assert found[1] == {
        (corpus.a, "share"): 1_000,
        (corpus.a, "common_knowledge"): 3_000,
        (corpus.b, "share"): 6_000,
    }
    assert_whole(engine)


@pytest.fixture
def cloned(engine: Engine) -> tuple[Corpus, str]:
    """A signed book by A and a signed copy of it, dated later, by C."""
    with write(engine) as s:
        a, b, c = (add_author(s, name, "test") for name in "ABC")
        copies = []
        for number, (author, year) in enumerate(((c, "2002"), (a, "2001"))):
            name = f"book-{number}"
            work = NewWork(
                "public", f"{number:064}", 30, name, name, "text/plain", "utf-8", "test", TEXT,
                published_on=year, publication_evidence="signed",
            )  # fmt: skip
            work_id = add_work(s, work)
            said = (AuthorShare(author, 1_000_000),)
            lines = zip(TEXT.splitlines(), (0, 10, 20), strict=True)
            new = [NewStatement(line, "en", at, at + len(line), said) for line, at in lines]
            copies.append(add_statements(s, work_id, "public", new))
        assert [x.statement_id for x in copies[0]] == [x.statement_id for x in copies[1]]
        credited = get_statements(s, [copies[0][0].statement_id])[0].occurrences[0]
        assert [share.author_id for share in credited.authors] == [a]
        return Corpus(a, b, credited.work_id, copies[1]), c


def test_a_clone_earns_nothing_until_policy_divides_clusters(
    engine: Engine, cloned: tuple[Corpus, str]
) -> None:
    """With `first` the earlier author has it all; with `split-verified` both share that total."""
    corpus, clone = cloned
    versions = (1, set_policy(engine, cluster_rule="split-verified"))
    found = []
    for number, version in enumerate(versions):
        answer = corpus.answer(number, policy_version=version, fee_micro=9_999)
        with write(engine) as s:
            add_answer(s, answer)
            attribution = an_attribution(corpus.shares(700_000_000), answer)
            found.append(lines_of(post_final(s, answer, attribution, now_us=NOW)))
    first, divided = found
    assert first == {(corpus.a, "share"): 6_999, (None, "unsupported"): 3_000}
    parts = [divided.pop((author, "share")) for author in (corpus.a, clone)]
    assert sum(parts) == 6_999
    assert abs(parts[0] - parts[1]) == 1
    assert divided == {(None, "unsupported"): 3_000}
    assert_whole(engine)


def test_the_platform_is_paid_under_the_policy_that_says_so(engine: Engine, corpus: Corpus) -> None:
    """An answer keeps its version: given before, settled after, it pays the platform nothing."""
    version = set_policy(engine, platform_ppm=100_000)
    before = lines_of(settle(engine, corpus, 1))
    after = lines_of(settle(engine, corpus, 2, policy_version=version))
    assert before == {
        (corpus.a, "share"): 4_000, (corpus.b, "share"): 3_500,
        (None, "unclaimed"): 1_000, (None, "unsupported"): 1_500,
    }  # fmt: skip
    assert after == {
        (None, "platform"): 1_000, (corpus.a, "share"): 3_600, (corpus.b, "share"): 3_150,
        (None, "unclaimed"): 900, (None, "unsupported"): 1_350,
    }  # fmt: skip
    with read(engine) as s:
        assert ledger.balance(s, "platform:share") == 1_000
        assert check_ledger(s) == ()
