"""The pages in a browser with the real models: what a person sees, clicks and gets."""

import json
import re
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import (  # type: ignore[import-untyped]  # has no types
    Axe,
)
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from haozhi.app import App
from haozhi.ask import ask
from haozhi.web.server import build
from haozhi.web.service import AppService
from store.answers import list_answers
from store.engine import read
from tests.asking import MakeWorld

pytestmark = pytest.mark.browser

LIMIT_MS = 180_000
HOSTILE = """The word at the old lighthouse is <img src=x onerror="document.title='owned'">kelp."""
SAID = [
    ("1 + 1 = 2", "A", "2021-03-04"),
    ("2 + 1 = 3", "B", "2021-05-06"),
    ("An octopus has three hearts.", "Ines Calder", "2020-08"),
    ("维也纳在多瑙河边。", "白露", "2016"),
    (HOSTILE, "<script>document.title='owned'</script>", None),
]
OCTOPUS = "How many hearts does an octopus have?"


@pytest.fixture(scope="module")
def app(world: MakeWorld) -> App:
    """Five statements, one of which would be a program if it became markup."""
    return world(SAID)


@pytest.fixture(scope="module")
def address(app: App) -> Iterator[str]:
    """The address of a server over them, with its worker."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(build(AppService(app)), log_level="warning", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; as root it runs without its sandbox, and it only sees our own pages."""
    with sync_playwright() as playwright:
        found = shutil.which("chromium")
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def _visit(
    browser: Browser, address: str, language: str = "en-GB", **how: object
) -> Iterator[Page]:
    """A page in a new profile; a message of an error, also of a refused script or style, fails."""
    context: BrowserContext = browser.new_context(
        locale=language,
        base_url=address,
        **how,  # type: ignore[arg-type]  # Playwright's own names
    )
    context.set_default_timeout(LIMIT_MS)
    expect.set_options(timeout=LIMIT_MS)
    errors = list[str]()
    page = context.new_page()
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        yield page
        assert errors == []
        assert page.title() != "owned"
    finally:
        context.close()


def _final(page: Page) -> None:
    expect(page.locator("#answer")).to_have_attribute("data-tier", "final")


def _chips(page: Page) -> list[str]:
    return [f"{c.text_content()} {c.get_attribute('href')}" for c in page.locator(".chip").all()]


def _is_accessible(page: Page) -> None:
    """axe-core finds nothing serious."""
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []


def _count(app: App) -> int:
    with read(app.engine) as session:
        return len(list_answers(session, limit=100))


def test_an_answer_comes_with_its_evidence_and_stays(browser: Browser, address: str) -> None:
    """Evidence, words, then whose they are; reload and a second asking keep citations."""
    with _visit(browser, address) as page:
        page.goto("/")
        page.fill("#question", OCTOPUS)
        page.keyboard.press("Enter")
        expect(page.locator(".live .card").first).to_contain_text("octopus")
        expect(page.locator(".live .badge")).to_have_text("AI-generated")
        _final(page)
        first, chips = page.url, _chips(page)
        assert re.fullmatch(rf"{address}/answers/an[0-9a-f]{{16}}", first)
        assert chips
        page.reload()
        assert _chips(page) == chips
        expect(page.locator(".source")).to_contain_text("An octopus has three hearts.")
        expect(page.locator(".source")).to_contain_text("Ines Calder")
        page.get_by_role("button", name="Ask again").click()
        expect(page).not_to_have_url(first)
        _final(page)
        assert _chips(page) == chips
        page.go_back()
        expect(page).to_have_url(first)
        _final(page)
        assert _chips(page) == chips


def test_a_stream_that_is_lost_is_taken_up_again(app: App, browser: Browser, address: str) -> None:
    """The answer that is stored meanwhile is shown; the question is not asked twice."""
    answer_id = ask(app, OCTOPUS, asker_id="local")
    before = _count(app)
    meta = json.dumps({"answer_id": answer_id, "model": "m"})
    with _visit(browser, address) as page:
        page.route(
            "**/v1/ask/stream",
            lambda route: route.fulfill(
                content_type="text/event-stream", body=f"event: meta\ndata: {meta}\n\n"
            ),
            times=1,
        )
        page.goto("/")
        page.fill("#question", OCTOPUS)
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{address}/answers/{answer_id}")
        _final(page)
    assert _count(app) == before


