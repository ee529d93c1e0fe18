"""In which language a page speaks: what the reader chose, else what the browser prefers."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from haozhi.web.rendering import words
from haozhi.web.server import build
from tests.fake_service import FakeService


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A client of a server that has started."""
    with TestClient(build(FakeService()), base_url="http://localhost") as client:
        yield client


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-GB,en;q=0.9,zh;q=0.8", "en"),
        ("en;q=0.2, zh-Hant;q=0.7", "zh"),
        ("fr, zh;q=0.1", "zh"),
        ("fr", "en"),
        ("zh;q=x", "zh"),
        ("", "en"),
    ],
)
def test_the_browsers_preference_is_the_default(
    client: TestClient, header: str, language: str
) -> None:
    """The best of the two that it names; English when it names neither."""
    html = client.get("/", headers={"Accept-Language": header}).text
    assert f'<html lang="{language}">' in html


def test_a_choice_is_kept(client: TestClient) -> None:
    """The link to the other language keeps the page's own query; the cookie keeps the choice."""
    html = client.get("/answers/an1?x=1&lang=zh").text
    assert '<html lang="zh">' in html
    assert 'href="?x=1&amp;lang=en"' in html
    assert '<html lang="zh">' in client.get("/", headers={"Accept-Language": "en"}).text
    assert '<html lang="en">' in client.get("/?lang=en").text
    assert '<html lang="en">' in client.get("/?lang=%3Cscript%3E").text


def test_both_languages_have_the_same_words() -> None:
    """No word is missing in one of them, and each fills in the same things."""

    def shape(value: object) -> object:
        if isinstance(value, dict):
            return {name: shape(inner) for name, inner in value.items()}
        return sorted(part.partition("}")[0] for part in str(value).split("{")[1:])

    assert shape(words("zh")) == shape(words("en"))
