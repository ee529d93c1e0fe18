"""What an answer is prepared from: a moment and its policy, the statements, and the prompt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from haozhi.accounting.policy import Policy
from haozhi.answering.prompt import Prompt, build_prompt
from haozhi.answering.verdicts import Verdict, verdict_ids
from haozhi.app import App
from haozhi.attribution.support import SupportStatement
from haozhi.display import budget_of
from haozhi.judge.about import about
from haozhi.language import Language
from haozhi.policies import policy_of
from haozhi.prompts import Template
from haozhi.retrieve import Retrieval, Retrieved, retrieve
from ingest.setting import needs_setting, setting_text
from store.clock import now_us
from store.engine import read
from store.statements.setting import settings_of


@dataclass(frozen=True)
class Moment:
    """When a question is answered and under which policy, fixed before anything is looked up.

    What may be used, what it costs and who is paid all follow from it, however long answering
    takes.
    """

    at_us: int
    policy: Policy


@dataclass(frozen=True)
class Prepared:
    """A question with its context in the prompt; `question` is the one that is attributed."""

    moment: Moment
    question: str
    language: Language
    template: Template
    prompt: Prompt
    retrieval: Retrieval

    @property
    def found(self) -> tuple[Retrieved, ...]:
        """What was retrieved, as the prompt's spans stand."""
        return self.retrieval.found

    @property
    def statements(self) -> list[SupportStatement]:
        """The statements that fitted the prompt."""
        return [
            SupportStatement(f.statement.id, f.statement.text or "", _about(f))
            for f in self._fitted
        ]

    @property
    def similarities(self) -> list[float]:
        """The similarity of each of them to the question."""
        return [f.similarity for f in self._fitted]

    @property
    def verdicts(self) -> list[Verdict] | None:
        """What the judge says, where settings had a part in it: they may change later."""
        if not (self.question and any(statement.about for statement in self.statements)):
            return None
        return verdict_ids(self.question, self.statements, self.similarities)

    @property
    def _fitted(self) -> list[Retrieved]:
        spans = zip(self.found, self.prompt.spans, strict=True)
        return [found for found, span in spans if span]


def prompt_of(
    app: App,
    template: Template,
    question: str,
    found: Sequence[Retrieved],
    max_new_tokens: int,
) -> Prompt:
    """The prompt with what was found, as much as fits; BadInput: not even the question does."""
    texts = [each.statement.text or "" for each in found]
    settings = [setting_text(each.setting) if each.setting else "" for each in found]
    return build_prompt(
        app.generator, template, question, texts, settings, max_new_tokens=max_new_tokens
    )


def _about(found: Retrieved) -> str:
    return about(found.setting) if found.setting else ""


def _in_settings(app: App, moment: Moment, found: Sequence[Retrieved]) -> tuple[Retrieved, ...]:
    """With the setting of each that needs one, as it may be used then."""
    needy = [each.statement.id for each in found if needs_setting(each.statement.text or "")]
    with read(app.engine) as session:
        settings = settings_of(session, needy, moment.at_us) if needy else {}
    return tuple(replace(each, setting=settings.get(each.statement.id)) for each in found)


def this_moment(app: App) -> Moment:
    """Now, with the newest policy."""
    at_us = now_us()
    with read(app.engine) as session:
        return Moment(at_us, policy_of(session))


def retrieve_for(
    app: App, moment: Moment, asker_id: str, text: str, k: int | None = None
) -> Retrieval:
    """What an asker may be answered from at a moment; `k` None: as settings say."""
    budget = budget_of(moment.policy, asker_id)
    k = k or app.settings.top_k
    found = retrieve(app.engine, app.embedder, app.index, text, k, budget, at_us=moment.at_us)
    return replace(found, found=_in_settings(app, moment, found.found))
