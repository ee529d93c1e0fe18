"""Payees: where a holder is paid. Personal data, which can be changed and removed."""

from dataclasses import fields
from typing import Any

from sqlalchemy import Select, delete, select
from sqlalchemy.orm import Session

from store.errors import NotFound
from store.payouts.records import Payee
from store.schema import PayeeRow


def set_payee(s: Session, payee: Payee) -> None:
    """Write a payee over what the holder had in this currency."""
    s.merge(PayeeRow(**vars(payee)))
    s.flush()


def get_payees(s: Session, holder_id: str) -> tuple[Payee, ...]:
    """The payees of a holder by currency. NotFound: there is none."""
    found = _payees(s, _PAYEES.where(PayeeRow.holder_id == holder_id))
    if not found:
        raise NotFound(f"holder {holder_id} has no payee data: use `haozhi payee set`")
    return found


def list_payees(s: Session) -> tuple[Payee, ...]:
    """Every payee, by holder and currency."""
    return _payees(s, _PAYEES)


def remove_payees(s: Session, holder_id: str, currency: str | None = None) -> int:
    """Delete what a holder has in a currency, or in all of them; returns how many there were."""
    gone = delete(PayeeRow).where(PayeeRow.holder_id == holder_id)
    if currency is not None:
        gone = gone.where(PayeeRow.currency == currency)
    return len(s.scalars(gone.returning(PayeeRow.currency)).all())


_COLUMNS = [getattr(PayeeRow, field.name) for field in fields(Payee)]
_PAYEES = select(*_COLUMNS).order_by(PayeeRow.holder_id, PayeeRow.currency)


def _payees(s: Session, query: Select[Any]) -> tuple[Payee, ...]:
    return tuple(Payee(*row) for row in s.execute(query))
