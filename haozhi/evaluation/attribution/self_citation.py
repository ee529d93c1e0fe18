"""Citing as many systems do it: the model is shown numbered sources and writes the number itself.

It reads worked examples that end in markers (`Norway [1][3]`), then the sources, the question and
the answer, and continues with a marker. A statement's part is the probability of its number among
all numbers. Nothing pays by this; it is there to be compared with.
"""

import math
from collections.abc import Iterable, Sequence

from haozhi.language import Language
from haozhi.models.generator import Generator
from haozhi.models.prefix import prefill, token_log_probs

_EXAMPLES = {
    "en": (
        "Sources:\n[1] The library opens at nine in the morning.\n[2] Tom lives in Oslo.\n"
        "[3] The red car belongs to Jane.\nQuestion: Whose car is the red one?\n"
        "Answer: Jane [3]\n\n"
        "Sources:\n[1] Tom was born in Oslo.\n[2] Oslo is the capital of Norway.\n"
        "[3] Anna works at the bakery.\nQuestion: In which country was Tom born?\n"
        "Answer: Norway [1][2]\n\nSources:\n"
    ),
    "zh": (
        "资料：\n[1] 图书馆早上九点开门。\n[2] 小王住在大连。\n[3] 红色的车是小李的。\n"
        "问题：红色的车是谁的？\n答案：小李[3]\n\n"
        "资料：\n[1] 汤姆出生在奥斯陆。\n[2] 奥斯陆是挪威的首都。\n[3] 小张在面包店上班。\n"
        "问题：汤姆出生在哪个国家？\n答案：挪威[1][2]\n\n资料：\n"
    ),
}
_ASKED = {"en": ("Question: ", "\nAnswer: ", " ["), "zh": ("问题：", "\n答案：", "[")}


def self_citation(
    generator: Generator, language: Language, question: str, statements: Sequence[str], answer: str
) -> tuple[float, ...]:
    """The part of each statement, 0..1, together 1 (of at least one statement)."""
    before, then, bracket = _ASKED[language]
    ids = [*generator.opening, *generator.encode_template(_EXAMPLES[language])]
    for number, text in enumerate(statements, start=1):
        ids += generator.encode(f"[{number}] {text}\n")
    ids += generator.encode(f"{before}{question}{then}{answer}{bracket}")
    prefix = prefill(generator, ids[:-1])
    scores = [
        sum(token_log_probs(generator, prefix, ids[-1:], generator.encode(f"{number}]")))
        for number in range(1, len(statements) + 1)
    ]
    return tuple(_softmax(scores))


def _softmax(scores: Sequence[float]) -> Iterable[float]:
    parts = [math.exp(score - max(scores)) for score in scores]
    return (part / sum(parts) for part in parts)
