"""A bank's own table of payments, described by a TOML file: columns, order, constants, decimals."""

import codecs
import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from haozhi.payouts.amounts import money_text
from haozhi.payouts.orders import Order
from store.errors import BadInput

Value = Literal[
    "number",
    "reference",
    "name",
    "account",
    "bic",
    "bank_name",
    "country",
    "currency",
    "amount",
    "date",
    "batch",
    "sender_name",
    "sender_account",
]


def _encoding(name: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        raise ValueError(f"no encoding is called {name!r}") from None


class LayoutColumn(BaseModel):
    """A column: a field of the payment, or the same text in every row."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    field: Value | None = None
    constant: str | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "LayoutColumn":
        if (self.field is None) == (self.constant is None):
            raise ValueError(f"column {self.title!r} needs either `field` or `constant`")
        return self


class Layout(BaseModel):
    """A table with exactly one column of amounts; files are read back by it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    columns: tuple[LayoutColumn, ...] = Field(min_length=1, max_length=100)
    header: bool = True
    decimal: Literal[".", ","] = "."
    """In a CSV; in an XLSX an amount is a number."""
    encoding: Annotated[str, AfterValidator(_encoding)] = "utf-8-sig"
    delimiter: str = Field(",", min_length=1, max_length=1)
    sheet: str = Field("Payments", min_length=1, max_length=31)

    @model_validator(mode="after")
    def _one_amount(self) -> "Layout":
        if [column.field for column in self.columns].count("amount") != 1:
            raise ValueError('exactly one column must have `field = "amount"`')
        return self

    @property
    def amount_column(self) -> int:
        """The place of the amounts, from 0."""
        return [column.field for column in self.columns].index("amount")

    @property
    def titles(self) -> list[str]:
        """The header row."""
        return [column.title for column in self.columns]


def load_layout(name_or_path: str) -> Layout:
    """The layout in a TOML file, or the shipped one of this name.

    BadInput: there is none, or the first thing in it that cannot be used.
    """
    shipped = resources.files("haozhi.payouts") / "layouts" / f"{name_or_path}.toml"
    try:
        found = shipped if shipped.is_file() else Path(name_or_path)
        return Layout.model_validate(tomllib.loads(found.read_text("utf-8")))
    except OSError:
        raise BadInput(f"there is no layout {name_or_path}: give a TOML file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{name_or_path} cannot be read: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{name_or_path}: {place} {first['msg']}".replace(":  ", ": ")) from error


def build_rows(order: Order, layout: Layout) -> list[list[str]]:
    """The rows of an order as texts, amounts with a decimal point; what is unknown is ''."""
    return [
        [
            values[column.field] if column.field else column.constant or ""
            for column in layout.columns
        ]
        for values in _values(order)
    ]


def _values(order: Order) -> list[dict[Value, str]]:
    return [
        {
            "number": str(number),
            "reference": payment.reference,
            "name": payment.name,
            "account": payment.account,
            "bic": payment.bic or "",
            "bank_name": payment.bank_name or "",
            "country": payment.country,
            "currency": order.currency,
            "amount": money_text(payment.amount_minor),
            "date": order.execute_on.isoformat(),
            "batch": order.batch_id,
            "sender_name": order.sender.name,
            "sender_account": order.sender.account,
        }
        for number, payment in enumerate(order.payments, start=1)
    ]
