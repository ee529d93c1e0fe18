"""What a search found as others read it: the stable JSON of the command line and of MCP."""

from typing import Any

from haozhi.search import Found, Neighbour

Json = dict[str, Any]


def search_view(found: Found) -> Json:
    """One statement with its authors, where it stands, and how it was found."""
    occurrence = found.statement.occurrences[0]
    return {
        "statement_id": found.statement.id,
        "text": found.shown.text,
        "display": found.shown.display,
        "authors": [
            {"id": a.author_id, "name": found.names.get(a.author_id), "share_ppm": a.ppm}
            for a in occurrence.authors
        ],
        "work": {"id": occurrence.work_id, "title": occurrence.work_title},
        "start": occurrence.start,
        "end": occurrence.end,
        "score": round(found.score, 6),
        "ranks": found.ranks,
        "similarity": None if found.similarity is None else round(found.similarity, 6),
        "before": [neighbour_view(each) for each in found.before],
        "after": [neighbour_view(each) for each in found.after],
    }


def neighbour_view(near: Neighbour) -> Json:
    """A statement that stands beside another one."""
    shown = near.shown
    return {"statement_id": near.statement_id, "text": shown.text, "display": shown.display}
