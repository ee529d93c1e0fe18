"""Account numbers, bank codes and names as the banks of a currency take them."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from string import ascii_letters, digits

from haozhi.payouts.names import latin_name, plain_text
from store.errors import BadInput
from store.payouts.records import Payee

#: IBAN lengths of the countries that SEPA reaches (ISO 13616 registry, EPC409-09).
_SEPA_COUNTRIES = {
    15: "NO",
    16: "BE",
    18: "DK FI NL",
    19: "MK SI",
    20: "AT EE LT LU",
    21: "CH HR LI LV",
    22: "BG DE GB IE ME RS VA",
    23: "GI",
    24: "AD CZ ES MD RO SE SK",
    25: "PT",
    26: "IS",
    27: "FR GR IT MC SM",
    28: "AL CY HU PL",
    31: "MT",
}
_IBAN_LENGTHS = {
    code: length for length, codes in _SEPA_COUNTRIES.items() for code in codes.split()
}
_BIC = re.compile(r"[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?")
_FIELD_LENGTH = 140
#: With the batch in front it is a reference of at most 35 characters on bank statements.
_HOLDER = re.compile(r"[A-Za-z0-9.-]{1,24}")


def checked_payee(payee: Payee) -> Payee:
    """The payee as it is stored: account and codes without spaces, in capitals where they are so.

    EUR needs an IBAN that SEPA reaches and a name in Latin letters; USD a name in Latin letters
    and a BIC; CNY an account of 8 to 30 digits and the name of the bank.
    BadInput: what is wrong, and what to give instead.
    """
    check_currency(payee.currency)
    if not _HOLDER.fullmatch(payee.holder_id):
        raise BadInput(f"banks cannot carry the holder id {payee.holder_id!r} as a reference")
    checked = replace(
        payee,
        name=plain_text("name", payee.name, _FIELD_LENGTH),
        account=ACCOUNTS[payee.currency](payee.account),
        bic=None if payee.bic is None else checked_bic(payee.bic),
        bank_name=None
        if payee.bank_name is None
        else plain_text("bank name", payee.bank_name, _FIELD_LENGTH),
        country=payee.country.strip().upper(),
        tax_class=plain_text("tax class", payee.tax_class, _FIELD_LENGTH),
    )
    if not re.fullmatch("[A-Z]{2}", checked.country):
        raise BadInput(f"a country is two letters such as CN or DE, not {payee.country!r}")
    if checked.currency == "CNY":
        if checked.bank_name is None:
            raise BadInput("an account in CNY needs the name of the bank (开户行): --bank-name")
        return checked
    latin_name(checked.name)
    if checked.currency == "USD" and checked.bic is None:
        raise BadInput("an account in USD needs the BIC of the bank: --bic")
    return checked


def check_currency(currency: str) -> None:
    """BadInput: nobody is paid in it."""
    if currency not in ACCOUNTS:
        raise BadInput(f"payouts are in {', '.join(ACCOUNTS)}, not {currency!r}")


def checked_iban(account: str) -> str:
    """An IBAN in capitals without spaces. BadInput: mistyped, or of a country outside SEPA."""
    iban = _compact(account).upper()
    length = _IBAN_LENGTHS.get(iban[:2])
    if length is None:
        raise BadInput(f"{account!r} is no IBAN of a country that SEPA reaches")
    if len(iban) != length:
        raise BadInput(f"an IBAN of {iban[:2]} has {length} characters, {account!r} {len(iban)}")
    # ISO 7064 MOD 97-10 over the number with its head at the end, letters as 10..35.
    if not re.fullmatch("[A-Z]{2}[0-9]{2}[A-Z0-9]+", iban) or (
        int("".join(str(int(character, 36)) for character in iban[4:] + iban[:4])) % 97 != 1
    ):
        raise BadInput(f"the check digits of the IBAN {account!r} are wrong: compare it again")
    return iban


def checked_bic(bic: str) -> str:
    """A BIC (ISO 9362) in capitals. BadInput: it has not the form of one."""
    found = _compact(bic).upper()
    if not _BIC.fullmatch(found):
        raise BadInput(f"a BIC has 8 or 11 characters such as DEUTDEFF, {bic!r} has not this form")
    return found


def checked_chinese_account(account: str) -> str:
    """An account at a Chinese bank: 8 to 30 digits. BadInput: it is something else."""
    found = _compact(account)
    if not re.fullmatch("[0-9]{8,30}", found):
        raise BadInput(f"an account in CNY has 8 to 30 digits, {account!r} has not")
    return found


def checked_bban(account: str) -> str:
    """An account number of any country: 4 to 34 letters and digits. BadInput: something else."""
    found = _compact(account).upper()
    if not 4 <= len(found) <= 34 or set(found) - set(ascii_letters + digits):
        raise BadInput(f"an account in USD has 4 to 34 letters and digits, {account!r} has not")
    return found


#: What an account of a currency must be, and the currencies that are paid.
ACCOUNTS: dict[str, Callable[[str], str]] = {
    "CNY": checked_chinese_account,
    "EUR": checked_iban,
    "USD": checked_bban,
}


def account_warning(payee: Payee) -> str | None:
    """What looks mistyped in a stored payee and may yet be right, in one line.

    Card numbers of 16 to 19 digits end in a Luhn digit; accounts of companies need not.
    """
    if payee.currency == "CNY" and 16 <= len(payee.account) <= 19 and not _luhn(payee.account):
        return f"{payee.account} is no card number (its last digit does not fit): compare it again"
    return None


def _luhn(number: str) -> bool:
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number))]
    return sum(each - 9 if each > 9 else each for each in doubled) % 10 == 0


def _compact(text: str) -> str:
    """Without spaces and hyphens; full-width digits, as Chinese keyboards type them, are digits."""
    return re.sub(r"[\s-]", "", unicodedata.normalize("NFKC", text))
