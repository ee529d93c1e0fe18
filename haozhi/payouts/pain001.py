"""ISO 20022 credit transfer initiation, pain.001.001.09, as the EPC's SEPA guide restricts it.

EUR is paid as SEPA credit transfers between IBANs; other currencies name the bank of the payee by
BIC or name and its account as the bank numbers it.
"""

from datetime import UTC, datetime
from decimal import Decimal
from xml.etree import ElementTree as ET

from haozhi.payouts.amounts import money_text
from haozhi.payouts.orders import Order, Payment

NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"


def build_pain001(order: Order) -> bytes:
    """The file of an order, in UTF-8; the same order gives the same bytes."""
    root = ET.Element("Document", xmlns=NAMESPACE)
    message = ET.SubElement(root, "CstmrCdtTrfInitn")
    created = datetime.fromtimestamp(order.created_us // 1_000_000, UTC)
    message_id = f"{order.batch_id}-{created:%Y%m%d%H%M%S}"
    header = _add(message, "GrpHdr", MsgId=message_id, CreDtTm=f"{created:%Y-%m-%dT%H:%M:%SZ}")
    _add_sums(header, order)
    _add(header, "InitgPty", Nm=order.sender.name)
    batch = _add(message, "PmtInf", PmtInfId=message_id, PmtMtd="TRF")
    _add_sums(batch, order)
    if order.currency == "EUR":
        _add(_add(batch, "PmtTpInf"), "SvcLvl", Cd="SEPA")
    _add(batch, "ReqdExctnDt", Dt=order.execute_on.isoformat())
    _add(batch, "Dbtr", Nm=order.sender.name)
    account = _add(batch, "DbtrAcct")
    _add_account(account, order.currency, order.sender.account)
    _add_text(account, "Ccy", order.currency)
    _add_bank(batch, "DbtrAgt", order.sender.bic, None)
    _add_text(batch, "ChrgBr", "SLEV" if order.currency == "EUR" else "SHAR")
    for payment in order.payments:
        _add_payment(batch, order, payment)
    ET.indent(root)
    written: bytes = ET.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written + b"\n"


def pain001_amounts(content: bytes) -> list[int]:
    """The amounts of a file in minor units, in order, read back from its bytes."""
    # Only files that this module wrote are read, so no hostile entity can be in them.
    root = ET.fromstring(content)
    return [int(Decimal(found.text or "") * 100) for found in root.iter(f"{{{NAMESPACE}}}InstdAmt")]


def _add_payment(batch: ET.Element, order: Order, payment: Payment) -> None:
    transfer = _add(batch, "CdtTrfTxInf")
    _add(transfer, "PmtId", EndToEndId=payment.reference)
    amount = _add_text(_add(transfer, "Amt"), "InstdAmt", money_text(payment.amount_minor))
    amount.set("Ccy", order.currency)
    if payment.bic or order.currency != "EUR":
        _add_bank(transfer, "CdtrAgt", payment.bic, payment.bank_name)
    payee = _add(transfer, "Cdtr", Nm=payment.name)
    if order.currency != "EUR":  # within SEPA an address needs a town too, or is left out
        _add(payee, "PstlAdr", Ctry=payment.country)
    _add_account(_add(transfer, "CdtrAcct"), order.currency, payment.account)
    _add(transfer, "RmtInf", Ustrd=payment.reference)


def _add_sums(parent: ET.Element, order: Order) -> None:
    _add_text(parent, "NbOfTxs", str(len(order.payments)))
    _add_text(parent, "CtrlSum", money_text(order.total_minor))


def _add_account(parent: ET.Element, currency: str, account: str) -> None:
    number = _add(parent, "Id")
    if currency == "EUR":
        _add_text(number, "IBAN", account)
    else:
        _add(number, "Othr", Id=account)


def _add_bank(parent: ET.Element, name: str, bic: str | None, bank_name: str | None) -> None:
    bank = _add(_add(parent, name), "FinInstnId")
    if bic:
        _add_text(bank, "BICFI", bic)
    elif bank_name:
        _add_text(bank, "Nm", bank_name)
    else:
        _add(bank, "Othr", Id="NOTPROVIDED")


def _add(parent: ET.Element, name: str, **texts: str) -> ET.Element:
    """A new last child with these children of its own."""
    child = ET.SubElement(parent, name)
    for each, text in texts.items():
        _add_text(child, each, text)
    return child


def _add_text(parent: ET.Element, name: str, text: str) -> ET.Element:
    child = ET.SubElement(parent, name)
    child.text = text
    return child
