"""Ask: a question becomes a stored, attributed and paid answer."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from haozhi import __version__
from haozhi.answering.candidates import Candidate, free_answer, quoted_answers
from haozhi.answering.choose import Choice, choose
from haozhi.answering.prompt import Prompt, build_prompt
from haozhi.app import App
from haozhi.attribution.context import player_key
from haozhi.attribution.support import SupportStatement
from haozhi.clock import Stopwatch
from haozhi.language import Language, detect
from haozhi.models.generator import Sampling
from haozhi.prompts import Template, load_template
from haozhi.questions import provenance_of
from haozhi.retrieve import Retrieved, retrieve, search_text
from haozhi.settling import store_answer
from haozhi.sums import asked_sum
from store.clock import now_us
from store.errors import BadInput, UsageError
from store.records import Answer, ContextEntry
from store.text import check_text

MOST_CHARACTERS = 10_000


@dataclass(frozen=True)
class AskOptions:
    """How to answer; None leaves the choice to the settings or to the question."""

    language: Language | None = None
    top_k: int | None = None
    seed: int | None = None
    temperature: float = 0.0
    top_p: float = 1.0
    max_new_tokens: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.temperature <= 5 or not 0 < self.top_p <= 1:
            raise UsageError("temperature must be 0..5 and top-p above 0, at most 1")
        if self.top_k is not None and not 1 <= self.top_k <= 64:
            raise UsageError("top-k must be 1..64")


def never() -> bool:
    """Nobody cancels."""
    return False


def ask(
    app: App,
    question: str,
    options: AskOptions = AskOptions(),
    *,
    asker_id: str,
    cancelled: Callable[[], bool] = never,
) -> str:
    """Answer a question, store the answer, attribute it and post its fee; returns the answer's id.

    A question about provenance goes to `who`. BadInput: the question is empty, too long or no
    text. Cancelled: `cancelled()` became true before an answer was stored.
    """
    check_question(question)
    provenance = provenance_of(question)
    if provenance is not None:
        from haozhi.who import who

        return who(
            app,
            provenance.claim,
            relation=provenance.relation,
            language=options.language or provenance.language,
            question=question,
            asker_id=asker_id,
            cancelled=cancelled,
        )
    watch = Stopwatch()
    draft = answered(app, question, options, watch, cancelled)
    answer = replace(draft, asker_id=asker_id, timings_ms=watch.laps_ms)
    return store_answer(app, answer)


def check_question(question: str) -> None:
    """BadInput: empty, longer than MOST_CHARACTERS, or not storable as text."""
    if not question.strip():
        raise BadInput("the question is empty")
    if len(question) > MOST_CHARACTERS:
        raise BadInput(
            f"the question has {len(question)} characters; at most {MOST_CHARACTERS} are answered"
        )
    check_text(question)


def answered(
    app: App,
    question: str,
    options: AskOptions,
    watch: Stopwatch,
    cancelled: Callable[[], bool],
) -> Answer:
    """The answer to a question, not stored yet; state `refused` when nothing backs one."""
    language = options.language or detect(question) or "en"
    k = options.top_k or app.settings.top_k
    found = retrieve(app.engine, app.embedder, app.index, question, k)
    watch.lap("retrieve")
    refusal = None if found else "nothing_found"
    kind: Literal["sum", "fact"] = "sum" if asked_sum(question) else "fact"
    template = load_template(app.settings.generator, language, kind)
    max_new = options.max_new_tokens or app.settings.max_new_tokens
    texts = [each.statement.text or "" for each in found]
    prompt = build_prompt(
        app.generator, template, search_text(question), texts, max_new_tokens=max_new
    )
    watch.lap("prompt")
    choice = None
    if refusal is None:
        sampling = Sampling(options.temperature, options.top_p, options.seed or 0)
        ways = candidates(app, question, prompt, template, found, max_new, sampling, cancelled)
        choice = chosen(app, question, ways, prompt, found)
        refusal = None if choice else "unsupported"
    if cancelled():
        raise Cancelled("the question was cancelled")
    watch.lap("generate")
    return build_answer(app, question, language, options, template, prompt, found, choice, refusal)


class Cancelled(BadInput):
    """Nobody waits for this answer any more."""


def candidates(
    app: App,
    question: str,
    prompt: Prompt,
    template: Template,
    found: Sequence[Retrieved],
    max_new_tokens: int,
    sampling: Sampling,
    cancelled: Callable[[], bool],
) -> Iterator[Candidate]:
    """The candidates of the template's ways, made only as far as they are looked at."""
    ways = {
        "free": lambda: free_answer(
            app.generator,
            prompt,
            template,
            max_new_tokens=max_new_tokens,
            sampling=sampling,
            cancelled=cancelled,
        ),
        "quote": lambda: quoted_answers(
            app.generator, prompt, template, question, *included(prompt, found)
        ),
    }
    return chain.from_iterable(ways[way]() for way in template.ways)


