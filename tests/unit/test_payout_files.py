"""Payment files: what a bank reads is what the order says, and nothing in it is a formula."""

import io
from importlib import resources
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from openpyxl import load_workbook

from haozhi.payouts.csv_file import build_csv, csv_amounts
from haozhi.payouts.files import build_file
from haozhi.payouts.layout import Layout, load_layout
from haozhi.payouts.orders import execution_day
from haozhi.payouts.pain001 import NAMESPACE, build_pain001, pain001_amounts
from haozhi.payouts.xlsx_file import build_xlsx, xlsx_amounts
from store.errors import BadInput, UsageError
from tests.paying import a_layout, an_order

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"]


@pytest.fixture(scope="module")
def pain001_schema() -> xmlschema.XMLSchema:
    """The XSD of ISO 20022, as the sepaxml package ships it."""
    return xmlschema.XMLSchema(str(resources.files("sepaxml") / "schemas" / "pain.001.001.09.xsd"))


@pytest.mark.parametrize("currency", ["CNY", "EUR", "USD"])
def test_a_pain001_file_is_valid(pain001_schema: xmlschema.XMLSchema, currency: str) -> None:
    """Files of every currency keep the schema of pain.001.001.09."""
    pain001_schema.validate(io.BytesIO(build_pain001(an_order(currency))))


def test_a_sepa_file_says_what_the_order_says() -> None:
    """Sums, accounts, references and names stand where the SEPA guide wants them."""
    root = ET.fromstring(build_pain001(an_order("EUR", 1234, 500)))

    def texts(path: str) -> list[str | None]:
        steps = "/".join(f"{{{NAMESPACE}}}{step}" for step in path.split("/"))
        return [found.text for found in root.iterfind(f".//{steps}")]

    assert texts("GrpHdr/MsgId") == texts("PmtInf/PmtInfId") == ["eur-1-20231114221320"]
    assert texts("NbOfTxs") == ["2", "2"]
    assert texts("CtrlSum") == ["17.34", "17.34"]
    assert texts("SvcLvl/Cd") == ["SEPA"]
    assert texts("ReqdExctnDt/Dt") == ["2023-11-15"]
    assert texts("DbtrAcct/Id/IBAN") == ["FR7630006000011234567890189"]
    assert texts("CdtTrfTxInf/PmtId/EndToEndId") == ["eur-1-h1", "eur-1-h2"]
    assert texts("Amt/InstdAmt") == ["12.34", "5.00"]
    assert texts("Cdtr/Nm") == ["Wang Fang", "Wang Fang"]
    assert texts("CdtrAcct/Id/IBAN") == ["DE75512108001245126199"] * 2
    assert texts("Cdtr/PstlAdr/Ctry") == []


def test_accounts_outside_sepa_name_their_bank() -> None:
    """A CNY payment carries the Chinese names, the bank by name and the account as a number."""
    text = build_pain001(an_order("CNY", 100)).decode()
    for expected in ("<Nm>王芳</Nm>", "<Nm>中国工商银行</Nm>", "<Ctry>CN</Ctry>", "SHAR"):
        assert expected in text
    assert "<IBAN>" not in text
    assert 'InstdAmt Ccy="CNY">1.00<' in text


def test_building_a_pain001_twice_gives_the_same_bytes() -> None:
    """The file is a function of the order."""
    assert build_pain001(an_order()) == build_pain001(an_order())


