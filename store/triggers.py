"""What the database itself refuses: changing history, and entries that are not whole.

Every migration that touches a table here calls `install` for it again: rebuilding a SQLite table
drops its triggers without a word. `differences` is the drift check.
"""

from collections.abc import Collection, Mapping

from sqlalchemy import JSON, Connection, String, text

from store.protected import APPEND_ONLY, IDENTITY, REFUSED, TABLES
from store.schema import Base


def _identity_changes(table: str) -> str:
    """The condition as PostgreSQL repeats it, which compares varchar and JSON as text."""
    changed = []
    for name in IDENTITY[table]:
        column = f'"{name}"' if name == "end" else name
        if isinstance(Base.metadata.tables[table].columns[name].type, (String, JSON)):
            column += "::text"
        changed.append(f"new.{column} IS DISTINCT FROM old.{column}")
    return " OR ".join(changed)


def _of_sqlite(condition: str) -> str:
    plain = condition.replace("::text", "").replace("strpos(", "instr(")
    return plain.replace("IS DISTINCT FROM", "IS NOT")


def _lacks_transfers(seal: str) -> str:
    """The condition that an entry has other transfers than 0 to the last that its seal counts."""
    return (
        f"(SELECT count(*) <> {seal}.transfer_count OR max(position) <> {seal}.transfer_count - 1"
        f" FROM transfers WHERE entry_seq = {seal}.entry_seq)"
    )


