"""Authors who are not stored, but would be by now if a plan had been carried out so far."""

from dataclasses import dataclass, field

from store.identities.identifiers import Identifier
from store.people import Author
from store.text import name_key


@dataclass(frozen=True)
class Coming:
    """New authors by a stand-in for the id that they have not got yet, their stand-ins by namespace
    and name, and whom, stored or new, a new identifier means.
    """

    authors: dict[str, Author] = field(default_factory=dict)
    called: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    identified: dict[Identifier, str] = field(default_factory=dict)

    def copy(self) -> "Coming":
        """The same, to go on from without changing this one."""
        return Coming(dict(self.authors), dict(self.called), dict(self.identified))

    def add(self, author_id: str, name: str, namespace: str) -> None:
        """A new author under the first name met; one who is there already stays as they are."""
        if author_id not in self.authors:
            self.authors[author_id] = Author(author_id, namespace, name, holder_id="")
            key = (namespace, name_key(name))
            self.called[key] = (*self.called.get(key, ()), author_id)

    def find(self, name: str, namespace: str) -> tuple[Author, ...]:
        """The new authors of this name, as `find_authors` finds the stored ones."""
        ids = self.called.get((namespace, name_key(name)), ())
        return tuple(self.authors[each] for each in ids)

    def identifiers_of(self, author_id: str) -> tuple[Identifier, ...]:
        """The new identifiers of an author, stored or new."""
        return tuple(each for each, whose in self.identified.items() if whose == author_id)