@pytest.mark.parametrize("amounts", [(1,), (100, 99, 10**13 + 1), (2**53 // 1000,)])
def test_files_are_read_back_to_the_cent(amounts: tuple[int, ...]) -> None:
    """Each format gives back the amounts that were put into it."""
    order, layout = an_order("EUR", *amounts), a_layout(decimal=",", delimiter=";")
    assert pain001_amounts(build_pain001(order)) == list(amounts)
    assert csv_amounts(build_csv(order, layout), layout) == list(amounts)
    assert xlsx_amounts(build_xlsx(order, layout), layout) == list(amounts)


def test_the_chinese_sample_layout_is_what_its_bank_reads() -> None:
    """The shipped layout writes Chinese titles, constants and names in GB18030."""
    text = build_csv(an_order("CNY", 1234), load_layout("cn-bank")).decode("gb18030")
    assert text == (
        "序号,收款人姓名,账号,开户行,金额,币种,附言\r\n"
        "1,王芳,6222021234567890128,中国工商银行,12.34,人民币,cny-1-h1\r\n"
    )


def test_the_chinese_sample_layout_as_xlsx() -> None:
    """In XLSX accounts stay text with all their digits and amounts are numbers."""
    book = load_workbook(io.BytesIO(build_xlsx(an_order("CNY", 1234), load_layout("cn-bank"))))
    row = next(iter(book["批量转账"].iter_rows(min_row=2)))
    assert [cell.value for cell in row[:5]] == [
        "1",
        "王芳",
        "6222021234567890128",
        "中国工商银行",
        12.34,
    ]
    assert [cell.data_type for cell in row[:5]] == ["s", "s", "s", "s", "n"]


@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(text: str) -> None:
    """A text that a spreadsheet would run is escaped in CSV and stays plain text in XLSX."""
    layout = a_layout(
        columns=({"title": text, "constant": text}, {"title": "Amount", "field": "amount"})
    )
    rows = build_csv(an_order("EUR", 500), layout).decode("utf-8-sig").split("\r\n")
    assert rows[:2] == [f"'{text},Amount", f"'{text},5.00"]
    book = load_workbook(io.BytesIO(build_xlsx(an_order("EUR", 500), layout)))
    for cell, _ in book["Payments"].iter_rows():
        assert (cell.value, cell.data_type, cell.quotePrefix) == (text, "s", True)


def test_decimals_header_and_delimiter_follow_the_layout() -> None:
    """A bank that wants commas, semicolons and no titles gets them."""
    layout = a_layout(decimal=",", delimiter=";", header=False, encoding="utf-8")
    assert build_csv(an_order("EUR", 1234), layout).decode() == (
        "Wang Fang;DE75512108001245126199;12,34\r\n"
    )


def test_a_character_that_the_encoding_lacks_is_said() -> None:
    """A name is never written with a question mark in it."""
    with pytest.raises(BadInput, match="ascii has no '王', use gb18030"):
        build_csv(an_order("CNY"), a_layout(encoding="ascii"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = 'x'", "columns"),
        ("name = 'x'\ncolumns = [{title = 'a', field = 'name'}]", "exactly one column"),
        ("name = 'x'\ncolumns = [{title = 'a', field = 'salary'}]", "columns.0"),
        ("name = 'x'\ncolumns = [{title = 'a'}]", "either `field` or `constant`"),
        (
            "name = 'x'\nencoding = 'klingon'\ncolumns = [{title = 'a', field = 'amount'}]",
            "klingon",
        ),
        ("name = ", "cannot be read"),
        ("name = 'x'\ncolour = 'red'\ncolumns = [{title = 'a', field = 'amount'}]", "colour"),
    ],
)
def test_a_layout_that_cannot_be_used_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    """The first thing wrong in a layout is named."""
    path = tmp_path / "layout.toml"
    path.write_text(text)
    with pytest.raises(BadInput, match=said):
        load_layout(str(path))


def test_a_layout_that_is_not_there_is_said() -> None:
    """A wrong path is no traceback."""
    with pytest.raises(BadInput, match="no layout nowhere"):
        load_layout("nowhere")


def test_a_table_needs_a_layout_and_a_format_must_exist() -> None:
    """A csv without a layout, or an unknown format, is refused."""
    with pytest.raises(BadInput, match="--layout"):
        build_file(an_order(), "csv", None)
    with pytest.raises(UsageError, match="pain001, csv, xlsx"):
        build_file(an_order(), "pdf", a_layout())
    assert isinstance(load_layout("cn-bank"), Layout)


NOON_US = 1_767_268_800_000_000  # 2026-01-01T12:00Z


def test_a_day_of_execution_is_one_that_a_bank_can_take() -> None:
    """Today to a year ahead: a written file is kept for ever, so a slip of the pen is refused."""
    assert execution_day(None, NOON_US) == execution_day("2026-01-01", NOON_US)
    for day in ("1999-01-01", "2025-12-31", "2027-06-01"):
        with pytest.raises(BadInput, match="name a day from 2026-01-01"):
            execution_day(day, NOON_US)
