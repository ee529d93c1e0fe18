"""The shipped development set keeps the promises that the published figures rest on."""

import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from haozhi.evaluation.devset import Corpus, DevSet, Item, Record, load_devset
from haozhi.evaluation.metrics import is_correct
from store.text import statement_hash

FOLDER = Path(__file__).parents[1] / "devset"
HALVES = ("dev", "heldout")
SETS = {half: load_devset(FOLDER, half) for half in HALVES}
EVERY = [(half, item) for half, devset in SETS.items() for item in devset.items]
ANSWERABLE = [pytest.param(half, i, id=i.id) for half, i in EVERY if i.answerable]
UNANSWERABLE = [pytest.param(half, i, id=i.id) for half, i in EVERY if not i.answerable]
SUMS = [pytest.param(half, i, id=i.id) for half, i in EVERY if i.kind == "sum"]

EQUATION = re.compile(r"(\d+) ?\+ ?(\d+) ?= ?(\d+)")
# Statements that only repeat a question or deny something answer nothing.
ECHO_OR_DENIAL = re.compile(r"\bask|\bnot\b|问|打听|想知道|没有|不是")
ASKING = re.compile(
    r"什么时候|什么|哪一[年天]|哪国?|谁|多[少大重久]|几|吗|[？，的了是有在一]|\b(a|an|the|o[fn]|to|in|at|for"
    r"|by|is|are|was|were|be|do|does|did|has|have|how|old|many|much|high|wh\w+|time|cost|s|my|our)\b"
)
# What a question can ask for, and the shape of a statement that gives it.
SHAPES = (
    (
        r"多少钱|\bcost|How much (is|are)\b",
        r"元|[块毛]钱?|\b(pounds?|pence|dollars?|cents?|euros?)\b",
    ),
    (
        r"多[少大重]|几|哪一[年天]|什么时候|How (many|old|high|much)|When|What time",
        r"\d|[二两三四五六七八九十百]|\b(two|three|four|five|six|seven|eight|nine|ten)\b",
    ),
)


def answering(item: Item, corpus: Corpus) -> list[Record]:
    """The statements that would count as an answer; for a sum, those that end with its result."""
    return [record for record in corpus.records if is_correct(item, record.text)]


def derivations(question: str, corpus: Corpus) -> set[tuple[str, str]]:
    """The authors of each pair of stored equations that works out the question's three addends."""
    stored = [
        (record.author, int(a), int(b), int(c))
        for record in corpus.records
        for a, b, c in EQUATION.findall(record.text)
    ]
    return {
        (first, second)
        for x, y, z in permutations(int(number) for number in re.findall(r"\d+", question))
        for first, a, b, partial in stored
        for second, c, d, _ in stored
        if (a, b) == (x, y) and (c, d) in ((partial, z), (z, partial))
    }


def terms(text: str) -> set[str]:
    """Latin words and Han bigrams, without the words that only ask."""
    told = ASKING.sub(" ", text.casefold())
    runs = re.findall(r"[\u4e00-\u9fff]+", told)
    return set(re.findall(r"[a-z0-9]+", told)) | {
        run[i : i + 2] for run in runs for i in range(len(run) - 1)
    }


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_each_half_has_the_promised_kinds(half: str, language: str) -> None:
    """Per language: 16 single, 8 of two statements with 3 sums, 14 near and 2 off the topic."""
    items = [item for item in SETS[half].items if item.language == language]
    kinds = Counter(item.kind for item in items)
    topics = Counter(item.id.split("-")[2] for item in items if not item.answerable)
    assert len(items) >= 40
    assert kinds["single"] >= 16
    assert kinds["sum"] >= 3
    assert kinds["pair"] + kinds["sum"] >= 8
    assert topics["near"] >= 14
    assert topics["off"] >= 2
    assert set(topics) == {"near", "off"}
    assert 0 < sum(item.cross for item in items) <= 4


@pytest.mark.parametrize("half", HALVES)
def test_corpora_are_small_and_by_many(half: str) -> None:
    """A corpus has 12 to 25 distinct statements under 200 characters by 8 authors or more."""
    for corpus in SETS[half].corpora.values():
        assert 12 <= len(corpus.records) <= 25, corpus.name
        assert len(corpus.authors) >= 8, corpus.name
        assert max(len(record.text) for record in corpus.records) < 200
        assert len({statement_hash(r.text) for r in corpus.records}) == len(corpus.records)


def test_the_halves_share_nothing() -> None:
    """Questions, corpora, authors and prose of the held-out half are its own."""

    def parts(devset: DevSet) -> set[str]:
        records = [record for corpus in devset.corpora.values() for record in corpus.records]
        prose = {record.text for record in records if not EQUATION.fullmatch(record.text)}
        asked = {item.id for item in devset.items} | {item.question for item in devset.items}
        return prose | asked | {record.author for record in records} | set(devset.corpora)

    assert not parts(SETS["dev"]) & parts(SETS["heldout"])


def test_every_corpus_file_is_used() -> None:
    """No corpus lies about that no question is asked over."""
    used = {name for devset in SETS.values() for name in devset.corpora}
    assert used == {path.stem for path in (FOLDER / "corpora").glob("*.jsonl")}


@pytest.mark.parametrize(("half", "item"), ANSWERABLE)
def test_an_answer_stands_in_one_needed_statement(half: str, item: Item) -> None:
    """The accepted answer is said once, by a needed author; a single's echo may name it again."""
    said = answering(item, SETS[half].corpora[item.corpus])
    if item.kind == "single":
        said = [record for record in said if not ECHO_OR_DENIAL.search(record.text)]
    assert len(said) == 1
    assert said[0].author in item.needed


@pytest.mark.parametrize(("half", "item"), ANSWERABLE)
def test_a_question_does_not_hold_its_answer(half: str, item: Item) -> None:
    """Repeating the question is never counted as right."""
    assert not is_correct(item, item.question), half


@pytest.mark.parametrize(("half", "item"), SUMS)
def test_a_sum_has_one_derivation(half: str, item: Item) -> None:
    """Of all stored equations only the two needed ones work the sum out."""
    assert derivations(item.question, SETS[half].corpora[item.corpus]) == {item.needed}


@pytest.mark.parametrize("half", HALVES)
def test_cross_items_have_their_statement_in_the_other_language(half: str) -> None:
    """`cross` is set exactly where the answering statement is in the other language."""
    for item in SETS[half].items:
        if item.kind in ("single", "pair"):
            said = answering(item, SETS[half].corpora[item.corpus])[0].text
            chinese = re.search("[\u4e00-\u9fff]", said) is not None
            assert item.cross == (chinese != (item.language == "zh")), item.id


@pytest.mark.parametrize(("half", "item"), UNANSWERABLE)
def test_the_true_answer_is_not_stored(half: str, item: Item) -> None:
    """Where the world knows the answer (`reject`), no statement of the corpus holds it."""
    for record in SETS[half].corpora[item.corpus].records:
        assert not any(known.casefold() in record.text.casefold() for known in item.reject)


@pytest.mark.parametrize(("half", "item"), UNANSWERABLE)
def test_no_statement_gives_what_an_unanswerable_question_asks(half: str, item: Item) -> None:
    """No statement about all that the question names holds a price or number of the asked sort."""
    shape = next((given for asks, given in SHAPES if re.search(asks, item.question)), "^$")
    asked = terms(item.question)
    for record in SETS[half].corpora[item.corpus].records:
        covered = len(asked & terms(record.text)) / max(1, len(asked))
        silent = covered < 0.75 or ECHO_OR_DENIAL.search(record.text)
        assert silent or not re.search(shape, record.text), record.text
