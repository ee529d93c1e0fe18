"""Names as files write them: which stand for nobody, and how several are written in one field.

Splitting is careful: two people who stay one name can be split later by hand; one person cut in two
would be two wrong authors.
"""

import re
from collections.abc import Iterable, Iterator

from ingest.fields import check_name
from store.errors import BadInput
from store.text import name_key

# What programs write where a person should stand.
_NOBODY = re.compile(
    r"wps_\d+|user\s?\d+|calibre\b.*|(?:python|apache|libre|open)\S*[ /]\d.*|"
    r"python-docx|python-pptx|openpyxl|xlsxwriter|libreoffice|openoffice|openoffice\.org|wps|"
    r"wps office|apache poi|poi|phpword|phpspreadsheet|aspose|pandoc|docx4j|tcpdf|latex|"
    r"microsoft|microsoft corporation|microsoft word|microsoft office|microsoft office user|"
    r"microsoft office 用户|微软用户|微软中国|微软|windows|win|windows user|windows 用户|mac|"
    r"administrator|administrators|admin|root|user|users|user ?name|default|default user|guest|"
    r"owner|pc|hp|hp inc\.|dell|lenovo|lenovo user|thinkpad|asus|acer|system|computer|"
    r"unknown|unknown author|unknown user|unnamed|untitled|anonymous|anon|(?:the )?authors?|"
    r"your name|editor|nobody|none|null|nil|n/a|na|nan|undefined|tbd|assistant|"
    r"用户|管理员|系统管理员|作者|佚名|无名|无名氏|匿名|匿名用户|未知|未知作者|不详|无|联想|联想用户|"
    r"番茄花园|雨林木风|深度技术|使用者|管理者|系統管理員|無名氏|匿名使用者|不詳|無|微軟使用者"
)
_BEFORE = re.compile(
    r"\s*(?:(?:written\s+)?by[\s:：]\s*|authors?\s*[:：]\s*|作\s*者\s*[:：]|文\s*[/／|｜丨]\s*)",
    re.IGNORECASE,
)
_HAN_NAME = re.compile(r"[\u3400-\u9fff]{2,4}|[\u3400-\u9fff]{1,8}[·・•][\u3400-\u9fff·・•]{1,12}")
_COMPOUND = ("欧阳", "歐陽", "司马", "司馬", "上官", "诸葛", "諸葛", "夏侯", "皇甫", "尉迟", "公孙",
             "慕容", "令狐", "长孙", "宇文", "司徒", "东方", "端木", "独孤")  # fmt: skip
_ROLE = re.compile(r"\s*(?:编著|編著|主编|主編|合著|撰文|[著撰编編])$")
_PLACE = re.compile(r"((?:[A-Z][\w.'’-]*\s+){2,4})(?:at|in)\s+[A-Z][^,;]*(?:,\s*[A-Z][^,;]*)?")
_AND = re.compile(r"\s*,?\s+(?:and|&)\s+")
_HAN_AND = re.compile(r"\s*[和与與及]\s*")
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV|Ph\.?\s?D|M\.?D|Esq|MBA|RN)\.?")
_YEARS = re.compile(r",\s*[0-9]{4}\??-[0-9]{0,4}\.?$")
_INITIALS = re.compile(r"(?:[A-Z]\.?[\s-]?){1,4}")
_ORGANISED = re.compile(
    r"\b(?:of|for|the|department|university|institute|college|school|ministry|committee|council|"
    r"company|inc|ltd|llc|corp|group|society|association|foundation|bank|partners|sons|"
    r"news|rumors|media|magazine|journal|agency|staff|newsroom|network|editors|editorial|team|"
    r"reporters?|correspondents?|bureau|desk|contributors?)\b|"
    r"(?:通讯社|新华社|日报|晚报|公司|大学|编辑部)",
    re.IGNORECASE,
)
_OUTLETS = re.compile(
    "ap|associated press|reuters|bloomberg|afp|agence france-presse|bbc|cnn|cnbc|npr|pa|dpa|kyodo|"
    "xinhua|新华社|人民网|中新社|央视"
)


def known_names(written: str | Iterable[str], outlet: str | None = None) -> tuple[str, ...]:
    """The distinct names in a field (one string, split) or list; () when nobody is named.

    Names of programs, accounts and of nobody are left out, and what no name can be.
    """
    names = split_names(written, outlet) if isinstance(written, str) else written
    distinct: dict[str, str] = {}
    for name in names:
        try:
            key = name_key(check_name(name))
        except BadInput:
            continue
        if not stands_for_nobody(key):
            distinct.setdefault(key, check_name(name))
    return tuple(distinct.values())


