"""Copies join the cluster of what they copy; what differs in what counts never does."""

from collections.abc import Sequence

import numpy as np
import pytest
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from store.clock import now_us
from store.clusters import join_clusters
from store.engine import write
from store.people import add_author
from store.records.corpus import AuthorShare
from store.rights.copies import copied_among
from store.schema import OccurrenceRow
from store.statements import (
    NewStatement,
    add_statements,
    get_statements,
    put_embeddings,
    representatives,
    withdraw_statement,
)
from store.works import NewWork, add_work

ORIGINAL = "The derived classes inherit the attributes and the behaviour of their base classes."
CHINESE = "派生类会继承其基类的各种属性和行为，从而可以直接重用已有的代码。"
HOUSE = "小王住在大连的一座老房子里，每天都去图书馆看书。"
SPEECH = "美国的前总统昨天下午在纽约发表了关于气候的演讲。"


def _add(
    s: Session,
    *texts: str,
    author: str | None = None,
    on: str | None = None,
    scope: str = "public",
    cosine: float = 1.0,
) -> list[int]:
    """Store the texts as one work and let them join; `cosine` is that to vectors of 1."""
    text = "\n".join(texts)
    about = (scope, f"{scope}{author}{on}{text}", 1, "p", "t", "text/plain", "utf-8", "x", text)
    work = add_work(s, NewWork(*about, published_on=on))
    shares = (AuthorShare(author, 1_000_000),) if author else ()
    new, start = [], 0
    for each in texts:
        new.append(NewStatement(each, "en", start, start + len(each), shares, published_on=on))
        start += len(each) + 1
    added = add_statements(s, work, scope, new)
    ids = [row.statement_id for row in added]
    fresh = [row.statement_id for row in added if row.is_new]
    vector = [cosine, (1 - cosine**2) ** 0.5]
    put_embeddings(s, "f", fresh, np.array([vector] * len(fresh), dtype=np.float32))
    join_clusters(s, "f", fresh)
    return ids


def _clusters(s: Session, ids: Sequence[int]) -> list[int]:
    return [each.cluster_id for each in get_statements(s, ids)]


@pytest.mark.parametrize(
    ("original", "copy"),
    [
        (ORIGINAL, ORIGINAL.replace("behaviour", "behavior")),
        (ORIGINAL, f"  “{ORIGINAL[:-1]}” [3]"),
        (ORIGINAL, f"{ORIGINAL[:-1]}, cite me [3]."),
        (ORIGINAL, "The derived classes inherit attributes and behaviour of base classes."),
        (CHINESE, "派生類會繼承其基類的各種屬性和行為，從而可以直接重用已有的代碼。"),
        (CHINESE, "派生类会继承其基类的属性和行为，从而可以直接重用已有代码，引用请署我名！"),
        ("一加一等于二。", "一加一等於二"),
        ("1 + 1 = 2", "1+1=2."),
        ("Ｔｈｅ ｃａｔ ｓｌｅｅｐｓ．", "The cat sleeps"),
    ],
)
def test_a_copy_is_in_the_cluster_of_its_original(engine: Engine, original: str, copy: str) -> None:
    """Whether words were left out, added or spelt otherwise, or characters are traditional."""
    for first, second in ((original, copy), (copy, original)):
        with write(engine) as s:
            scope = f"person:{first}"
            ids = [*_add(s, first, scope=scope), *_add(s, second, scope=scope)]
            assert len(set(_clusters(s, ids))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 + 1 = 2", "2 + 1 = 3"),
        ("1 + 1 = 2", "1 - 1 = 2"),
        ("5! = 120", "5 = 120"),
        ("(1)", "(2)"),
        ("[1]", "[2]"),
        ("f(1) = 4", "f(2) = 4"),
        ("a[1] = 4", "a[2] = 4"),
        ("The value is 1.5 today", "The value is 15 today"),
        (ORIGINAL, ORIGINAL.replace("inherit", "never inherit")),
        (ORIGINAL, ORIGINAL.replace("inherit", "don't inherit")),
        (ORIGINAL, ORIGINAL.replace("the behaviour", "two behaviours")),
        (ORIGINAL, f"It is a myth that {ORIGINAL[0].lower()}{ORIGINAL[1:]}"),
        (ORIGINAL, ORIGINAL.replace("their base", "the first base")),
        (
            "In 1903 the committee in Stockholm gave the prize for physics to Pierre.",
            "In 1911 the committee in Stockholm gave the prize for physics to Pierre.",
        ),
        (
            "The committee in Stockholm gave the yearly prize for physics to Pierre.",
            "The committee in Stockholm gave the yearly prize for physics to Marie.",
        ),
        (
            "Yesterday Anna defeated Boris in the long final match of the chess tournament.",
            "Yesterday Boris defeated Anna in the long final match of the chess tournament.",
        ),
        (
            "The new process makes the production of steel in small furnaces efficient.",
            "The new process makes the production of steel in small furnaces inefficient.",
        ),
        (
            "The price of bread in the old town increased after the harvest of the summer.",
            "The price of bread in the old town decreased after the harvest of the summer.",
        ),
        (CHINESE, CHINESE.replace("会继承", "不会继承")),
        (CHINESE, CHINESE.replace("各种", "三种")),
        (HOUSE, HOUSE.replace("小王", "小李")),
        (SPEECH, SPEECH.replace("前总统", "总统")),
    ],
)
def test_what_says_something_else_is_no_copy(engine: Engine, one: str, other: str) -> None:
    """A number, a negation, a name, an opposite: however alike the texts and their vectors are."""
    with write(engine) as s:
        assert len(set(_clusters(s, [*_add(s, one), *_add(s, other)]))) == 2


