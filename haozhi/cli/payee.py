"""`haozhi payee`: where a rights holder is paid."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from haozhi.cli.opened import opened, reading
from haozhi.cli.options import ByOption, HolderArgument
from haozhi.cli.output import JsonOption, say, show

if TYPE_CHECKING:
    from store.payouts import Payee

commands = typer.Typer(no_args_is_help=True, help="Keep where rights holders are paid.")


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(commands, name="payee")


@commands.command("set")
def set_(
    holder: HolderArgument,
    currency: Annotated[str, typer.Option(help="CNY, EUR or USD.")],
    name: Annotated[
        str, typer.Option(help="The account's owner; for EUR and USD in Latin letters.")
    ],
    account: Annotated[str, typer.Option(help="An IBAN for EUR, else the account's number.")],
    country: Annotated[str, typer.Option(help="Where the payee lives, such as CN or DE.")],
    tax_class: Annotated[str, typer.Option(help="A class of the policy's withholding table.")],
    by: ByOption,
    bic: Annotated[str | None, typer.Option(help="The bank's BIC; needed for USD.")] = None,
    bank_name: Annotated[
        str | None, typer.Option(help="The bank's name (开户行); needed for CNY.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Set where a holder is paid in a currency; checked before it is stored."""
    from haozhi.paying import set_payee
    from haozhi.payouts.accounts import account_warning
    from store.clock import now_us
    from store.payouts import Payee

    payee = Payee(
        holder_id=holder,
        currency=currency,
        name=name,
        account=account,
        bic=bic,
        bank_name=bank_name,
        country=country,
        tax_class=tax_class,
        updated_by=by,
        updated_us=now_us(),
    )
    stored = set_payee(opened().engine, payee)
    if warning := account_warning(stored):
        say(f"warning: {warning}")
    show(_payee_json(stored), _payee_lines(stored), as_json=as_json)


@commands.command("show")
def show_(holder: HolderArgument, as_json: JsonOption = False) -> None:
    """Print where a holder is paid."""
    from store.payouts import get_payees
    from store.rights import get_holder

    with reading() as session:
        payees = get_payees(session, get_holder(session, holder).id)
    lines = [line for payee in payees for line in _payee_lines(payee)]
    show({"payees": [_payee_json(payee) for payee in payees]}, lines, as_json=as_json)


@commands.command()
def remove(
    holder: HolderArgument,
    by: ByOption,
    currency: Annotated[str | None, typer.Option(help="Only this one; default: all.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a holder's payee data; files that were written keep what they say."""
    from haozhi.paying import remove_payees

    removed = remove_payees(opened().engine, holder, currency, by=by)
    result = {"removed": removed, "removed_by": by}
    show(result, [f"removed {removed} by {by}"], as_json=as_json)


def _payee_json(payee: "Payee") -> dict[str, object]:
    body = dict(vars(payee))
    body["updated_ms"] = body.pop("updated_us") // 1000
    return body


def _payee_lines(payee: "Payee") -> Iterator[str]:
    bank = " ".join(part for part in (payee.bic, payee.bank_name) if part)
    yield f"{payee.holder_id}  {payee.currency}  {payee.name} ({payee.country})"
    yield f"  account {payee.account}{f' at {bank}' if bank else ''}, tax class {payee.tax_class}"
    yield f"  set by {payee.updated_by}"