def with_identifiers(
    names: tuple[str, ...], identifiers: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names and their identifiers in the same order; without names the identifiers are names.

    Raises BadInput when it is not clear which name has which identifier.
    """
    if not any(identifiers):
        return names, ()
    if not names:
        named = tuple(filter(None, identifiers))
        return named, named
    if len(names) != len(identifiers):
        raise BadInput(
            f"{len(identifiers)} identifiers are given for {len(names)} authors: give as many,"
            " as a list"
        )
    return names, identifiers


def stands_for_nobody(name: str) -> bool:
    """Whether it names a program or nobody: `python-docx`, `微软用户`, `Unknown`."""
    key = name_key(name).casefold()
    return _NOBODY.fullmatch(key) is not None or not any(map(str.isalpha, key))


def split_names(written: str, outlet: str | None = None) -> tuple[str, ...]:
    """The names in a byline or an author field, without the outlet that follows them.

    `A, B and C`, `A; B`, `张三、李四` are several; `Smith, John` and `Marks and Spencer` are one.
    `outlet` is where the text was published, if that is known.
    """
    text = " ".join(_BEFORE.sub("", written, count=1).split())
    # What follows a dash is where or as what they write.
    people = re.split(r"\s+[-–—|｜]\s+", text)[0]
    names = [name for part in re.split(r"[;；、]", people) for name in _in_part(part.strip())]
    persons = [name for name in names if not _is_outlet(name, outlet)]
    return tuple(name for name in persons or names if name)


def _in_part(text: str) -> Iterator[str]:
    if re.search(r"[\u3400-\u9fff]", text):
        yield from _han(_ROLE.sub("", text))
        return
    place = _PLACE.fullmatch(text)
    if place and not _ORGANISED.search(place[1]):
        text = place[1].strip()
    pieces = _with_suffixes(re.split(r"\s*,\s*", _YEARS.sub("", text)))
    if _is_last_first(pieces) or any(map(_AND.search, pieces[:-1])):
        yield ", ".join(pieces)
    elif _are_all_last_first(pieces):
        yield from (f"{a}, {b}" for a, b in zip(pieces[::2], pieces[1::2], strict=True))
    else:
        for piece in pieces:
            yield from _joined_by_and(piece, in_list=len(pieces) > 1)


def _with_suffixes(pieces: list[str]) -> list[str]:
    """`King, Jr.` is one piece."""
    joined: list[str] = []
    for piece in pieces:
        if joined and _SUFFIX.fullmatch(piece):
            joined[-1] += f", {piece}"
        else:
            joined.append(piece)
    return joined


def _is_last_first(pieces: list[str]) -> bool:
    if len(pieces) != 2 or _AND.search(pieces[1]) or _is_outlet(pieces[1], None):
        return False
    return len(pieces[0].split()) == 1 and 1 <= len(pieces[1].split()) <= 3


def _are_all_last_first(pieces: list[str]) -> bool:
    firsts = pieces[1::2]
    return len(pieces) % 2 == 0 and all(_INITIALS.fullmatch(first) for first in firsts)


def _joined_by_and(piece: str, *, in_list: bool) -> Iterator[str]:
    sides = _AND.split(re.sub(r"^and\s+", "", piece))
    whole = any(len(side.split()) < 2 for side in sides) and not in_list
    if whole or _ORGANISED.search(piece):
        yield re.sub(r"^and\s+", "", piece)
    else:
        yield from sides


def _han(text: str) -> Iterator[str]:
    """Names in Chinese: lists by comma, by 和, or by spaces."""
    for pattern in (r"\s*[,，]\s*", _HAN_AND, r"\s+"):
        names = re.split(pattern, text)
        spaced = pattern == r"\s+" and (len(names) < 3 and names[0] in _COMPOUND)
        if len(names) > 1 and not spaced and all(map(_HAN_NAME.fullmatch, names)):
            yield from names
            return
    yield text.strip()


def _is_outlet(name: str, outlet: str | None) -> bool:
    key = name.casefold()
    if _OUTLETS.fullmatch(key) or key.startswith("the "):
        return True
    if outlet and key == outlet.casefold():
        return True
    return _ORGANISED.search(name) is not None
