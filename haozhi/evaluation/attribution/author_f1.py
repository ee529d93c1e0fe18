"""Whom an answer names, held against whom people marked as relevant: author precision, recall, F1.

The answer is forced: the right one where it is known, else the model's own. Passages are not cut.
An author is named with a tenth of the answer or more. Each method gives a passage a part, 0..1:

    a rule for money    its final shares, as the product computes them
    retrieval           cosine above the usual one of unrelated texts, normalised
    self-citation       the probability that the model writes the passage's number
    contextcite-32      positive weights, normalised; 32 runs of a long prompt, so only if asked for
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from haozhi.accounting.split import WHOLE_PPB
from haozhi.answering.candidates import free_answer
from haozhi.attribution.context import Case
from haozhi.attribution.final import final_shares
from haozhi.attribution.rules import RULES
from haozhi.attribution.usage import games_of
from haozhi.evaluation.attribution.contextcite import run_context_cite
from haozhi.evaluation.attribution.figures import (
    Figure,
    figure,
    named_by,
    precision_recall_f1,
    shares_of,
)
from haozhi.evaluation.attribution.marked import Marked
from haozhi.evaluation.attribution.posing import ANSWER_TOKENS, spending
from haozhi.evaluation.attribution.rows import Row, Rows
from haozhi.evaluation.attribution.self_citation import self_citation
from haozhi.evaluation.made.paying import rules_by
from haozhi.evaluation.made.posing import Parts, Posed, case_of, pose
from haozhi.judge import usual_similarity
from haozhi.models.generation import Sampling

VERSION = 1
SCORES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class _Forced:
    """A marked question with its answer, put to the models as far as a method needs them."""

    parts: Parts
    marked: Marked

    @cached_property
    def posed(self) -> Posed:
        """The prompt; a question without a right answer gets the model's own."""
        posed = pose(self.parts, self.marked.case)
        return posed if posed.made.answer else _answered(self.parts, posed)

    @cached_property
    def case(self) -> Case:
        return case_of(self.parts, self.posed)

    @property
    def key(self) -> str:
        """Names the question with all that its shares depend on, what backs the answer too."""
        return hashlib.sha256(repr(self.case).encode()).hexdigest()[:16]

    def placed(self, values: Iterable[float]) -> tuple[float, ...]:
        """Values in the order of the context, by the passages' numbers; 0 for merged copies."""
        found = dict.fromkeys(range(len(self.marked.case.sayings)), 0.0)
        found |= dict(zip(self.case.statement_ids, map(float, values), strict=True))
        return tuple(found.values())


def _answered(parts: Parts, posed: Posed) -> Posed:
    said = free_answer(
        parts.generator,
        posed.prompt,
        posed.template,
        max_new_tokens=ANSWER_TOKENS,
        sampling=Sampling(),
        cancelled=lambda: False,
    )
    text = next((parts.generator.decode(candidate.ids).strip() for candidate in said), "")
    return replace(posed, made=replace(posed.made, answer=text))


Method = Callable[[_Forced], tuple[float, ...]]


def _by_rule(name: str, forced: _Forced) -> tuple[float, ...]:
    """What the product would pay by this rule; nothing, at no cost, where nobody can be paid."""
    case, rules = forced.case, rules_by(name)
    if not any(games_of(case, rules.rule)):
        return forced.placed([0.0] * len(case.statement_ids))
    shares, _ = final_shares(forced.parts.generator, case, rules, forced.marked.case.id)
    parts = shares.by_statement
    return forced.placed([parts.get(i, 0) / WHOLE_PPB for i in case.statement_ids])


def _retrieval(forced: _Forced) -> tuple[float, ...]:
    usual = usual_similarity("en", "en")
    return forced.placed(shares_of([each.similarity - usual for each in forced.posed.found]))


def _self_citation(forced: _Forced) -> tuple[float, ...]:
    made = forced.posed.made
    texts = [each.saying.text for each in forced.posed.found]
    generator = forced.parts.generator
    return forced.placed(self_citation(generator, made.language, made.question, texts, made.answer))


def _contextcite(forced: _Forced) -> tuple[float, ...]:
    cited = run_context_cite(forced.parts.generator, forced.case.scored, (32,))[32]
    return forced.placed(shares_of(cited.weights))


METHODS: Mapping[str, Method] = {
    "retrieval": _retrieval,
    **{name: partial(_by_rule, name) for name in RULES},
    "self-citation": _self_citation,
    "contextcite-32": _contextcite,
}
DEAR = frozenset({"contextcite-32"})


def measure_authors(
    parts: Parts,
    marked: Sequence[Marked],
    rows: Rows,
    methods: Sequence[str],
    say: Callable[[str], None],
) -> dict[str, dict[str, Row]]:
    """Method -> question -> its row; those that are kept already are not measured again.

    A row's `influence` are the passages' parts of the answer.
    """
    found: dict[str, dict[str, Row]] = {name: {} for name in methods}
    for number, each in enumerate(marked, start=1):
        forced = _Forced(parts, each)
        if not forced.posed.made.answer:
            say(f"{number}/{len(marked)} {each.case.id} is left out: the model says nothing")
            continue
        for name in methods:
            key = (forced.key, f"authors {name}", parts.generator.fingerprint, VERSION)
            row = rows.find(key)
            if row is None:
                row = _measured(forced, name, key)
                rows.add(row)
                say(f"{number}/{len(marked)} {each.case.id} {name}: {row.cpu_s:.1f} s")
            found[name][each.case.id] = row
    return found


def _measured(forced: _Forced, name: str, key: tuple[str, str, str, int]) -> Row:
    with spending() as spent:
        found = METHODS[name](forced)
    detail = {"question": forced.marked.case.id, "answer": forced.posed.made.answer}
    unmeasured = float("nan")  # what the answer took: a forced one took nothing
    return Row(*key, found, spent.cpu_s, spent.wall_s, unmeasured, unmeasured, detail=detail)


def author_figures(
    marked: Sequence[Marked], rows: Mapping[str, Mapping[str, Row]]
) -> dict[str, dict[str, dict[str, Figure]]]:
    """Method -> data set, or `all` -> precision, recall and F1, over the questions measured."""
    figures: dict[str, dict[str, dict[str, Figure]]] = {}
    for method, measured in rows.items():
        scores: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for each in marked:
            if (row := measured.get(each.case.id)) is not None:
                named = named_by(np.asarray(row.influence))
                found = precision_recall_f1(named, each.relevant)
                scores[each.dataset].append(found)
                scores["all"].append(found)
        figures[method] = {
            dataset: {
                name: figure(column)
                for name, column in zip(SCORES, zip(*each, strict=True), strict=True)
            }
            for dataset, each in scores.items()
        }
    return figures
