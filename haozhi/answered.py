"""An answer as its asker gets it: as everybody may read it, with the ledger's signed receipt."""

from typing import Any

from haozhi.answer_view import answer_view
from haozhi.app import App
from haozhi.proofs.keys import ledger_key
from haozhi.proofs.receipts import receipt_of
from store.checkpoints import DamagedEntry
from store.engine import read


def answered(app: App, answer_id: str) -> dict[str, Any]:
    """`answer_view` of a stored answer, and its receipt. NotFound: no such answer.

    The receipt is null where nothing was paid, and where the rows are no longer what was posted:
    then nothing is signed, and `haozhi ledger check` says why.
    """
    key = ledger_key(app.engine, app.settings.data_dir)
    with read(app.engine) as session:
        view = answer_view(session, answer_id)
        try:
            receipt = receipt_of(session, key, answer_id) if view["entry_id"] else None
        except DamagedEntry:
            receipt = None
    return view | {"receipt": receipt}
