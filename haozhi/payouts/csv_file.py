"""A bank's table as CSV."""

import csv
import io
from decimal import Decimal

from haozhi.payouts.layout import Layout, build_rows
from haozhi.payouts.orders import Order
from haozhi.spreadsheets import no_formula
from store.errors import BadInput


def build_csv(order: Order, layout: Layout) -> bytes:
    """The file of an order, rows ended by CR LF.

    A text that a spreadsheet would run as a formula gets an apostrophe in front. BadInput: the
    layout's encoding lacks a character.
    """
    target = io.StringIO()
    writer = csv.writer(target, delimiter=layout.delimiter, lineterminator="\r\n")
    if layout.header:
        writer.writerow(map(no_formula, layout.titles))
    for row in build_rows(order, layout):
        cells = list(map(no_formula, row))
        cells[layout.amount_column] = row[layout.amount_column].replace(".", layout.decimal)
        writer.writerow(cells)
    try:
        return target.getvalue().encode(layout.encoding)
    except UnicodeEncodeError as error:
        lacking = error.object[error.start]
        raise BadInput(
            f"layout {layout.name}: {layout.encoding} has no {lacking!r}, use gb18030 or utf-8-sig"
        ) from error


def csv_amounts(content: bytes, layout: Layout) -> list[int]:
    """The amounts of a file in minor units, in order, read back from its bytes."""
    text = io.StringIO(content.decode(layout.encoding), newline="")
    rows = list(csv.reader(text, delimiter=layout.delimiter))
    amounts = [row[layout.amount_column] for row in rows[layout.header :]]
    return [int(Decimal(amount.replace(layout.decimal, ".")) * 100) for amount in amounts]
