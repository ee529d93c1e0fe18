"""The main job on the sample corpus: `python -m haozhi.demo`, which is what `make demo` runs.

It prints what `haozhi ingest`, `haozhi ask` and `haozhi report` print, in one process.
"""

from haozhi.answer_view import answer_view
from haozhi.app import open_app
from haozhi.ask import ask
from haozhi.cli import run
from haozhi.cli.answer_text import answer_lines
from haozhi.cli.ingest import summary
from haozhi.cli.output import say, show, working
from haozhi.cli.report_text import report_lines
from haozhi.clock import Stopwatch
from haozhi.reports.report_view import report_view
from haozhi.samples import sample_paths
from haozhi.settings import load_settings
from ingest.pipeline import ingest
from store.engine import read
from store.vectors.catch_up import catch_up

QUESTIONS = ("1 + 1 + 1 = ?", "1+1+1 等于几？")
AUTHORS = ("A", "B")
RULE = "-" * 72


def demo() -> None:
    """Ingest the samples, ask one sum in two languages, print two credit reports."""
    watch = Stopwatch()
    settings = load_settings()
    app = open_app(settings)
    with working("loading the models"):
        _ = app.embedder, app.generator, app.index
    _say_time(watch, "models loaded")
    done = ingest(sample_paths(), engine=app.engine, embedder=app.embedder)
    catch_up(app.engine, app.index)
    _print([f"The sample corpus: {summary(done)}."])
    _say_time(watch, "ingested")
    for question in QUESTIONS:
        with working("answering"):
            answer_id = ask(app, question, asker_id=settings.asker)
        with read(app.engine) as session:
            view = answer_view(session, answer_id)
        _print([RULE, *answer_lines(view)])
        _say_time(watch, "answered")
    for author in AUTHORS:
        with read(app.engine) as session:
            report = report_view(session, author)
        _print([RULE, *report_lines(report)])


def _print(lines: list[str]) -> None:
    show({}, lines, as_json=False)


def _say_time(watch: Stopwatch, what: str) -> None:
    watch.lap(what)
    say(f"{what} in {watch.laps_ms.pop(what) / 1000:.1f} s")


if __name__ == "__main__":
    run(demo)
