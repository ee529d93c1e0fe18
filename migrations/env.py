"""Alembic's entry: runs on the connection that `store.database` hands over, in its transaction."""

from alembic import context

from store.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite can roll DDL back: a migration that fails leaves nothing half done.
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
