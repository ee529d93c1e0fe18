"""Payees, orders and a policy of payouts for the tests of payouts."""

from dataclasses import replace
from datetime import date
from typing import Any

from haozhi.payouts.layout import Layout, LayoutColumn
from haozhi.payouts.orders import Order, Payment
from haozhi.payouts.sender import Sender
from store.payouts.records import Payee

NOW = 1_700_000_000_000_000
#: An IBAN of the EPC's own examples.
IBAN = "DE75512108001245126199"
SENDER = Sender(name="Haozhi Verlag", account="FR7630006000011234567890189", bic="AGRIFRPP")


def a_payee(currency: str = "EUR", holder_id: str = "h1", **changes: Any) -> Payee:
    """Wang Fang (王芳 in China) with a valid account."""
    accounts = {"EUR": IBAN, "CNY": "6222021234567890128", "USD": "123456789012"}
    payee = Payee(
        holder_id=holder_id,
        currency=currency,
        name="王芳" if currency == "CNY" else "Wang Fang",
        account=accounts[currency],
        bic="CHASUS33" if currency == "USD" else None,
        bank_name="中国工商银行" if currency == "CNY" else None,
        country={"EUR": "DE", "CNY": "CN", "USD": "US"}[currency],
        tax_class="none",
        updated_by="Ada",
        updated_us=NOW,
    )
    return replace(payee, **changes)


def an_order(currency: str = "EUR", *amounts: int, **changes: Any) -> Order:
    """An order of these amounts in cents (12.34 and 5.00 by default) to payees h1, h2, …"""
    payees = [a_payee(currency, f"h{number}") for number, _ in enumerate(amounts or (0, 0), 1)]
    payments = tuple(
        Payment(
            reference=f"{currency.lower()}-1-{payee.holder_id}",
            name=payee.name,
            account=payee.account,
            bic=payee.bic,
            bank_name=payee.bank_name,
            country=payee.country,
            amount_minor=amount,
        )
        for payee, amount in zip(payees, amounts or (1234, 500), strict=True)
    )
    sender = {
        "EUR": SENDER,
        "CNY": Sender(name="澔智出版社", account="11001234567890123"),
        "USD": SENDER,
    }[currency]
    order = Order(f"{currency.lower()}-1", currency, NOW, date(2023, 11, 15), sender, payments)
    return replace(order, **changes)


def a_layout(**changes: Any) -> Layout:
    """Name, account, amount."""
    columns = (
        LayoutColumn(title="Name", field="name"),
        LayoutColumn(title="Account", field="account"),
        LayoutColumn(title="Amount", field="amount"),
    )
    return Layout(**{"name": "three", "columns": columns} | changes)
