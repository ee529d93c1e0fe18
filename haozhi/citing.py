"""An answer's sources as references: CSL-JSON, BibTeX and GB/T 7714, the answer itself first."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from haozhi.answer_view import answer_view
from haozhi.language import Language, detect
from haozhi.source_view import source_view
from haozhi.times import utc_text
from store.answers import get_answer
from store.engine import Session

Json = dict[str, Any]
Format = Literal["csl", "bibtex", "gbt7714"]
FORMATS: tuple[Format, ...] = get_args(Format)

#: Every export says it of the answer: zh by law, en by fairness.
AI_GENERATED: dict[Language, str] = {"zh": "人工智能生成", "en": "AI-generated"}

_UNKNOWN: dict[Language, str] = {"zh": "佚名", "en": "Anon"}
_AND_OTHERS: dict[Language, str] = {"zh": "等", "en": "et al."}
_MOST_NAMED = 3

# BibTeX reads these as commands wherever they stand.
_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@dataclass(frozen=True)
class Reference:
    """A work that an answer cites, or the answer.

    `date` is YYYY, YYYY-MM or YYYY-MM-DD; "" and () are unknown. `note` is what else to say.
    """

    key: str
    language: Language
    authors: tuple[str, ...]
    title: str
    date: str
    url: str
    note: str


def citations_text(session: Session, answer_id: str, how: Format, site: str = "") -> str:
    """A stored answer and its cited works as references, as one text. NotFound: no such answer.

    `site` is the address under which its page stands, "" where there is none.
    """
    answer = answer_view(session, answer_id)
    created_ms = get_answer(session, answer_id).created_us // 1000
    return cite(references(answer, source_view(session, answer_id), created_ms, site), how)


def references(
    answer: Json, places: Mapping[int, Json], created_ms: int, site: str
) -> list[Reference]:
    """The answer, then its cited works in the order of first mention.

    `places` is the answer's `source_view`; `site` as in `citations_text`.
    """
    entries = {entry["statement_id"]: entry for entry in answer["context"]}
    by_work: dict[str, dict[int, Json]] = {}
    for segment in answer["segments"]:
        for citation in segment["citations"]:
            entry = entries[citation["statement_id"]]
            if entry["work"]:
                by_work.setdefault(entry["work"]["id"], {})[citation["statement_id"]] = entry
    works = (_work(list(cited.values()), places) for cited in by_work.values())
    return [_answer(answer, created_ms, site), *works]


def _answer(answer: Json, created_ms: int, site: str) -> Reference:
    language: Language = answer["language"]
    return Reference(
        key=answer["id"],
        language=language,
        authors=(f"haozhi ({answer['model']})",),
        title=answer["question"],
        date=utc_text(created_ms * 1000)[:10],
        url=f"{site}/answers/{answer['id']}" if site else "",
        note=AI_GENERATED[language],
    )


def _work(cited: Sequence[Json], places: Mapping[int, Json]) -> Reference:
    """A work with the authors of its cited statements."""
    names = [author["name"] for entry in cited for author in entry["authors"] if author["name"]]
    work, place = cited[0]["work"], places[cited[0]["statement_id"]]
    return Reference(
        key=work["id"],
        language=detect(work["title"]) or "en",
        authors=tuple(dict.fromkeys(names)),
        title=work["title"],
        date=place["published_on"] or "",
        url="",
        note=place["licence"] or "",
    )


def cite(found: list[Reference], how: Format) -> str:
    """The references as one text that ends with a newline."""
    return _WRITERS[how](found)


def _csl(found: list[Reference]) -> str:
    return json.dumps([_csl_item(each) for each in found], ensure_ascii=False, indent=1) + "\n"


def _csl_item(each: Reference) -> Json:
    """A CSL-JSON item; names are literal, since nobody told us which part is the family's."""
    parts = [int(part) for part in each.date.split("-")] if each.date else []
    item = {
        "id": each.key,
        "type": "webpage" if each.url else "document",
        "title": each.title,
        "author": [{"literal": name} for name in each.authors],
        "issued": {"date-parts": [parts]} if parts else None,
        "URL": each.url,
        "note": each.note,
        "language": each.language,
    }
    return {name: value for name, value in item.items() if value}


def _bibtex(found: list[Reference]) -> str:
    return "\n".join(_bibtex_item(each) for each in found)


def _bibtex_item(each: Reference) -> str:
    """Inner braces keep a name whole and a title's capitals as they are."""
    year, _, rest = each.date.partition("-")
    fields = {
        "author": " and ".join(f"{{{_tex(name)}}}" for name in each.authors),
        "title": f"{{{_tex(each.title)}}}",
        "year": year,
        "month": rest[:2].lstrip("0"),
        "url": each.url,
        "note": _tex(each.note),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{each.key},", *lines, "}", ""])


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _gbt7714(found: list[Reference]) -> str:
    """GB/T 7714-2015, numbered in the order given."""
    return "".join(f"[{number}] {_gbt_item(each)}\n" for number, each in enumerate(found, 1))


def _gbt_item(each: Reference) -> str:
    """At most three authors are named; where none is known the standard wants that said."""
    names = [*each.authors[:_MOST_NAMED]] or [_UNKNOWN[each.language]]
    if len(each.authors) > _MOST_NAMED:
        names.append(_AND_OTHERS[each.language])
    kind = "[EB/OL]" if each.url else "[Z]"
    date = f"({each.date})" if each.date and each.url else each.date
    parts = [", ".join(names), each.title + kind, date, each.url, each.note]
    return _one_line(". ".join(part for part in parts if part)) + "."


_WRITERS: Mapping[Format, Callable[[list[Reference]], str]] = {
    "csl": _csl,
    "bibtex": _bibtex,
    "gbt7714": _gbt7714,
}
