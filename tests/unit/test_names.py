"""Which names a byline or an author field holds."""

import pytest

from ingest.names import known_names, split_names, stands_for_nobody


@pytest.mark.parametrize(
    ("written", "names"),
    [
        (
            "Cade Metz, Karen Weise, Nico Grant and Mike Isaac",
            ("Cade Metz", "Karen Weise", "Nico Grant", "Mike Isaac"),
        ),
        ("Faiza Saqib and Amber Raiken", ("Faiza Saqib", "Amber Raiken")),
        ("Jessica Conditt,Aaron Souppouris", ("Jessica Conditt", "Aaron Souppouris")),
        ("A; B", ("A", "B")),
        ("Alice, Bob and Carol", ("Alice", "Bob", "Carol")),
        ("Smith, J., Doe, A. B.", ("Smith, J.", "Doe, A. B.")),
        ("张三、李四", ("张三", "李四")),
        ("张三，李四", ("张三", "李四")),
        ("张三 李四 王五", ("张三", "李四", "王五")),
        ("张三和李四", ("张三", "李四")),
        ("作者：张三；李四", ("张三", "李四")),
    ],
)
def test_several_authors_are_split(written: str, names: tuple[str, ...]) -> None:
    """Each way of listing people gives each of them."""
    assert split_names(written) == names


@pytest.mark.parametrize(
    "written",
    [
        "Smith, John",
        "Yawney, John",
        "Martin Luther King, Jr.",
        "Marks and Spencer",
        "Department of Health and Human Services",
        "J. R. R. Tolkien",
        "欧阳 克明",
        "王和平",
        "加西亚·马尔克斯",
        "The New York Times",
        "Associated Press",
        "Johnson, Boris and Truss, Liz",
    ],
)
def test_one_author_stays_one(written: str) -> None:
    """A comma, an `and` or a space inside a name makes no second person, also where it might."""
    assert split_names(written) == (written,)


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Matt O'Brien, The Associated Press", ("Matt O'Brien",)),
        ("Sean Hollister - The Verge", ("Sean Hollister",)),
        ("Brendan Murray, Tara Patel, Bloomberg", ("Brendan Murray", "Tara Patel")),
        ("Anthony Franco, MLB Trade Rumors", ("Anthony Franco",)),
        ("Colum Dell, Yardbarker", ("Colum Dell",)),
        ("Barney Ronay at Old Trafford", ("Barney Ronay",)),
        ("Robin Buller in Oakland, California", ("Robin Buller",)),
        ("鲁迅 著", ("鲁迅",)),
        ("Shakespeare, William, 1564-1616", ("Shakespeare, William",)),
    ],
)
def test_outlets_places_and_roles_are_no_persons(written: str, names: tuple[str, ...]) -> None:
    """What stands behind the people in a byline is left out."""
    assert split_names(written, outlet="Yardbarker") == names


@pytest.mark.parametrize(
    "name",
    [
        "python-docx",
        "微软用户",
        "Unknown Author",
        "calibre (6.1.0) [https://calibre-ebook.com]",
        "Administrator",
        "USER",
        "WPS_1234567",
        "Apache POI",
        "佚名",
        "—",
        "N/A",
        "Microsoft Office User",
    ],
)
def test_some_names_stand_for_nobody(name: str) -> None:
    """Programs, accounts and placeholders are no authors, in any case and language."""
    assert stands_for_nobody(name)
    assert known_names(name) == known_names((name,)) == ()


def test_names_that_cannot_be_used_are_left_out() -> None:
    """A field of metadata may hold anything; what is no name is no reason to refuse a file."""
    assert known_names(("A", "a\0", "x" * 300, "", "A", "Ａ")) == ("A",)
