"""Presentations: a slide is a page, its title a heading; notes follow it, comments have a voice."""

from ingest.documents import Document
from ingest.drafts import Draft
from ingest.fields import find_date
from ingest.formats.package import Package
from ingest.formats.xml import Element, all_named, attribute, first_named, name_of

_FURNITURE = frozenset(("dt", "ftr", "hdr", "sldNum", "sldImg"))
_TITLES = frozenset(("title", "ctrTitle"))


def read_pptx(data: bytes) -> Document:
    """A presentation in the order in which it is shown; hidden slides are named in the notes."""
    package = Package(data)
    main = (package.related("", "officeDocument") or ["ppt/presentation.xml"])[0]
    draft = Draft()
    people = _people(package, main)
    relations = package.relations(main)
    for number, slide_id in enumerate(all_named(package.xml(main), "sldId"), start=1):
        _, part = relations.get(_relation(slide_id), ("", ""))
        slide = package.xml(part)
        draft.begin_page()
        if attribute(slide, "show") in ("0", "false"):
            draft.notes.append(f"slide {number} is hidden and not read")
            continue
        _shapes(draft, slide)
        for notes in package.related(part, "notesSlide"):
            _shapes(draft, package.xml(notes))
        for comments in package.related(part, "comments"):
            _comments(draft, package.xml(comments), people)
    title, author = package.core()
    return draft.finish(title=title, authors=author)


def _relation(element: Element) -> str:
    """The relationship id; the attribute `id` without a namespace is another one."""
    return next((v for k, v in element.attrib.items() if k.endswith("relationships}id")), "")


def _shapes(draft: Draft, slide: Element) -> None:
    for shape in all_named(slide, "sp", "tr"):
        if name_of(shape) == "tr":
            cells = (_text(cell).strip() for cell in all_named(shape, "tc"))
            draft.add("\t".join(filter(None, cells)), whole=True)
            continue
        kind = next((attribute(ph, "type") or "" for ph in all_named(shape, "ph")), "")
        body = first_named(shape, "txBody")
        if body is None or kind in _FURNITURE:
            continue
        if kind in _TITLES:
            draft.heading(_text(body), 1)
        else:
            for paragraph in all_named(body, "p"):
                draft.add(_text(paragraph))


def _comments(draft: Draft, root: Element, people: dict[str, str]) -> None:
    """Comments and replies, by the person whose id they have."""
    for comment in all_named(root, "cm", "reply"):
        body = first_named(comment, "txBody")
        plain = first_named(comment, "text")
        text = (plain.text or "") if plain is not None else "" if body is None else _text(body)
        date = find_date(attribute(comment, "dt") or attribute(comment, "created"))
        name = people.get(attribute(comment, "authorId") or "", "")
        draft.add_voice(text, name, published_on=date)


def _people(package: Package, main: str) -> dict[str, str]:
    """The names of commenters by id."""
    parts = package.related(main, "commentAuthors") + package.related(main, "authors")
    found = (person for part in parts for person in package.xml(part))
    return {attribute(person, "id") or "": attribute(person, "name") or "" for person in found}


def _text(element: Element) -> str:
    """The text of a shape or paragraph; paragraphs and line breaks are lines."""
    pieces: list[str] = []
    for found in all_named(element, "t", "br", "p", "tab"):
        match name_of(found):
            case "t":
                pieces.append(found.text or "")
            case "tab":
                pieces.append("\t")
            case _:
                pieces.append("\n")
    return "".join(pieces).strip("\n")
