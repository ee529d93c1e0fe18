"""Encodings from before Unicode: several may decode the same bytes, so the text itself decides.

GB18030 gives almost any bytes some meaning. A wrong reading shows in its characters: private-use or
unassigned ones, rare ones only, Han characters inside Latin words, nothing but Hangul.
"""

import codecs
import re
import unicodedata
from functools import cache

# The 480 most frequent Han characters of the evaluation data, simplified and traditional.
_FREQUENT = frozenset(
    "一三上下不与且世业並个中为主么之九也了事二于五些亞交亦人什今从他代以们件价任会似但位体何作你使來依保信個候做傳像元先光克兒入內全兩公共关其出分初別利到制前力功加"
    "动動包化北区區十千半南原去又及反发取受口古只可台史司各合同名后向君吧命和品員問四回因国國在地城基報士外多夜夢大天太夫女好如始子字孤学學它安定实客宮家寒对將對小少"
    "就居展山州工己已巴市布师帝常平年幾府度建开式引当影很後得從復微德心必忽思性息情想愁意感應成我或戰所手才技把投拉括持指接提收改政故教整數文斯新斷方於日早时明易星春"
    "是時暮曲更書最會月有望朝期木未本术来東松林果校样業樂樓樹機權次欲歌正此武歸死每比民氣水求江沙没河治法波活流海淚深清源滿漢火点為無然煙照爭爲爾物特猶獨玉王现現球理"
    "生產用由界當發白百的皆皇盡目直相省看真知石研社神秋种科程種稱空立第等管精系紀約紅終絕統經總经羅美義老者而聞聯聲育胡能臨自至臺與舊舟色花若英草莫華萬落葉著處行衣表"
    "被西要見觉解言語說誰话说谢起足跟路身車軍轉过近还这进這通造連進遊過道達遠還邊那部都鄉酒里重野量金長长門開間關问院陽隨離難雨雪雲電露青非面頭题風飛首香馬體高鳥黃龍"
)
_HAN_IN_LATIN = re.compile(r"([A-Za-z]?)([\u3400-\u9fff\uac00-\ud7a3\uff66-\uff9f]+)")
_KANA = re.compile(r"[\u3040-\u30ff]")
_PLAIN = re.compile(r"[\u3000-\u301f\uff01-\uff5e“”‘’…—·]")
# Where the characters stand that most of a text in the encoding consists of: codec, lead bytes.
_USUAL = {
    "gb18030": (("gb2312", 0xB0, 0xF7), ("big5", 0xA4, 0xC6)),
    "big5hkscs": (("big5", 0xA4, 0xC6),),
    "cp932": (("euc_jp", 0xB0, 0xCF),),
    "euc_jp": (("euc_jp", 0xB0, 0xCF),),
    "cp949": (("euc_kr", 0xB0, 0xC8),),
}
_LATIN = ("cp1252", "cp1250", "cp1251", "cp1253")
_SAMPLE_BYTES = 64 * 1024
_LEAST_USUAL = 0.8
_LEAST_COHERENCE = 0.2
_MOST_CHAOS = 0.1


def legacy_encoding(data: bytes) -> str | None:
    """The encoding of bytes that are no Unicode, None when no reading is convincing.

    GB18030 comes first, also for a word or two; then Big5, Shift JIS, EUC-JP, EUC-KR and the
    single-byte ones, which need more text. Only the beginning is looked at.
    """
    data = _beginning(data)
    if (text := _read(data, "gb18030")) is not None and _is_chinese(data, text):
        return "gb18030"
    found = [(_likeness(text, name), name) for name in _USUAL if name != "gb18030"
             if (text := _read(data, name)) is not None and not _is_latin(text)]  # fmt: skip
    likeness, name = max(found, default=(0.0, ""))
    return name if likeness >= _LEAST_USUAL else _single_byte(data)


def _beginning(data: bytes) -> bytes:
    """At most _SAMPLE_BYTES, as whole lines where there are any (no character ends in one)."""
    if len(data) <= _SAMPLE_BYTES:
        return data
    return data[: data.rfind(b"\n", 0, _SAMPLE_BYTES) + 1] or data[:_SAMPLE_BYTES]


def _read(data: bytes, encoding: str) -> str | None:
    """The text, when every byte has a meaning that people use and writes back the same."""
    try:
        # A beginning without a line feed may end inside a character.
        text = codecs.getincrementaldecoder(encoding)().decode(data, len(data) < _SAMPLE_BYTES)
        written = text.encode(encoding)
    except UnicodeError:
        return None
    odd = any(unicodedata.category(c) in ("Co", "Cn", "Cs") for c in set(text))
    return text if not odd and data.startswith(written) else None


def _is_chinese(data: bytes, text: str) -> bool:
    """Whether a reading as GB18030 looks like Chinese and not like another language misread."""
    marks = [c for c in text if not c.isascii()]
    if _share_usual(marks, "gb18030") < 0.6 or _is_latin(text):
        return False
    if len(_KANA.findall("".join(marks))) >= 0.2 * len(marks):
        return False
    korean = _read(data, "cp949")
    hangul = [c for c in korean or "" if not c.isascii()]
    if len(hangul) < 4 or _share_usual(hangul, "cp949") < 0.95:
        return True
    return _share_frequent(marks) >= 0.3


def _likeness(text: str, encoding: str) -> float:
    """How much a reading looks like the language of its encoding, 0..1."""
    marks = [c for c in text if not c.isascii()]
    usual = _share_usual(marks, encoding)
    if encoding == "big5hkscs":
        return (usual + min(1.0, 2.5 * _share_frequent(marks))) / 2
    if encoding in ("cp932", "euc_jp") and not _KANA.search(text):
        return usual - 0.15
    return usual


def _share_usual(marks: list[str], encoding: str) -> float:
    return sum(_is_usual(c, encoding) for c in marks) / max(1, len(marks))


def _share_frequent(marks: list[str]) -> float:
    return sum(c in _FREQUENT or _PLAIN.match(c) is not None for c in marks) / max(1, len(marks))


@cache
def _is_usual(character: str, encoding: str) -> bool:
    if _PLAIN.match(character):
        return True
    if encoding in ("cp932", "euc_jp") and _KANA.match(character):
        return True
    for codec, low, high in _USUAL[encoding]:
        try:
            code = character.encode(codec)
        except UnicodeEncodeError:
            continue
        if len(code) == 2 and low <= code[0] <= high:
            return True
    return False


def _is_latin(text: str) -> bool:
    """Whether the wide characters stand singly behind Latin letters, as in `caf茅`."""
    runs = _HAN_IN_LATIN.findall(text)
    return bool(runs) and 2 * sum(bool(a) and len(b) == 1 for a, b in runs) >= len(runs)


def _single_byte(data: bytes) -> str | None:
    """What charset-normalizer is sure of; cp1252 where the text reads as well in it."""
    from charset_normalizer import from_bytes

    matches = from_bytes(data, cp_isolation=list(_LATIN))
    best = matches.best()
    if best is None or best.chaos > _MOST_CHAOS or best.coherence < _LEAST_COHERENCE:
        return None
    alike = [m.encoding for m in matches if m.chaos == best.chaos]
    name = "cp1252" if "cp1252" in alike else best.encoding
    return name if _read(data, name) is not None else None
