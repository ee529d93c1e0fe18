"""The product's final tier, asked about a posed item as it is asked about a stored answer."""

from haozhi.answering.backing import back
from haozhi.answering.segments import worded
from haozhi.attribution.context import Case
from haozhi.attribution.estimators import Estimate
from haozhi.attribution.final import attribute_finally
from haozhi.attribution.support import SupportStatement
from haozhi.evaluation.attribution.posing import Posed
from haozhi.evaluation.made.paying import RULES
from haozhi.models.generator import Generator
from store.records.corpus import AuthorShare


def case_of(generator: Generator, posed: Posed) -> Case:
    """What attribution is asked about: the answer's segments and what backs them.

    All of it is there when an answer is stored, so it is no cost of the final tier.
    """
    said, item = worded(generator, posed.scored.answer_ids), posed.item
    numbers = tuple(range(len(item.statements)))
    statements = [SupportStatement(i, item.statements[i]) for i in numbers]
    return Case(
        scored=posed.scored,
        positions=numbers,
        statement_ids=numbers,
        authors=tuple((AuthorShare(author, 1_000_000),) for author in item.authors),
        players=numbers,
        segments=tuple((s.token_start, s.token_end) for s in said.segments),
        weights_ppb=tuple(s.weight_ppb for s in said.segments),
        support=back(item.question, said.texts, statements, posed.similarities),
    )


def final_influence(generator: Generator, posed: Posed, case: Case) -> Estimate:
    """Shares and the influence beside them, all that the final tier does; the influence of it."""
    found = attribute_finally(generator, posed.key, case, RULES, now_us=0)
    influence = tuple(signal.influence_nats or 0.0 for signal in found.signals)
    return Estimate(influence, found.detail["passes"], found.residual)
