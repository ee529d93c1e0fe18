"""XML of strangers: no entity is expanded, nothing is fetched, namespaces do not matter.

Names are local names, so that OOXML Strict and Transitional read the same.
"""

from collections.abc import Iterator
from typing import Any

from store.errors import BadInput

Element = Any
"""An lxml element; lxml publishes no types."""


def parse_xml(data: bytes) -> Element:
    """The root element. Raises BadInput for what is no XML."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise BadInput(f"damaged: a part of it is no XML ({error.msg})") from None


def name_of(element: Element) -> str:
    """The local name; '' for an unexpanded entity."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """The value of the attribute with this local name, None when there is none."""
    return next((v for key, v in element.attrib.items() if key.rpartition("}")[2] == name), None)


def all_named(element: Element, *names: str) -> Iterator[Element]:
    """Every element below with one of the names, in document order."""
    return (found for found in element.iter() if name_of(found) in names)


def first_named(element: Element, *path: str) -> Element | None:
    """The first child with the first name, in it the first child with the next, and so on."""
    for name in path:
        element = next((child for child in element if name_of(child) == name), None)
        if element is None:
            return None
    return element


def text_of(element: Element | None) -> str:
    """All text inside, spaces folded; '' for None."""
    return "" if element is None else " ".join("".join(element.itertext("*")).split())
