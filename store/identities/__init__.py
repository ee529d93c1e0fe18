"""Who an author is: names and identifiers in files, decisions of admins, and the money of both."""

from store.identities.checking import identity_differences
from store.identities.coming import Coming
from store.identities.deciding import confirm, go_on, merge, split, undo
from store.identities.decisions import Decided, Decision, list_decisions
from store.identities.identifiers import Identifier, parse_identifier
from store.identities.known_as import add_alias, identify
from store.identities.naming import Named, author_named, find_named
from store.identities.queue import Waiting, list_waiting

__all__ = [
    "Coming",
    "Decided",
    "Decision",
    "Identifier",
    "Named",
    "Waiting",
    "add_alias",
    "author_named",
    "confirm",
    "find_named",
    "go_on",
    "identify",
    "identity_differences",
    "list_decisions",
    "list_waiting",
    "merge",
    "parse_identifier",
    "split",
    "undo",
]