def sqlite_triggers(tables: Collection[str] = TABLES) -> dict[str, str]:
    """The CREATE TRIGGER statement of each trigger on these tables, by trigger name."""
    found: dict[str, str] = {}

    def refuse(name: str, table: str, event: str, message: str, when: str = "") -> None:
        if table in tables:
            condition = f" WHEN {when}" if when else ""
            found[name] = (
                f"CREATE TRIGGER {name} BEFORE {event} ON {table}{condition}"
                f" BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )

    for table in APPEND_ONLY:
        refuse(f"{table}_no_update", table, "UPDATE", f"{table} is append-only")
        refuse(f"{table}_no_delete", table, "DELETE", f"{table} is append-only")
    for table in IDENTITY:
        changed = _of_sqlite(_identity_changes(table))
        refuse(f"{table}_identity", table, "UPDATE", f"{table}: identity never changes", changed)
        refuse(f"{table}_no_delete", table, "DELETE", f"{table}: rows are kept")
    for name, table, message, when in REFUSED:
        refuse(name, table, "UPDATE", message, _of_sqlite(when))
    message = "entry_seals: the entry lacks transfers"
    refuse("entry_seals_whole", "entry_seals", "INSERT", message, _lacks_transfers("NEW"))
    sealed = "EXISTS (SELECT 1 FROM entry_seals WHERE entry_seq = NEW.entry_seq)"
    refuse("transfers_open", "transfers", "INSERT", "transfers: the entry is sealed", sealed)
    return found


def postgres_functions() -> dict[str, str]:
    """The body of each trigger function, by function name."""
    error = "USING ERRCODE = 'integrity_constraint_violation'"
    return {
        "haozhi_refuse": f"BEGIN RAISE EXCEPTION {error}, MESSAGE = TG_ARGV[0]; END",
        "haozhi_entry_whole": (
            f"BEGIN IF {_lacks_transfers('NEW')} THEN RAISE EXCEPTION {error},"
            " MESSAGE = 'entry_seals: the entry lacks transfers'; END IF; RETURN NEW; END"
        ),
        "haozhi_entry_sealed": (
            "BEGIN IF NOT EXISTS (SELECT 1 FROM entry_seals AS own WHERE own.entry_seq = NEW.seq"
            f" AND NOT {_lacks_transfers('own')}) THEN RAISE EXCEPTION {error},"
            " MESSAGE = 'entries: the entry lacks its seal or transfers'; END IF; RETURN NULL; END"
        ),
        "haozhi_entry_open": (
            "BEGIN IF EXISTS (SELECT 1 FROM entry_seals WHERE entry_seq = NEW.entry_seq)"
            f" THEN RAISE EXCEPTION {error},"
            " MESSAGE = 'transfers: the entry is sealed'; END IF; RETURN NEW; END"
        ),
    }


def postgres_triggers(tables: Collection[str] = TABLES) -> dict[str, str]:
    """The CREATE TRIGGER statement of each trigger, worded as pg_get_triggerdef words it."""
    found: dict[str, str] = {}

    def refuse(name: str, table: str, event: str, message: str, each: str = "ROW") -> None:
        add(name, table, event, f"FOR EACH {each}", f"haozhi_refuse('{message}')")

    def add(name: str, table: str, event: str, each: str, call: str) -> None:
        if table in tables:
            found[name] = (
                f"CREATE TRIGGER {name} BEFORE {event} ON {table} {each} EXECUTE FUNCTION {call}"
            )

    for table in APPEND_ONLY:
        message = f"{table} is append-only"
        refuse(f"{table}_no_change", table, "DELETE OR UPDATE", message)
        refuse(f"{table}_no_truncate", table, "TRUNCATE", message, "STATEMENT")

    def refuse_when(name: str, table: str, message: str, when: str) -> None:
        call = f"haozhi_refuse('{message}')"
        add(name, table, "UPDATE", f"FOR EACH ROW WHEN ({when})", call)

    for table in IDENTITY:
        message = f"{table}: identity never changes"
        refuse_when(f"{table}_identity", table, message, _identity_changes(table))
        message = f"{table}: rows are kept"
        refuse(f"{table}_no_delete", table, "DELETE", message)
        refuse(f"{table}_no_truncate", table, "TRUNCATE", message, "STATEMENT")
    for refused in REFUSED:
        refuse_when(*refused)
    each = "FOR EACH ROW"
    add("entry_seals_whole", "entry_seals", "INSERT", each, "haozhi_entry_whole()")
    add("transfers_open", "transfers", "INSERT", each, "haozhi_entry_open()")
    if "entries" in tables:  # at commit, whatever was written since
        found["entries_sealed"] = (
            "CREATE CONSTRAINT TRIGGER entries_sealed AFTER INSERT ON entries"
            f" DEFERRABLE INITIALLY DEFERRED {each} EXECUTE FUNCTION haozhi_entry_sealed()"
        )
    return found


def install(connection: Connection, tables: Collection[str]) -> None:
    """Create or replace the triggers of these tables."""
    if connection.dialect.name == "sqlite":
        for name, statement in sqlite_triggers(tables).items():
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
            connection.exec_driver_sql(statement)
        return
    for name, body in postgres_functions().items():
        connection.exec_driver_sql(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
        )
    for name, statement in postgres_triggers(tables).items():
        table = statement.partition(" ON ")[2].split()[0]
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        connection.exec_driver_sql(statement)


def differences(connection: Connection) -> tuple[str, ...]:
    """One line per trigger or trigger function that is missing, changed, disabled or unknown."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type='trigger'"))
        return _compare("trigger", sqlite_triggers(), dict(rows.all()))
    rows = connection.execute(
        text(
            "SELECT tgname, pg_get_triggerdef(t.oid, true) || CASE tgenabled WHEN 'O' THEN ''"
            " ELSE ' (disabled)' END FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid"
            " WHERE NOT tgisinternal AND c.relnamespace = current_schema()::regnamespace"
        )
    )
    bodies = connection.execute(
        text("SELECT proname, prosrc FROM pg_proc WHERE starts_with(proname, 'haozhi_')")
    )
    return (
        *_compare("trigger", postgres_triggers(), dict(rows.all())),
        *_compare("function", postgres_functions(), dict(bodies.all())),
    )


def _compare(kind: str, expected: Mapping[str, str], found: Mapping[str, str]) -> tuple[str, ...]:
    missing = [f"{kind} {name} is missing" for name in sorted(expected.keys() - found.keys())]
    unknown = [f"{kind} {name} is unknown" for name in sorted(found.keys() - expected.keys())]
    changed = [
        f"{kind} {name} is changed"
        for name in sorted(expected.keys() & found.keys())
        if expected[name] != found[name]
    ]
    return (*missing, *unknown, *changed)
