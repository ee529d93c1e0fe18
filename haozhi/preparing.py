"""What an answer is prepared from: a moment and its policy, the statements, and the prompt."""

from dataclasses import dataclass

from haozhi.accounting.policy import Policy
from haozhi.answering.prompt import Prompt
from haozhi.app import App
from haozhi.attribution.support import SupportStatement
from haozhi.display import budget_of
from haozhi.language import Language
from haozhi.policies import policy_of
from haozhi.prompts import Template
from haozhi.retrieve import Retrieval, Retrieved, retrieve
from store.clock import now_us
from store.engine import read


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
        return [SupportStatement(f.statement.id, f.statement.text or "") for f in self._fitted]

    @property
    def similarities(self) -> list[float]:
        """The similarity of each of them to the question."""
        return [f.similarity for f in self._fitted]

    @property
    def _fitted(self) -> list[Retrieved]:
        spans = zip(self.found, self.prompt.spans, strict=True)
        return [found for found, span in spans if span]


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
    return retrieve(app.engine, app.embedder, app.index, text, k, budget, at_us=moment.at_us)
