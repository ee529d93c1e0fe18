"""The payment file of an order in one of three formats, checked by reading it back."""

from pathlib import Path

from haozhi.payouts.csv_file import build_csv, csv_amounts
from haozhi.payouts.layout import Layout
from haozhi.payouts.orders import Order
from haozhi.payouts.pain001 import build_pain001, pain001_amounts
from store.errors import BadInput, StoreReadOnly, UsageError
from store.payouts.records import FORMATS


def build_file(order: Order, format_name: str, layout: Layout | None) -> bytes:
    """The bytes of the file; `layout` describes the table of a csv or xlsx.

    Its amounts, read back, are asserted to be those of the order. BadInput: the layout is missing
    or lacks a character. UsageError: no such format.
    """
    if format_name == "pain001":
        content = build_pain001(order)
        written = pain001_amounts(content)
    elif format_name not in FORMATS:
        raise UsageError(f"a payment file is {', '.join(FORMATS)}, not {format_name!r}")
    elif layout is None:
        raise BadInput(f"a {format_name} file needs a layout: --layout FILE.toml")
    elif format_name == "csv":
        content = build_csv(order, layout)
        written = csv_amounts(content, layout)
    else:
        from haozhi.payouts.xlsx_file import build_xlsx, xlsx_amounts

        content = build_xlsx(order, layout)
        written = xlsx_amounts(content, layout)
    asked = [payment.amount_minor for payment in order.payments]
    assert written == asked, f"the file of {order.batch_id} pays {written}, not {asked}"
    return content


def save_file(path: Path, content: bytes) -> None:
    """Write a file, which only its owner may read, whole or not at all.

    StoreReadOnly: it cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        part.touch(mode=0o600)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreReadOnly(f"{path} cannot be written: {error.strerror}") from error
