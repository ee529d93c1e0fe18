"""Payees: accounts, bank codes and names are checked before anything is stored."""

from dataclasses import replace
from typing import Any

import pytest

from haozhi.payouts.accounts import account_warning, checked_payee
from haozhi.payouts.names import latin_name
from store.errors import BadInput
from tests.paying import IBAN, a_payee


@pytest.mark.parametrize(
    ("currency", "changes", "stored"),
    [
        ("EUR", {"account": "de75 5121 0800 1245 1261 99"}, {"account": IBAN}),
        ("EUR", {"account": "GB29-NWBK-6016-1331-9268-19"}, {"account": "GB29NWBK60161331926819"}),
        ("EUR", {"bic": "deutdeff", "country": "de"}, {"bic": "DEUTDEFF", "country": "DE"}),
        ("EUR", {"name": " José Müller "}, {"name": "José Müller"}),
        ("CNY", {"account": "6222 0212 3456"}, {"account": "622202123456"}),
        ("CNY", {"account": "６２２２０２１２３４５６"}, {"account": "622202123456"}),
        ("USD", {"account": "12 345-678"}, {"account": "12345678"}),
    ],
)
def test_a_payee_is_stored_in_one_spelling(
    currency: str, changes: dict[str, Any], stored: dict[str, Any]
) -> None:
    """Spaces, hyphens and small letters of accounts and codes make no difference."""
    assert vars(checked_payee(a_payee(currency, **changes))).items() >= stored.items()


@pytest.mark.parametrize(
    ("currency", "changes", "said"),
    [
        ("EUR", {"account": "DE75512108001245126198"}, "check digits"),
        ("EUR", {"account": "DE7551210800124512619"}, "22 characters"),
        ("EUR", {"account": "TR330006100519786457841326"}, "SEPA"),
        ("EUR", {"account": "DE7551210800124512619ü"}, "check digits"),
        ("EUR", {"name": "王芳"}, "has '王'"),
        ("EUR", {"name": "Wang 芳"}, "Latin letters"),
        ("EUR", {"name": "W" * 71}, "70 characters"),
        ("EUR", {"name": "Wang\nFang"}, "printed"),
        ("EUR", {"name": " "}, "1 to 140"),
        ("EUR", {"bic": "DEUTDEF"}, "BIC"),
        ("EUR", {"country": "Germany"}, "two letters"),
        ("EUR", {"holder_id": "出版社"}, "reference"),
        ("CNY", {"account": "6222021"}, "8 to 30 digits"),
        ("CNY", {"account": "6222x21234"}, "8 to 30 digits"),
        ("CNY", {"bank_name": None}, "开户行"),
        ("USD", {"bic": None}, "--bic"),
        ("USD", {"account": "12/345"}, "letters and digits"),
        ("USD", {"name": "王芳"}, "Latin letters"),
    ],
)
def test_a_payee_that_no_bank_could_pay_is_refused(
    currency: str, changes: dict[str, Any], said: str
) -> None:
    """Whatever a bank would send back is one clear line instead."""
    with pytest.raises(BadInput, match=said):
        checked_payee(a_payee(currency, **changes))


def test_another_currency_is_refused() -> None:
    """Only CNY, EUR and USD are paid."""
    with pytest.raises(BadInput, match="CNY, EUR, USD, not 'JPY'"):
        checked_payee(replace(a_payee(), currency="JPY"))


def test_a_card_number_whose_last_digit_is_wrong_is_only_doubted() -> None:
    """Accounts of companies need no Luhn digit, so a card number that lacks it is a warning."""
    assert account_warning(a_payee("CNY")) is None
    assert "compare it again" in (
        account_warning(a_payee("CNY", account="6222021234567890127")) or ""
    )
    assert account_warning(a_payee("CNY", account="1234567890")) is None
    assert account_warning(a_payee("EUR")) is None


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Jürgen Groß", "Juergen Gross"),
        ("José Núñez", "Jose Nunez"),
        ("Jose\u0301", "Jose"),
        ("Łukasz Ørsted & Søn", "Lukasz Orsted + Son"),
        ("O’Brien", "O'Brien"),
        ("Nguyễn Văn", "Nguyen Van"),
    ],
)
def test_a_latin_name_is_spelled_without_accents(name: str, written: str) -> None:
    """What SEPA cannot carry of a Latin name is spelled out by a fixed table; nothing is lost."""
    assert latin_name(name) == written


@pytest.mark.parametrize("name", ["Иван", "Αθηνά", "山田", "A;B", "A\u0301\u4e00", "a™"])
def test_a_character_that_cannot_be_carried_is_named(name: str) -> None:
    """No character is dropped or guessed: the name is refused."""
    with pytest.raises(BadInput, match="cannot carry"):
        latin_name(name)
