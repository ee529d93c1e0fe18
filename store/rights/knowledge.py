"""What admins say about statements and askers: common knowledge, and askers who are authors."""

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from store.acts import record
from store.clock import now_us
from store.errors import NotFound
from store.people import get_author
from store.schema import AskerAuthorRow, CommonKnowledgeRow, StatementRow
from store.text import admin_name, said


def mark_common(s: Session, statement_id: int, by: str) -> bool:
    """Mark a statement as common knowledge, for answers given from now on; False: it was before.

    The mark is on the text, in whichever scope. NotFound: there is no such statement.
    """
    digest = s.scalar(select(StatementRow.hash).where(StatementRow.id == statement_id))
    by = admin_name(by)
    if digest is None:
        raise NotFound(f"no statement has the id {statement_id}")
    if s.get(CommonKnowledgeRow, digest) is not None:
        return False
    s.execute(
        insert(CommonKnowledgeRow).values(statement_hash=digest, marked_by=by, created_us=now_us())
    )
    record(s, CommonKnowledgeRow, [(digest,)])
    return True


def link_asker(s: Session, asker_id: str, author: str, by: str) -> bool:
    """An asker is this author (id or name), who earns nothing from what the asker asks.

    False: it was linked before. NotFound, Ambiguous: the author. BadInput: nobody is named.
    """
    asker_id = said(asker_id, "the asker's name")
    author_id, by = get_author(s, author).id, admin_name(by)
    if s.get(AskerAuthorRow, (asker_id, author_id)) is not None:
        return False
    link = {"asker_id": asker_id, "author_id": author_id, "linked_by": by}
    s.execute(insert(AskerAuthorRow).values(**link, created_us=now_us()))
    return True


def unlink_asker(s: Session, asker_id: str, author: str, by: str) -> bool:
    """Undo a link for answers given from now on; False: there was none.

    No row is left that could keep `by`. NotFound, Ambiguous: the author. BadInput: nobody is named.
    """
    admin_name(by)
    author_id = get_author(s, author).id
    link = (AskerAuthorRow.asker_id == asker_id, AskerAuthorRow.author_id == author_id)
    found = s.execute(delete(AskerAuthorRow).where(*link).returning(AskerAuthorRow.author_id))
    return found.first() is not None
