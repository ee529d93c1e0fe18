"""Which statements are copies of one text, the first of them first."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from store.records.corpus import Statement
from store.schema import StatementRow
from store.statements.priority import representatives
from store.statements.reading import get_statements

Cluster = tuple[Statement, ...]
"""Two statements or more. The first one is retrieved and credited, where any may be."""


def list_clusters(s: Session, limit: int, after: int, at_us: int) -> tuple[Cluster, ...]:
    """Up to `limit` clusters with an id above `after`, in the order of their ids.

    The members follow the one that represents the cluster at this time, in the order in which they
    came; withdrawn and deleted ones are among them.
    """
    several = (
        select(StatementRow.cluster_id)
        .where(StatementRow.cluster_id > after)
        .group_by(StatementRow.cluster_id)
        .having(func.count() > 1)
        .order_by(StatementRow.cluster_id)
        .limit(limit)
    )
    clusters = list(s.scalars(several))
    members = select(StatementRow.id).where(StatementRow.cluster_id.in_(clusters))
    ids = list(s.scalars(members.order_by(StatementRow.id)))
    first = set(representatives(s, ids, at_us).values())
    found: dict[int, list[Statement]] = {cluster: [] for cluster in clusters}
    for each in get_statements(s, sorted(ids, key=lambda i: (i not in first, i)), at_us):
        found[each.cluster_id].append(each)
    return tuple(tuple(each) for each in found.values())
