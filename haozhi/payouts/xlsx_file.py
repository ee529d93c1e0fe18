"""A bank's table as XLSX; the one home of openpyxl."""

import io
from decimal import Decimal

from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell, WriteOnlyCell

from haozhi.payouts.layout import Layout, build_rows
from haozhi.payouts.orders import Order


def build_xlsx(order: Order, layout: Layout) -> bytes:
    """The file of an order: amounts are numbers with two decimals, everything else is text.

    A text cell is never a formula, and a spreadsheet keeps it as text when it is edited. The bytes
    carry the time of writing, so they are stored and not built again.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(layout.sheet)

    def text_cell(text: str) -> Cell:
        cell = WriteOnlyCell(sheet, value=text)
        cell.data_type = "s"  # openpyxl would take =… for a formula
        cell.number_format = "@"
        cell.quotePrefix = True
        return cell

    if layout.header:
        sheet.append([text_cell(title) for title in layout.titles])
    for row in build_rows(order, layout):
        cells = [text_cell(text) for text in row]
        amount = WriteOnlyCell(sheet, value=float(row[layout.amount_column]))
        amount.number_format = "0.00"
        cells[layout.amount_column] = amount
        sheet.append(cells)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def xlsx_amounts(content: bytes, layout: Layout) -> list[int]:
    """The amounts of a file in minor units, in order, read back from its bytes."""
    sheet = load_workbook(io.BytesIO(content), read_only=True)[layout.sheet]
    rows = list(sheet.iter_rows(values_only=True))[layout.header :]
    # The float nearest to two decimals has them as its shortest text.
    return [int(Decimal(str(row[layout.amount_column])) * 100) for row in rows]
