"""`haozhi eval fairness` and `haozhi eval bias`: whether shares can be moved, and lean."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from haozhi.cli.output import JsonOption, say, show

if TYPE_CHECKING:
    from haozhi.attribution.attribute import ShareRules
    from haozhi.attribution.context import Case
    from haozhi.evaluation.fairness import Check
    from haozhi.evaluation.fairness_copies import Payer, Shares
    from haozhi.evaluation.made import MadeCase
    from haozhi.evaluation.made.posing import Parts

RuleOption = Annotated[str, typer.Option(help="The rule for money that is looked at.")]
EachOption = Annotated[int, typer.Option(min=1, help="Cases of each kind and language.")]
_RULE = "used-and-supported/2"


def fairness(
    each: EachOption = 1,
    language: Annotated[
        Literal["zh", "en"] | None, typer.Option(help="Only this one; default: both.")
    ] = None,
    rule: RuleOption = _RULE,
    as_json: JsonOption = False,
) -> None:
    """Try to move shares: copies, requests to be cited, split authors; exit 1 if one moves."""
    from haozhi.evaluation.fairness import base_cases, checks
    from haozhi.evaluation.made.paying import rules_by
    from haozhi.evaluation.made.posing import load_parts
    from haozhi.settings import load_settings

    settings, chosen = load_settings(), rules_by(rule)
    cases = base_cases(each, (language,) if language else ("zh", "en"))
    found: list[Check] = []
    for check in checks(_payer(load_parts(settings), chosen), cases):
        found.append(check)
        say(_row(check))
    result = {
        "rule": rule,
        "generator": settings.generator,
        "cases": len(cases),
        "holds": all(check.holds for check in found),
        "checks": [_check(check) for check in found],
    }
    show(result, _table(found), as_json=as_json)
    if not result["holds"]:
        raise typer.Exit(1)


def bias(
    each: EachOption = 6,
    half: Annotated[
        Literal["development", "held_out"], typer.Option(help="Which words the cases are made of.")
    ] = "held_out",
    rule: RuleOption = _RULE,
    as_json: JsonOption = False,
) -> None:
    """Compare paid with owed by position, language, length, name and size of the author."""
    from haozhi.evaluation.bias import apart, bias_figures, rows_of
    from haozhi.evaluation.made import make_cases
    from haozhi.evaluation.made.paying import rules_by
    from haozhi.evaluation.made.posing import load_parts
    from haozhi.settings import load_settings

    settings, chosen = load_settings(), rules_by(rule)
    parts = load_parts(settings)
    cases = make_cases(half, each=each)
    rows = []
    for number, made in enumerate(cases, start=1):
        rows += rows_of(parts, made, chosen)
        say(f"{number}/{len(cases)} {made.question}")
    found = bias_figures(rows)
    dimensions = {
        name: {
            "apart": apart(groups),
            "groups": {group: {"n": n} | vars(figure) for group, (n, figure) in groups.items()},
        }
        for name, groups in found.items()
    }
    result = {"rule": rule, "half": half, "generator": settings.generator, "rows": len(rows)}
    show(result | {"dimensions": dimensions}, _bias_table(dimensions), as_json=as_json)


def _payer(parts: "Parts", rules: "ShareRules") -> "Payer":
    """Pays each case once: merged copies change nothing that attribution sees."""
    from haozhi.attribution.final import final_shares
    from haozhi.evaluation.made.paying import by_author
    from haozhi.evaluation.made.posing import case_of, pose

    known: dict[Case, Shares] = {}

    def pays(made: "MadeCase", order: int) -> "Shares":
        case = case_of(parts, pose(parts, made, order))
        if case not in known:
            known[case] = by_author(final_shares(parts.generator, case, rules, made.id)[0])
        return known[case]

    return pays


def _check(check: "Check") -> dict[str, Any]:
    return {
        "name": check.name,
        "tries": len(check.changes),
        "most_points": check.most,
        "worst_points": check.worst.points,
        "worst_case": check.worst.case,
        "holds": check.holds,
    }


def _table(found: Sequence["Check"]) -> Iterator[str]:
    yield f"{'points of the answer':52}{'tries':>6}{'worst':>8}{'bound':>8}"
    yield from map(_row, found)


def _row(check: "Check") -> str:
    mark = "" if check.holds else f"  BROKEN in {check.worst.case}"
    cells = f"{len(check.changes):6}{check.worst.points:8.2f}{check.most:8.2f}"
    return f"{check.name:52}{cells}{mark}"


def _bias_table(dimensions: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Paid / owed with its 95 % bootstrap interval, a row per group."""
    yield f"{'paid / owed':16}{'group':18}{'n':>5}  mean (95 % interval)"
    for name, each in dimensions.items():
        for group, f in each["groups"].items():
            interval = f"{f['mean']:.3f} ({f['low']:.3f}..{f['high']:.3f})"
            yield f"{name:16}{group:18}{f['n']:5}  {interval}"
        if each["apart"]:
            yield f"{name:16}the intervals of two groups do not meet"
