"""Ways of paying that are compared on the benchmark: a runner is one function per case."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from haozhi.evaluation.attribution.contextcite import run_context_cite
from haozhi.evaluation.attribution.posing import spending
from haozhi.evaluation.attribution.self_citation import self_citation
from haozhi.evaluation.made import MadeCase
from haozhi.evaluation.made.paying import pay, rules_by
from haozhi.evaluation.made.posing import Parts, Posed, case_of, pose
from haozhi.evaluation.made.scoring import Paid
from haozhi.judge import usual_similarity

#: What is paid for a case: the answer is given, the question is whose it is.
Runner = Callable[[Parts, MadeCase], Paid]


def ours(rule: str, parts: Parts, made: MadeCase) -> Paid:
    """What haozhi posts under a rule."""
    return pay(parts, made, rules_by(rule))


def retrieval_only(parts: Parts, made: MadeCase) -> Paid:
    """In proportion to how much nearer to the question than usual a statement is."""
    with spending() as spent:
        posed = pose(parts, made)
        usual = usual_similarity(made.language, made.language)
        weights = [each.similarity - usual for each in posed.found]
    return Paid(_in_proportion(posed, weights), 0, spent.cpu_s)


def context_cite(ablations: int, parts: Parts, made: MadeCase) -> Paid:
    """In proportion to ContextCite's positive weights; its cost is calls x the mean call."""
    posed = pose(parts, made)
    found = run_context_cite(parts.generator, case_of(parts, posed).scored, (ablations,))[ablations]
    return Paid(_in_proportion(posed, found.weights), found.calls, found.cost.cpu_s)


def self_cited(parts: Parts, made: MadeCase) -> Paid:
    """In proportion to the odds that the model itself writes `[n]` behind the answer."""
    with spending() as spent:
        posed = pose(parts, made)
        texts = [each.saying.text for each in posed.found]
        weights = self_citation(parts.generator, made.language, made.question, texts, made.answer)
    return Paid(_in_proportion(posed, weights), len(texts), spent.cpu_s)


def _in_proportion(posed: Posed, weights: Sequence[float]) -> Mapping[str, float]:
    """Parts by author of the positive weights, nothing when no weight is positive."""
    total = sum(max(0.0, weight) for weight in weights)
    parts: dict[str, float] = {}
    for author, weight in zip(posed.authors, weights, strict=True):
        if weight > 0:
            parts[author] = parts.get(author, 0.0) + weight / total
    return parts


RUNNERS: Mapping[str, Runner] = {
    "ours": partial(ours, "used-and-supported/2"),
    "ours/1": partial(ours, "used-and-supported/1"),
    "supported-only": partial(ours, "supported-only/1"),
    "used-only": partial(ours, "used-only/1"),
    "retrieval": retrieval_only,
    "self-citation": self_cited,
    "contextcite-32": partial(context_cite, 32),
}
