"""Who is paid for a statement: the lines of its authors and of the holders with a grant."""

from collections.abc import Iterator, Mapping, Sequence

from haozhi.accounting.policy import PPM
from haozhi.accounting.split import split
from store.records.ledger import Transfer
from store.records.making import changed
from store.records.rights import Entitlement, Holdings

UNCLAIMED = "reserve:unclaimed"
DISPUTED = "reserve:disputed"
#: Why a line is somebody's own money, before policy acts on it.
EARNED = ("share", "grant")


def entitled_lines(blank: Transfer, holdings: Holdings) -> dict[Transfer, int]:
    """Who is paid for a line that names statement and author, in ppm that sum to 1,000,000.

    ValueError: grants of more than the whole, or an author without a holder.
    """
    if blank.statement_id in holdings.disputed:
        return {changed(blank, credit=DISPUTED, reason="disputed"): PPM}
    return _lines(blank, holdings.grants.get(blank.statement_id or 0, ()), holdings)


def verified_lines(
    blank: Transfer, verified: Sequence[Entitlement], holdings: Holdings
) -> dict[Transfer, int]:
    """Who is paid for a statement when each of these has an equal part of it, by weight."""
    weights: dict[Transfer, int] = {}
    for each in verified:
        authors: list[tuple[str | None, int]] = [(a.author_id, a.ppm) for a in each.authors]
        for author_id, author_ppm in authors or [(None, PPM)]:
            lines = _lines(changed(blank, author_id=author_id), each.grants, holdings)
            for line, ppm in lines.items():
                weights[line] = weights.get(line, 0) + author_ppm * ppm
    return dict(sorted(weights.items(), key=lambda item: key_of(item[0])))


def divide(line: Transfer, parts: Mapping[Transfer, int]) -> Iterator[Transfer]:
    """The amount and the share of a line over other lines by weight, both to the last unit."""
    if len(parts) == 1:  # nearly always, and a check of the books derives every line again
        (only,) = parts
        whole = (line.amount_micro, line.share_ppb or 0)
        is_whole = (only.amount_micro, only.share_ppb) == whole
        yield only if is_whole else changed(only, amount_micro=whole[0], share_ppb=whole[1])
        return
    weights = [(key_of(part), weight) for part, weight in parts.items()]
    salt = line.answer_id or ""
    amounts = split(line.amount_micro, weights, salt)
    shares = split(line.share_ppb or 0, weights, salt)
    for part, (key, _) in zip(parts, weights, strict=True):
        yield changed(part, amount_micro=amounts[key], share_ppb=shares[key])


def key_of(line: Transfer) -> str:
    """What a line is called in a split; the same line has the same key for ever."""
    return f"{line.statement_id or ''}|{line.author_id or ''}|{line.credit}|{line.reason}"


def _lines(
    blank: Transfer, grants: Sequence[tuple[str, int]], holdings: Holdings
) -> dict[Transfer, int]:
    rest = PPM - sum(ppm for _, ppm in grants)
    if rest < 0:
        raise ValueError(f"the grants for statement {blank.statement_id} exceed the whole")
    lines = {
        changed(blank, credit=f"holder:{holder}", reason="grant"): ppm
        for holder, ppm in sorted(grants)
    }
    if rest:
        lines[_own_line(blank, holdings)] = rest
    return lines


def _own_line(blank: Transfer, holdings: Holdings) -> Transfer:
    """The line of what no grant takes: the author's own, or nobody's yet."""
    if blank.author_id is None:
        return changed(blank, credit=UNCLAIMED, reason="unclaimed")
    if blank.author_id not in holdings.holders:
        raise ValueError(f"author {blank.author_id} has no rights holder")
    return changed(blank, credit=f"holder:{holdings.holders[blank.author_id]}", reason="share")
