"""Why an answer is as it is, in words for a terminal; `why_view` is what it reads."""

from collections.abc import Iterator
from typing import Any

from haozhi.cli.answer_text import words_of
from haozhi.cli.bars import percent

Json = dict[str, Any]

_MEASURES = ("v_none", "v_all", "grounding", "residual", "order_spread")
_SPENT = ("passes", "budget", "orders", "looked_at")


def why_lines(view: Json, why: Json) -> Iterator[str]:
    """Each tier with what it measured and spent, who supports and denies, and single values."""
    words = words_of(view["language"])
    say = words["why"]
    yield view["question"]
    yield ""
    yield from view["text"].splitlines()
    for tier in why["attributions"]:
        yield ""
        yield say[tier["tier"]].format(rule=tier["rule"], method=tier["method"])
        yield from ("  " + line for line in _tier(tier, say))
    yield ""
    for tier in why["attributions"][-1:]:
        yield from _influence(tier, view, say)
        yield from _supports(tier, view, words)
        yield from _coalitions(tier, say)
    if why["moved_ppb"] is not None:
        yield words["moved"].format(part=percent(why["moved_ppb"]))


def _tier(tier: Json, say: Json) -> Iterator[str]:
    for name in (*_MEASURES, *_SPENT):
        value = tier[name]
        shown = say["unknown"] if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
        yield say["measure"].format(name=say[name], value=shown)
    if tier["calibration"]:
        yield say["calibration"].format(lds=f"{tier['calibration']['lds']:.2f}")
    elif tier["no_calibration"]:
        yield say["no_calibration"].format(reason=tier["no_calibration"])


def _influence(tier: Json, view: Json, say: Json) -> Iterator[str]:
    texts = {entry["statement_id"]: entry["text"] for entry in view["context"]}
    yield say["influence"].format(method=tier["influence_method"] or say["unknown"])
    for each in tier["influence"]:
        nats = say["unknown"] if each["nats"] is None else f"{each['nats']:+.3f}"
        yield f"  {nats:>8}  #{each['statement_id']} {texts[each['statement_id']] or ''}".rstrip()


def _supports(tier: Json, view: Json, words: Json) -> Iterator[str]:
    for k, segment in enumerate(view["segments"]):
        yield " ".join(view["text"][segment["start"] : segment["end"]].split())
        for each in (s for s in tier["supports"] if s["segment"] == k):
            ids = " + ".join(f"#{i}" for i in each["statement_ids"])
            method = words["methods"].get(each["method"], each["method"])
            said = words["why"][each["relation"]]
            strength = f"{each['strength']:.2f}"
            form: str = words["why"]["set"]
            yield "  " + form.format(said=said, ids=ids, method=method, strength=strength)


def _coalitions(tier: Json, say: Json) -> Iterator[str]:
    if tier["coalitions"] is None:
        return
    yield say["coalitions"]
    for each in tier["coalitions"]:
        ids = " + ".join(f"#{i}" for i in each["statement_ids"]) or say["none"]
        yield f"  {each['nats']:9.3f}  {ids}"
