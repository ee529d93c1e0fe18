"""A draft: a question with its context in a prompt, and the answer chosen for it, not stored."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from haozhi import __version__
from haozhi.answering.candidates import Candidate, free_answer, quoted_answers
from haozhi.answering.choose import Choice, choose
from haozhi.answering.prompt import Prompt
from haozhi.app import App
from haozhi.attribution.context import player_key
from haozhi.attribution.support.readings import to_json
from haozhi.clock import Stopwatch
from haozhi.language import Language, detect
from haozhi.listening import SILENT, Listener
from haozhi.models.generation import Sampling
from haozhi.preparing import Prepared, prompt_of, retrieve_for, this_moment
from haozhi.prompts import load_template
from haozhi.questions import kind_of
from haozhi.reading import read_beside
from haozhi.refusals import REFUSAL, why_refused
from haozhi.retrieve import Retrieved, search_text
from store.errors import Cancelled, UsageError
from store.records.answers import Answer, ContextEntry


@dataclass(frozen=True)
class AskOptions:
    """How to answer; None leaves the choice to the settings or to the question."""

    language: Language | None = None
    top_k: int | None = None
    seed: int | None = None
    temperature: float = 0.0
    top_p: float = 1.0
    max_new_tokens: int | None = None
    share_question: bool = False
    """Whether authors who are paid for the answer may read the question."""

    def __post_init__(self) -> None:
        if not 0 <= self.temperature <= 5 or not 0 < self.top_p <= 1:
            raise UsageError("temperature must be 0..5 and top-p above 0, at most 1")
        if self.top_k is not None and not 1 <= self.top_k <= 64:
            raise UsageError("top-k must be 1..64")


def new_answer_id() -> str:
    """An id that no answer has."""
    return f"an{secrets.token_hex(8)}"


def never() -> bool:
    """Nobody cancels."""
    return False


def draft_answer(
    app: App,
    question: str,
    options: AskOptions,
    asker_id: str,
    watch: Stopwatch,
    cancelled: Callable[[], bool],
    listener: Listener = SILENT,
) -> Answer:
    """The answer to an asker's question, not stored yet; `refused` when nothing backs one.

    Cancelled: `cancelled()` became true.
    """
    language = options.language or detect(question) or "en"
    max_new = options.max_new_tokens or app.settings.max_new_tokens
    moment = this_moment(app)
    retrieval = retrieve_for(app, moment, asker_id, question, options.top_k)
    watch.lap("retrieve")
    template = load_template(app.settings.generator, language, kind_of(question))
    prompt = prompt_of(app, template, search_text(question), retrieval.found, max_new)
    prepared = Prepared(moment, question, language, template, prompt, retrieval)
    watch.lap("prompt")
    listener.prepared(prepared)
    ways = _candidates(app, prepared, options, max_new, cancelled, listener)
    choice = choose(
        app.generator,
        question,
        ways,
        prepared.statements,
        prepared.similarities,
        partial(read_beside, app, question, statements=prepared.statements),
    )
    if cancelled():
        raise Cancelled("the question was cancelled")
    watch.lap("generate")
    return build_answer(app, prepared, options, choice)


def _candidates(
    app: App,
    prepared: Prepared,
    options: AskOptions,
    max_new_tokens: int,
    cancelled: Callable[[], bool],
    listener: Listener,
) -> Iterator[Candidate]:
    """The candidates of the template's ways, made only as far as they are looked at."""
    if not prepared.statements:
        return iter(())
    ways = {
        "free": lambda: free_answer(
            app.generator,
            prepared.prompt,
            prepared.template,
            max_new_tokens=max_new_tokens,
            sampling=Sampling(options.temperature, options.top_p, options.seed or 0),
            cancelled=cancelled,
            says=listener.says,
        ),
        "quote": lambda: quoted_answers(
            app.generator,
            prepared.prompt,
            prepared.template,
            prepared.question,
            prepared.statements,
            prepared.similarities,
        ),
    }
    return chain.from_iterable(ways[way]() for way in prepared.template.ways)


def build_answer(
    app: App, prepared: Prepared, options: AskOptions, choice: Choice | None
) -> Answer:
    """The answer as a value, for nobody yet: `ask` and `who` say whose it is."""
    generator = app.generator
    policy = prepared.moment.policy
    fee_micro = app.settings.fee_micro
    return Answer(
        id=new_answer_id(),
        asker_id="",
        kind="ask",
        state="answered" if choice else "refused",
        question=prepared.question,
        claim=None,
        preface="",
        text=choice.worded.text if choice else REFUSAL[prepared.language],
        language=prepared.language,
        model=generator.name,
        model_fingerprint=generator.fingerprint,
        prompt_fingerprint=prepared.template.fingerprint,
        prompt_ids=prepared.prompt.ids,
        tail_start=prepared.prompt.tail_start,
        answer_ids=choice.worded.ids if choice else (),
        options=_kept(app, prepared, options, choice),
        refusal=None if choice else why_refused(prepared.retrieval),
        policy_version=policy.version,
        fee_micro=(policy.fee_micro if fee_micro is None else fee_micro) if choice else 0,
        timings_ms={},
        created_us=prepared.moment.at_us,
        context=tuple(context_entries(prepared.prompt, prepared.found)),
        segments=choice.worded.segments if choice else (),
    )


def _kept(
    app: App, prepared: Prepared, options: AskOptions, choice: Choice | None
) -> dict[str, Any]:
    """How the answer came about, as it is stored with it."""
    return {
        "version": __version__,
        "asked": prepared.question,
        "way": choice.candidate.way if choice else None,
        "seed": options.seed or 0,
        "temperature": options.temperature,
        "top_p": options.top_p,
        "share_question": options.share_question,
        "attribution_passes": app.settings.attribution_passes,
        "embedder": app.embedder.fingerprint,
        "over_budget": list(prepared.retrieval.over_budget),
        "readings": to_json(choice.readings if choice else None),
        "verdicts": prepared.verdicts if choice else None,
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
