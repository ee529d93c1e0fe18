"""An answer in words for a terminal, in the language of the answer; answer_view is what it reads.

Every citation is a number that stands for one statement, from 1 in the order of first mention.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from haozhi.accounting.split import WHOLE_PPB
from haozhi.attribution.moved import NOTABLE_PPB
from haozhi.cli.bars import bar, column, percent
from haozhi.cli.output import printable
from haozhi.credits import credits_text
from haozhi.language import as_language

Json = dict[str, Any]

#: Below this part of the information from the statements, the model also knew the answer.
LOW_GROUNDING = 0.2
LEAST_SHOWN_PPB = 10**6


def answer_lines(view: Json) -> Iterator[str]:
    """The lines of a stored answer, as `answer_view` gives it."""
    words = words_of(view["language"])
    yield view["question"]
    yield ""
    yield from view["text"].splitlines()
    if view["over_budget"]:
        yield words["left_out"].format(count=len(view["over_budget"]))
    if view["state"] == "refused":
        yield from filter(None, [words["refusals"].get(view["refusal"])])
        yield _booked(view, words)
        return
    yield words["label"].format(model=view["model"])
    numbers = _numbers(view)
    for title, lines in (
        ("parts", _parts(view, numbers, words)),
        ("sources", _sources(view, numbers, words)),
        ("shares", _shares(view, words)),
    ):
        yield ""
        yield words[title]
        yield from ("  " + line for line in lines)
    yield ""
    if view["grounding"] is not None and view["grounding"] < LOW_GROUNDING:
        yield words["low_grounding"]
    if (view["moved_ppb"] or 0) > NOTABLE_PPB:
        yield words["moved"].format(part=percent(view["moved_ppb"]))
    yield _booked(view, words)


@cache
def words_of(language: str) -> Json:
    """The words around an answer in this language."""
    text = files(__package__).joinpath("answer_words.toml").read_text("utf-8")
    words: Json = tomllib.loads(text)[as_language(language)]
    return words


def _numbers(view: Json) -> dict[int, int]:
    """A number from 1 for every statement that is cited, supports or denies."""
    named: dict[int, None] = {}
    for segment in view["segments"]:
        named |= dict.fromkeys(c["statement_id"] for c in segment["citations"])
        named |= dict.fromkeys(i for s in segment["supports"] for i in s["set"])
        named |= dict.fromkeys(segment["contradicts"])
    return {statement: number for number, statement in enumerate(named, start=1)}


def _parts(view: Json, numbers: dict[int, int], words: Json) -> Iterator[str]:
    """Each segment with its citations, and beneath it what it rests on or why on nothing."""
    others = {entry["statement_id"]: entry for entry in view["also"]}
    for segment in view["segments"]:
        text = " ".join(view["text"][segment["start"] : segment["end"]].split())
        yield f"{text} {_cited(segment, numbers)}".rstrip()
        yield "    " + _grounds(view, segment, numbers, words)
        if segment["also"]:
            said = (_whose(others[i], words) for i in segment["also"])
            yield "    " + words["also_part"].format(sources=words["list"].join(said))


def _cited(segment: Json, numbers: dict[int, int]) -> str:
    """The numbers of who is credited; where the sources disagree, of both sides."""
    ids = [c["statement_id"] for c in segment["citations"]]
    if segment["state"] == "disagree":
        ids += [*(i for s in segment["supports"] for i in s["set"]), *segment["contradicts"]]
    return "".join(f"[{numbers[i]}]" for i in dict.fromkeys(ids))


def _grounds(view: Json, segment: Json, numbers: dict[int, int], words: Json) -> str:
    if segment["state"] == "disagree":
        denies = _joined([[i] for i in segment["contradicts"]], numbers, words)
        says = _joined([s["set"] for s in segment["supports"]], numbers, words)
        form = "disagree_part" if says else "denied_part"
        return str(words[form].format(says=says, denies=denies))
    if not segment["supports"]:
        return str(words["unsupported_part"])
    sets: dict[str, list[list[int]]] = {}
    for support in segment["supports"]:
        sets.setdefault(support["method"], []).append(support["set"])
    rests = [
        words["rests_on"].format(
            sets=_joined(found, numbers, words), method=words["methods"].get(method, method)
        )
        for method, found in sets.items()
    ]
    return str(words["clause"].join([*rests, words["list"].join(_paid(view, segment, words))]))


def _joined(sets: list[list[int]], numbers: dict[int, int], words: Json) -> str:
    """`[1] + [2] or [3]`: what is joined is needed together."""
    return str(words["or"].join(" + ".join(f"[{numbers[i]}]" for i in each) for each in sets))


def _paid(view: Json, segment: Json, words: Json) -> Iterator[str]:
    """How much of the whole answer the segment credits, and what is missing from its weight."""
    strength = max(s["strength"] for s in segment["supports"])
    cited = sum(c["share_ppb"] for c in segment["citations"])
    known = round(segment["weight"] * strength * WHOLE_PPB) - cited
    unbacked = round(segment["weight"] * (1 - strength) * WHOLE_PPB)
    yield words["cited"].format(part=percent(cited))
    for cause, part in (("already_known", known), ("unsupported", unbacked)):
        if min(part, view["unattributed"][cause]) >= LEAST_SHOWN_PPB:
            yield words[cause].format(part=percent(part))


def _sources(view: Json, numbers: dict[int, int], words: Json) -> Iterator[str]:
    context = {entry["statement_id"]: entry for entry in view["context"]}
    for statement, number in numbers.items():
        entry = context[statement]
        yield f"[{number}] {_whose(entry, words)}"
        text = words["displays"][entry["display"]].format(text=entry["text"])
        yield from (f"    {line}" for line in text.splitlines())


def _whose(entry: Json, words: Json) -> str:
    names = words["list"].join(a["name"] or a["id"] for a in entry["authors"])
    work = f" · {entry['work']['title']}" if entry["work"] else ""
    return f"{names or words['unknown_author']}{work}"


def _shares(view: Json, words: Json) -> Iterator[str]:
    """A bar per author, then one per cause of what nobody is credited for."""
    blocks = printable("█▌░–·")
    causes = {cause: ppb for cause, ppb in view["unattributed"].items() if ppb}
    names = [row["name"] or row["author_id"] or words["unknown_author"] for row in view["shares"]]
    labels = column([*names, *[words["unattributed"]] * len(causes)])
    for label, row in zip(labels, view["shares"], strict=False):
        drawn = bar(row["share_ppb"], blocks=blocks)
        notes = "  ".join(_notes(row, words, "–" if blocks else "-"))
        yield f"{label}  {drawn} {percent(row['share_ppb']):>7}  {notes}".rstrip()
    for label, (cause, ppb) in zip(labels[len(names) :], causes.items(), strict=True):
        drawn = bar(ppb, solid=False, blocks=blocks)
        yield f"{label}  {drawn} {percent(ppb):>7}  {words['causes'][cause]}"


def _notes(row: Json, words: Json, dash: str) -> Iterator[str]:
    """The interval of a share where it is one, and how the author stands to a claim."""
    low, high = (f"{row[end] / 10**7:.1f}" for end in ("low_ppb", "high_ppb"))
    if low != high:
        yield f"{low}{dash}{high}"
    if row["relation"]:
        yield words["relations"][row["relation"]]


def _booked(view: Json, words: Json) -> str:
    """The answer's id, its fee and what was posted, in one line; authors' accounts together."""
    if view["tier"] == "provisional":
        fee = words["provisional"]
    elif not view["postings"]:
        fee = words["no_fee"]
    else:
        parts = words["list"].join(_posted(view["postings"], words))
        fee = words["fee"].format(fee=credits_text(view["fee_micro"]), parts=parts)
    return str(words["answer"].format(id=view["id"], fee=fee))


def _posted(postings: list[Json], words: Json) -> Iterator[str]:
    """Where the fee is now, after disputes and refunds: the parts sum to it."""
    sums: Counter[str] = Counter()
    paid_by = postings[0]["from"]
    for posting in postings:
        sums[_kept_as(posting["account"])] += posting["amount_micro"]
        if posting["from"] != paid_by:
            sums[_kept_as(posting["from"])] -= posting["amount_micro"]
    for account, amount in sums.items():
        if amount:
            form = words["accounts"].get(account, f"{{amount}} {account}")
            yield form.format(amount=credits_text(amount))


def _kept_as(account: str) -> str:
    """What an account counts as; what an author owes back the author has too much."""
    kind, _, name = account.partition(":")
    return {"holder": "holder", "owed": "holder", "asker": "asker"}.get(kind, name)