def test_vectors_that_are_apart_are_no_copies(engine: Engine) -> None:
    """Words that stand for others need nearer vectors than words that are left out."""
    replaced = ORIGINAL.replace("attributes", "qualities")
    with write(engine) as s:
        first, left_out, other = (
            *_add(s, ORIGINAL),
            *_add(s, ORIGINAL.replace("the behaviour", "behaviour often"), cosine=0.95),
            *_add(s, replaced, cosine=0.95),
        )
        one, same, apart = _clusters(s, [first, left_out, other])
        assert one == same != apart


def test_clusters_do_not_cross_scopes(engine: Engine) -> None:
    """A person's copy of a public text is a cluster of its own."""
    with write(engine) as s:
        public, own = _add(s, ORIGINAL), _add(s, ORIGINAL, scope="person:1")
        assert len(set(_clusters(s, [*public, *own]))) == 2


def test_a_cluster_does_not_chain(engine: Engine) -> None:
    """What is a copy of a copy, and not of the first text, is a cluster of its own."""
    texts = [
        "pale amber stones glow beside quiet northern rivers",
        "stones glow beside quiet northern rivers every autumn evening",
        "glow quiet northern rivers every autumn evening while herons sleep",
    ]
    with write(engine) as s:
        first, second, third = _clusters(s, [i for text in texts for i in _add(s, text)])
        assert first == second != third


def test_the_dated_original_may_come_last(engine: Engine) -> None:
    """The original that is imported after its copy joins it and represents both."""
    with write(engine) as s:
        a, b = (add_author(s, name, "x") for name in "AB")
        (copy,) = _add(s, f"{ORIGINAL[:-1]}, cite me [3].", author=b, on="2024")
        (first,) = _add(s, ORIGINAL, author=a, on="1999")
        assert representatives(s, [copy], 10) == {copy: first}


def test_copies_of_one_batch_are_one_cluster(engine: Engine) -> None:
    """Also the first text of a cluster may come in the same batch."""
    with write(engine) as s:
        chinese = CHINESE.replace("各种", "")
        ids = _add(s, ORIGINAL, CHINESE, f"{ORIGINAL[:-1]}, often.", chinese)
        one, two, three, four = _clusters(s, ids)
        assert one == three != two == four


def test_a_withdrawn_original_keeps_its_cluster(engine: Engine) -> None:
    """A copy that comes after the withdrawal still joins it."""
    with write(engine) as s:
        (first,) = _add(s, ORIGINAL)
        withdraw_statement(s, first)
        (copy,) = _add(s, f"{ORIGINAL[:-1]}, often.")
        assert len(set(_clusters(s, [first, copy]))) == 1


def test_a_copy_does_not_gain_when_its_original_is_withdrawn(engine: Engine) -> None:
    """Its money is nobody's from then on, while an author's own new version earns as before."""
    with write(engine) as s:
        a, b = (add_author(s, name, "x") for name in "AB")
        (first,) = _add(s, ORIGINAL, author=a, on="1999")
        (copy,) = _add(s, f"{ORIGINAL[:-1]}, cite me [3].", author=b, on="2024")
        (own,) = _add(s, CHINESE, author=a, on="1999")
        (newer,) = _add(s, CHINESE.replace("各种", ""), author=a, on="2001")
        credited = {each.id: each.occurrences[0].id for each in get_statements(s, [copy, newer])}
        assert copied_among(s, credited, now_us()) == frozenset()
        before = now_us()
        withdraw_statement(s, first)
        withdraw_statement(s, own)
        assert representatives(s, [first], now_us()) == {first: copy}
        assert copied_among(s, credited, now_us()) == {copy}
        assert copied_among(s, credited, before) == frozenset()


def test_what_unknown_or_disputed_authors_withdrew_is_no_loss_to_others(engine: Engine) -> None:
    """Nobody is known to have said it first, or it is not settled who did."""
    with write(engine) as s:
        a, b = (add_author(s, name, "x") for name in "AB")
        (unknown,) = _add(s, CHINESE, on="1999")
        (disputed,) = _add(s, ORIGINAL, author=a, on="1999")
        ids = [
            *_add(s, CHINESE.replace("各种", ""), author=b, on="2001"),
            *_add(s, f"{ORIGINAL[:-1]}, often.", author=b, on="2001"),
        ]
        place = get_statements(s, [disputed])[0].occurrences[0]
        s.get_one(OccurrenceRow, place.id).disputed = True
        for statement_id in (unknown, disputed):
            withdraw_statement(s, statement_id)
        credited = {each.id: each.occurrences[0].id for each in get_statements(s, ids)}
        assert copied_among(s, credited, now_us()) == frozenset()
