"""Credits as texts."""


def credits_text(amount_micro: int) -> str:
    """Micro-credits as credits with all six decimals, e.g. -250000 as "-0.250000"."""
    whole, part = divmod(abs(amount_micro), 1_000_000)
    return f"{'-' if amount_micro < 0 else ''}{whole}.{part:06d}"


def short_credits(amount_micro: int) -> str:
    """The same number without closing zeros: 1500000 as "1.5", 0 as "0"."""
    return credits_text(amount_micro).rstrip("0").rstrip(".")
