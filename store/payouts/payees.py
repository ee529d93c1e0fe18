"""Payees: where a holder is paid. Personal data, which can be changed and removed."""

from sqlalchemy import delete, select
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
    found = tuple(payee for payee in list_payees(s) if payee.holder_id == holder_id)
    if not found:
        raise NotFound(f"holder {holder_id} has no payee data: use `haozhi payee set`")
    return found


def list_payees(s: Session) -> tuple[Payee, ...]:
    """Every payee, by holder and currency."""
    rows = s.scalars(select(PayeeRow).order_by(PayeeRow.holder_id, PayeeRow.currency))
    return tuple(
        Payee(
            holder_id=row.holder_id,
            currency=row.currency,
            name=row.name,
            account=row.account,
            bic=row.bic,
            bank_name=row.bank_name,
            country=row.country,
            tax_class=row.tax_class,
            updated_us=row.updated_us,
        )
        for row in rows
    )


def remove_payees(s: Session, holder_id: str, currency: str | None = None) -> int:
    """Delete what a holder has in a currency, or in all of them; returns how many there were."""
    gone = delete(PayeeRow).where(PayeeRow.holder_id == holder_id)
    if currency is not None:
        gone = gone.where(PayeeRow.currency == currency)
    return len(s.scalars(gone.returning(PayeeRow.currency)).all())
