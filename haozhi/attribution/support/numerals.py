"""Numbers in words become digits: 三百二十米, 二〇一六年, two hundred, twenty-one."""

import re

from haozhi.sums import canonical_number

_DIGIT = "一二两三四五六七八九"
_UNITS = (
    "[岁年月日号天米元点块个只条本位名座颗张棵匹次种间盆周道层楼枚支份把家人]"
    "|分钟|小时|公里|公斤|厘米|千克|星期"
)
_HAN = re.compile(
    f"(?:[{_DIGIT}]+[十百千万])+[零{_DIGIT}]*|十[{_DIGIT}]?|[{_DIGIT}〇零]{{4}}(?=年)"
    # 一 before a counting word is mostly an article.
    "|(?<![哪每这那某几])一(?=[岁年月日号米元]|点钟|分钟|小时|公里|公斤|厘米|千克|块钱)"
    f"|[{_DIGIT[1:]}](?={_UNITS})"
)
_POWERS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "hundred": 100, "thousand": 1000}
_SMALL = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
)
_ENGLISH = re.compile(
    rf"\b(?:{_SMALL})(?:[ -](?:{_SMALL}|hundred|thousand)\b|(?<=hundred) and (?:{_SMALL})\b)+",
    re.IGNORECASE,
)


def with_digits(text: str) -> str:
    """The text with numbers of more than one word, and Chinese numbers that count, in digits."""
    text = _HAN.sub(lambda match: _value(match[0].replace("〇", "零")), text)
    return _ENGLISH.sub(lambda match: _value(*re.findall(r"[a-z]+", match[0].lower())), text)


def _value(*words: str) -> str:
    """The number that numerals say in order; digits without powers are read one by one."""
    parts = [part for part in (words if len(words) > 1 else words[0]) if part != "and"]
    if len(words) == 1 and not set(parts) & _POWERS.keys():
        return "".join(map(canonical_number, parts))
    total = group = digit = 0
    for part in parts:
        power = _POWERS.get(part)
        if power is None:
            digit += int(canonical_number(part))
        elif power >= _POWERS["千"] and part != "千":
            total, group, digit = total + (group + digit) * power, 0, 0
        else:
            group, digit = group + (digit or 1) * power, 0
    return str(total + group + digit)
