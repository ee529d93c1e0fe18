"""What was signed, against the rows as they are: checkpoints, and the credit reports under them."""

from base64 import b64decode
from collections.abc import Iterator
from hashlib import sha256

from haozhi.policies import policy_of
from haozhi.proofs.draw import draw
from haozhi.proofs.export import report_leaf
from haozhi.proofs.keys import verifier_key
from haozhi.proofs.merkle import Tree, build_tree, root
from haozhi.proofs.notes import note_hash, open_checkpoint
from haozhi.reports.lines import lines_jsonl
from haozhi.reports.signed import signed_bytes
from store import acts, audits, checkpoints, credit_reports, ledger, periods, rights
from store.chain import GENESIS
from store.checkpoints import Checkpoint
from store.engine import Session
from store.errors import HaozhiError
from store.ledger.sums import statement_totals
from store.records.ledger import Difference


def checkpoint_differences(s: Session) -> Iterator[Difference]:
    """Every closed period has a checkpoint that the ledger's key signed over the rows as they are.

    The tree is built over the hashes in the rows; that these are the entries' is checked apart.
    """
    history = checkpoints.list_checkpoints(s)
    signed = {checkpoint.period_id for checkpoint in history}
    closed = {period.id for period in periods.list_periods(s) if period.state == "CLOSED"}
    for period_id in sorted(signed ^ closed):
        message = "closed without a checkpoint, or signed without being closed"
        yield Difference("checkpoint_differs", f"period {period_id}", message)
    trees = build_tree(checkpoints.stored_leaves(s)), build_tree(acts.stored_acts(s))
    keys, before = checkpoints.signing_keys(s), None
    for checkpoint in history:
        for problem in _problems(s, checkpoint, before, trees, keys):
            yield Difference("checkpoint_differs", f"period {checkpoint.period_id}", problem)
        before = checkpoint


def _problems(
    s: Session,
    checkpoint: Checkpoint,
    before: Checkpoint | None,
    trees: tuple[Tree, Tree],
    keys: dict[str, str],
) -> Iterator[str]:
    public = bytes.fromhex(keys.get(checkpoint.key_id, ""))
    try:
        note = open_checkpoint(checkpoint.note, verifier_key(public))
    except HaozhiError:
        yield "its note is not signed by the ledger's key"
        return
    if sha256(public).hexdigest() != checkpoint.key_id or _signed(note) != _stated(checkpoint):
        yield "its row is not what its note says"
    if checkpoint.previous_hash != (before and note_hash(before.note)):
        yield "it does not follow the checkpoint before"
    entries, recorded = trees
    size, acts_size = checkpoints.last_seq(s, checkpoint.period_id), checkpoint.acts_size
    leaves = [leaf for _, leaf in credit_reports.report_leaves(s, checkpoint.period_id)]
    found = (size, root(entries, size).hex(), len(leaves), root(build_tree(leaves)).hex())
    if found != _stated(checkpoint)[:4]:
        yield "the entries or reports are not those that it was signed over"
    if acts_size > recorded.size or root(recorded, acts_size).hex() != checkpoint.acts_root:
        yield "the acts are not those that it was signed over"
    if problem := _audit_problem(s, checkpoint.period_id, before):
        yield problem
    count, largest_ppb = audits.summary(s, checkpoint.period_id)
    said = (note["audited"], note["largest"])
    if said != (str(count), "none" if largest_ppb is None else str(largest_ppb)):
        yield "the audited answers are not those that it was signed over"


def _audit_problem(s: Session, period_id: int, before: Checkpoint | None) -> str | None:
    """The answers audited are those that the checkpoint before drew, as many as policy said."""
    policy = policy_of(s, before_us=ledger.get_period(s, period_id).closed_us)
    paid = audits.paid_answers(s, period_id)
    drawn = draw(note_hash(before.note) if before else GENESIS, paid, policy.audit_answers)
    audited = {audit.answer_id for audit in audits.list_audits(s, period_id)}
    return None if audited == set(drawn) else "the audited answers are not those that were drawn"


def _stated(checkpoint: Checkpoint) -> tuple[int | str, ...]:
    return (
        checkpoint.tree_size,
        checkpoint.root_hash,
        checkpoint.reports_size,
        checkpoint.reports_root,
        checkpoint.acts_size,
        checkpoint.acts_root,
        checkpoint.period_id,
        checkpoint.previous_hash or "none",
    )


def _signed(note: dict[str, str]) -> tuple[int | str, ...]:
    return (
        int(note["size"]),
        b64decode(note["root"]).hex(),
        int(note["reports_size"]),
        b64decode(note["reports_root"]).hex(),
        int(note["acts_size"]),
        b64decode(note["acts_root"]).hex(),
        int(note["period"]),
        note["previous"],
    )


def signed_report_differences(s: Session) -> Iterator[Difference]:
    """Every signed report is made again from the rows: its bytes, its statements and its lines."""
    for checkpoint in checkpoints.list_checkpoints(s):
        for holder_id, leaf in credit_reports.report_leaves(s, checkpoint.period_id):
            if problem := _report_problem(s, checkpoint.period_id, holder_id, leaf):
                subject = f"{holder_id}, period {checkpoint.period_id}"
                yield Difference("signed_report_differs", subject, problem)


def _report_problem(s: Session, period_id: int, holder_id: str, leaf: bytes) -> str | None:
    code = f"holder:{holder_id}"
    try:
        stored, report = signed_bytes(s, period_id, rights.get_holder(s, holder_id))
    except HaozhiError as error:
        return str(error)
    digest = sha256()
    for piece in lines_jsonl(ledger.report_lines(s, code, period_id)):
        digest.update(piece)
    if digest.hexdigest() != stored.lines_sha256:
        return "its lines are not what was signed"
    if report_leaf(stored.salt, report, stored.lines_sha256) != leaf:
        return "its leaf is not what was signed"
    if statement_totals(s, code, period_id) != credit_reports.stored_statements(
        s, period_id, holder_id
    ):
        return "its statements are not those of its lines"
    return None
