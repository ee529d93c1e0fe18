"""Whose account pays; the settings hold one per currency."""

from pydantic import BaseModel, ConfigDict


class Sender(BaseModel):
    """The table `[payout.CURRENCY]` of haozhi.toml; the account is checked when a file is built."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    account: str
    """An IBAN for EUR, else the bank's number."""
    bic: str | None = None
