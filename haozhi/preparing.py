"""What an answer is prepared from: the newest policy, the statements, and the prompt with them."""

from dataclasses import dataclass

from haozhi.accounting.policy import Policy, policy_from_body
from haozhi.answering.prompt import Prompt
from haozhi.app import App
from haozhi.attribution.support import SupportStatement
from haozhi.display import DisplayBudget
from haozhi.language import Language
from haozhi.prompts import Template
from haozhi.retrieve import Retrieval, Retrieved, retrieve
from store.engine import read
from store.ledger import get_policy


@dataclass(frozen=True)
class Prepared:
    """A question with its context in the prompt; `question` is the one that is attributed."""

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


def retrieve_for(app: App, asker_id: str, text: str, k: int | None = None) -> Retrieval:
    """What an asker may be answered from under the newest policy; `k` None: as settings say."""
    most = newest_policy(app).display_budget_chars
    budget = None if most is None else DisplayBudget(asker_id, most)
    k = k or app.settings.top_k
    return retrieve(app.engine, app.embedder, app.index, text, k, budget)


def newest_policy(app: App) -> Policy:
    """The newest policy: the one that this answer will be posted under, whenever that is."""
    with read(app.engine) as session:
        return policy_from_body(*get_policy(session))
