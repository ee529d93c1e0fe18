"""Bars in a terminal: block characters where they can be printed, `#` where they cannot."""

from rich.cells import cell_len, set_cell_size

from haozhi.accounting.split import WHOLE_PPB

#: Terminal cells of a bar that is the whole.
CELLS = 24
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(share_ppb: int, *, solid: bool = True, blocks: bool = True) -> str:
    """A bar of CELLS cells for 0..10^9; anything above 0 shows. Not solid: what nobody is owed."""
    if solid and blocks:
        eighths = max(round(share_ppb * CELLS * 8 / WHOLE_PPB), bool(share_ppb))
        full, part = divmod(eighths, 8)
        drawn = "█" * full + (_EIGHTHS[part] if part else "")
    else:
        mark = ("█" if blocks else "#") if solid else ("░" if blocks else ".")
        drawn = mark * max(round(share_ppb * CELLS / WHOLE_PPB), bool(share_ppb))
    return drawn.ljust(CELLS)


def column(texts: list[str], most: int = 28) -> list[str]:
    """The texts at one width in terminal cells (a Chinese character takes two), cut at `most`."""
    width = min(max(map(cell_len, texts), default=0), most)
    return [set_cell_size(text, width) for text in texts]


def percent(share_ppb: int) -> str:
    """A share with one decimal, `28.8 %`."""
    return f"{share_ppb / 10**7:.1f} %"
