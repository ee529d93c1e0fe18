"""The permanent natural keys of the entries that distribute the fees of answers."""

from sqlalchemy import ColumnElement, SQLColumnExpression, literal

_BEFORE, _AFTER = "answer:", ":dist:1"
#: What LIKE finds them by.
DISTRIBUTIONS = f"{_BEFORE}%{_AFTER}"


def distribution_key(answer_id: str) -> str:
    """The key of the entry that distributes an answer's fee."""
    return f"{_BEFORE}{answer_id}{_AFTER}"


def distribution_key_of(answer_id: SQLColumnExpression[str]) -> ColumnElement[str]:
    """The same of a column, in SQL."""
    return literal(_BEFORE) + answer_id + literal(_AFTER)


def distributed_answer(key: str) -> str:
    """The id of the answer whose fee the entry of this key distributes."""
    return key.removeprefix(_BEFORE).removesuffix(_AFTER)