def included(
    prompt: Prompt, found: Sequence[Retrieved]
) -> tuple[list[SupportStatement], list[float]]:
    """The statements that fitted the prompt, with their similarities."""
    kept = [f for f, span in zip(found, prompt.spans, strict=True) if span]
    statements = [SupportStatement(f.statement.id, f.statement.text or "") for f in kept]
    return statements, [f.similarity for f in kept]


def chosen(
    app: App, question: str, ways: Iterator[Candidate], prompt: Prompt, found: Sequence[Retrieved]
) -> Choice | None:
    """The candidate to give, judged over the statements that are in the prompt."""
    return choose(app.generator, question, ways, *included(prompt, found))


def build_answer(
    app: App,
    question: str,
    language: Language,
    options: AskOptions,
    template: Template,
    prompt: Prompt,
    found: Sequence[Retrieved],
    choice: Choice | None,
    refusal: str | None,
) -> Answer:
    """The answer as a value, for nobody yet: `ask` and `who` say whose it is."""
    generator = app.generator
    return Answer(
        id=f"an{secrets.token_hex(8)}",
        asker_id="",
        kind="ask",
        state="answered" if choice else "refused",
        question=question,
        claim=None,
        preface="",
        text=choice.worded.text if choice else REFUSAL[language],
        language=language,
        model=generator.name,
        model_fingerprint=generator.fingerprint,
        prompt_fingerprint=template.fingerprint,
        prompt_ids=prompt.ids,
        tail_start=prompt.tail_start,
        answer_ids=choice.candidate.ids if choice else (),
        options={
            "version": __version__,
            "asked": question,
            "way": choice.candidate.way if choice else None,
            "seed": options.seed or 0,
            "temperature": options.temperature,
            "top_p": options.top_p,
            "embedder": app.embedder.fingerprint,
        },
        refusal=refusal,
        policy_version=1,
        fee_micro=app.settings.fee_micro if choice else 0,
        timings_ms={},
        created_us=now_us(),
        context=tuple(context_entries(prompt, found)),
        segments=choice.worded.segments if choice else (),
    )


REFUSAL = {
    "en": "No stored statement answers this question.",
    "zh": "库中没有陈述能回答这个问题。",
}


def context_entries(prompt: Prompt, found: Sequence[Retrieved]) -> Iterator[ContextEntry]:
    """The context as it is stored, with the author shares that count from now on."""
    for position, (each, span) in enumerate(zip(found, prompt.spans, strict=True)):
        statement = each.statement
        occurrence = statement.occurrences[0]
        yield ContextEntry(
            position=position,
            statement_id=statement.id,
            statement_hash=statement.hash,
            occurrence_id=occurrence.id,
            player=player_key(statement.id, occurrence.authors),
            included=span is not None,
            token_start=span[0] if span else None,
            token_end=span[1] if span else None,
            retrieval=each.similarity,
        )
