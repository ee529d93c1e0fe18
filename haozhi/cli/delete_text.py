"""A deletion and its plan, for people and as JSON."""

from typing import TYPE_CHECKING, Any

from haozhi.times import whole_ms

if TYPE_CHECKING:
    from haozhi.deleting import Deleted, Plan

STORES = {
    "statements": "statements",
    "vectors": "vectors in the database",
    "index": "vectors in the index",
    "words": "entries in the index of words",
    "passages": "passages of works blanked",
    "work_texts": "texts of whole works",
    "answers": "answers blanked",
}


def plan_json(planned: "Plan") -> dict[str, Any]:
    """What would go, as JSON."""
    covered = planned.covered
    return {
        "kind": covered.kind,
        "subject": covered.subject,
        "statements": len(covered.statement_ids),
        "passages_elsewhere_said": len(covered.places),
        "kept": covered.kept,
        "answers": planned.answers,
        "work_text": covered.work_id is not None,
    }


def plan_lines(planned: "Plan") -> list[str]:
    """What would go, in words."""
    covered = planned.covered
    if covered.is_nothing:
        return [f"{covered.kind} {covered.subject}: there is nothing to delete"]
    lines = [f"{covered.kind} {covered.subject}: statements that go: {len(covered.statement_ids)}"]
    if covered.work_id:
        lines.append("the text and the name of the work go")
    if covered.kept:
        lines.append(
            f"{covered.kept} statements stay, since others say them, too"
            f" ({len(covered.places)} passages of them go)"
        )
    lines.append(
        f"{planned.answers} stored answers were given with them at hand; their money stays"
    )
    return lines


def deletion_json(done: "Deleted") -> dict[str, Any]:
    """What went, as JSON."""
    deletion = done.deletion
    return {
        "id": deletion.id,
        "removed": dict(deletion.removed),
        "exports_kept": 0,
        "left": list(done.left),
        "quoted_elsewhere": done.quoted_count,
        "quoted_in": list(done.quoted),
        "compacted": done.compacted,
        "bytes_left": None if done.compacted else done.bytes_left,
        "finished_ms": whole_ms(deletion.finished_us),
    }


def deletion_lines(done: "Deleted") -> list[str]:
    """What went, in words."""
    counts = [f"{count} {STORES[name]}" for name, count in done.deletion.removed.items() if count]
    lines = [f"deletion {done.deletion.id}: {', '.join(counts) or 'nothing was left to remove'}"]
    if done.left:
        lines += [f"LEFT {each}" for each in done.left]
    else:
        lines.append("searched for again: nothing of it is found")
    if done.quoted_count:
        lines.append(f"the same words stand in {done.quoted_count} rows of others, which stay:")
        lines += [f"  {each}" for each in done.quoted]
    if not done.compacted:
        lines.append(done.bytes_left)
    lines.append("no export is kept here; backups made before still have it: delete them, too")
    return lines