def test_sources_and_words_light_up_together(browser: Browser, address: str) -> None:
    """By pointer and by keyboard, from a source and from the words; the card goes with Escape."""
    with _visit(browser, address) as page:
        page.goto("/")
        page.fill("#question", "1 + 1 + 1 = ?")
        page.get_by_role("button", name="Ask").click()
        _final(page)
        first = page.locator(".segment").first
        source = page.locator(".source", has_text="1 + 1 = 2").first
        source.hover()
        expect(first).to_have_class(re.compile("lit"))
        page.mouse.move(0, 0)
        expect(first).not_to_have_class(re.compile("lit"))
        first.focus()
        expect(source).to_have_class(re.compile("lit"))
        page.keyboard.press("Tab")
        expect(page.locator("#hover")).to_be_visible()
        expect(page.locator("#hover")).to_contain_text("1 + 1 = 2")
        page.keyboard.press("Escape")
        expect(page.locator("#hover")).to_be_hidden()
        page.get_by_role("link", name="Why this answer?").click()
        expect(page.get_by_role("heading", name="What the model read")).to_be_visible()
        page.go_back()
        page.get_by_role("link", name="A", exact=True).click()
        expect(page.get_by_role("heading", name="Credit report: A")).to_be_visible()


def test_a_chinese_question_is_asked_with_a_chinese_keyboard(
    browser: Browser, address: str
) -> None:
    """The Enter that ends a composition asks nothing; page, label and answer are Chinese."""
    with _visit(browser, address, "zh-CN", viewport={"width": 390, "height": 844}) as page:
        page.goto("/")
        page.fill("#question", "维也纳在哪条河边？")
        page.locator("#question").dispatch_event(
            "keydown", {"key": "Enter", "isComposing": True, "bubbles": True, "cancelable": True}
        )
        expect(page.locator(".live")).to_have_count(0)
        page.get_by_role("button", name="提问", exact=True).click()
        _final(page)
        expect(page.locator("#answer .badge")).to_have_text("AI 生成")
        expect(page.locator("p.answer")).to_contain_text("多瑙河")
        for path in (page.url, f"{page.url}/why", f"{address}/authors/白露/report"):
            page.goto(path)
            assert page.evaluate("document.documentElement.scrollWidth") == 390, path
            _is_accessible(page)


def test_what_was_said_never_becomes_markup(browser: Browser, address: str) -> None:
    """A statement and an author's name that are programs are shown as text, live and stored."""
    with _visit(browser, address) as page:
        page.goto("/")
        page.fill("#question", "What is the word at the old lighthouse?")
        page.keyboard.press("Enter")
        card = page.locator(".live .card", has_text="lighthouse")
        expect(card).to_contain_text("<img src=x")
        expect(card).to_contain_text("<script>")
        _final(page)
        stage = page.locator("#stage")
        expect(stage.locator("img, script")).to_have_count(0)
        page.goto(f"{page.url}/why")
        expect(page.locator("main")).to_contain_text("<img src=x")


def test_words_that_are_selected_can_be_traced(browser: Browser, address: str) -> None:
    """ "Who taught you this?" on a part of the answer leads to an answer about who said it."""
    with _visit(browser, address) as page:
        page.goto("/")
        page.fill("#question", "1 + 1 + 1 = ?")
        page.keyboard.press("Enter")
        _final(page)
        page.locator(".segment", has_text="2 + 1 = 3").first.select_text()
        page.locator("#taught").click()
        expect(page.locator("h1.question")).to_contain_text("2 + 1 = 3")
        expect(page.locator("p.answer")).to_contain_text("B")
        expect(page.locator("#answer")).to_contain_text("stated it")


def test_stop_stops(app: App, browser: Browser, address: str) -> None:
    """A stopped question is not answered, and the next one is."""
    before = _count(app)
    with _visit(browser, address) as page:
        page.goto("/")
        page.fill("#question", OCTOPUS)
        page.keyboard.press("Enter")
        page.locator(".live .card").first.wait_for()
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".live .status")).to_contain_text("Stopped")
        page.fill("#question", "1 + 1 + 1 = ?")
        page.keyboard.press("Enter")
        _final(page)
    assert _count(app) == before + 1


def test_everything_works_without_scripts(browser: Browser, address: str) -> None:
    """The form, the answer with its sources, the language and a second question need none."""
    with _visit(browser, address, java_script_enabled=False) as page:
        page.goto("/")
        page.fill("#question", "1 + 1 + 1 = ?")
        page.get_by_role("button", name="Ask").click()
        page.wait_for_url("**/answers/*")
        _final(page)
        page.locator(".chip").first.click()
        expect(page.locator(".source:target")).to_be_visible()
        page.get_by_role("link", name="中文").click()
        expect(page.get_by_role("heading", name="来源")).to_be_visible()
