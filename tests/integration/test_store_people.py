"""Names find authors exactly; every author can be paid from the first moment on."""

import pytest
from sqlalchemy import Engine, insert, select

from store.engine import write
from store.errors import Ambiguous, NotFound
from store.people import (
    add_author,
    author_names,
    find_authors,
    get_author,
    resolve_author,
)
from store.schema import (
    AccountRow,
    AuthorAliasRow,
    AuthorNameRow,
)


def test_name_resolves_to_one_author_in_its_namespace(engine: Engine) -> None:
    """None creates, one reuses (NFKC, spaces folded), and another namespace has its own."""
    with write(engine) as s:
        first = resolve_author(s, "李  四", "a")
        assert resolve_author(s, " 李 四 ", "a") == first
        assert resolve_author(s, "李四", "a") != first
        assert resolve_author(s, "李 四", "b") != first


def test_ambiguous_name_is_refused_with_candidates(engine: Engine) -> None:
    """Two authors of one name are never guessed between; their ids are listed."""
    with write(engine) as s:
        ids = {add_author(s, "A", "x"), add_author(s, "A", "x")}
        with pytest.raises(Ambiguous) as caught:
            resolve_author(s, "A", "x")
        assert set(caught.value.candidates) == ids
        with pytest.raises(Ambiguous):
            get_author(s, "A")


def test_only_a_confirmed_alias_resolves(engine: Engine) -> None:
    """A suggested alias finds nobody until somebody has confirmed it."""
    with write(engine) as s:
        author = add_author(s, "Marie Curie", "x")
        for alias, confirmed in (("居里夫人", True), ("M. C.", False)):
            values = {"author_id": author, "namespace": "x", "alias": alias, "alias_key": alias}
            s.execute(insert(AuthorAliasRow).values(**values, confirmed=confirmed, created_us=1))
        assert [found.id for found in find_authors(s, "居里夫人")] == [author]
        assert find_authors(s, "M. C.") == ()


def test_author_is_found_by_id_before_name(engine: Engine) -> None:
    """An id is exact even when somebody is called like it."""
    with write(engine) as s:
        author = add_author(s, "A", "x")
        add_author(s, author, "x")
        assert get_author(s, author).id == author
        with pytest.raises(NotFound, match="nobody"):
            get_author(s, "nobody")


def test_new_author_has_holder_and_account(engine: Engine) -> None:
    """With the author come a rights holder and an account that may not fall below zero."""
    with write(engine) as s:
        author = get_author(s, add_author(s, "A", "x"))
        account = s.scalars(
            select(AccountRow).where(AccountRow.code == f"holder:{author.holder_id}")
        ).one()
        assert (account.kind, account.has_floor, account.holder_id) == (
            "holder",
            True,
            author.holder_id,
        )


def test_erased_author_keeps_the_id(engine: Engine) -> None:
    """Deleting the name row erases the person; the author is still there without a name."""
    with write(engine) as s:
        author = add_author(s, "A", "x")
        s.delete(s.get_one(AuthorNameRow, author))
        s.flush()
        assert get_author(s, author).name is None
        assert author_names(s, [author]) == {}
        assert find_authors(s, "A") == ()


def test_author_without_a_name_is_kept_apart(engine: Engine) -> None:
    """Unknown names are not one person: each stays an author of its own."""
    with write(engine) as s:
        assert add_author(s, None, "x") != add_author(s, None, "x")
