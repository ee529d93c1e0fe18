"""Why an answer is as it is, in words: both languages, unknown is never a number."""

import pytest

from haozhi.cli.why_text import why_lines
from tests.fake_service import ANSWER, WHY

SETS = [
    {
        "segment": 0,
        "relation": "supports",
        "statement_ids": [3, 7],
        "strength": 0.9,
        "method": "chain",
    },
    {
        "segment": 0,
        "relation": "contradicts",
        "statement_ids": [7],
        "strength": 1.0,
        "method": "number",
    },
    {"segment": 1, "relation": "also", "statement_ids": [8], "strength": 0.95, "method": "terms"},
]


def _lines(language: str) -> list[str]:
    (tier,) = WHY["attributions"]
    found = WHY | {"attributions": [tier | {"supports": SETS}]}
    return list(why_lines(ANSWER | {"language": language}, found))


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        (
            "en",
            [
                "Final shares (r/1, m)",
                "  log-probability without statements, nats: -2.5",
                "  log-probability with all of them, nats: unknown",
                "  model passes: 7",
                "  passes allowed: 128",
                "  statements elsewhere looked at: unknown",
                "  nothing predicts them: <none>",
                "Influence of each statement in nats (paired)",
                "    -0.300  #7 <script>alert(1)</script>",
                "  supported by #3 + #7 (linked terms, 0.90)",
                "  denied by #7 (it gives another number or date, 1.00)",
                "  also said by #8 (shared terms, 0.95)",
                "     -2.500  none",
                "     -0.250  #7",
                "The final shares differ from the provisional ones by up to 25.0 %.",
            ],
        ),
        (
            "zh",
            [
                "最终份额（r/1，m）",
                "  没有陈述时的对数概率（奈特）：-2.5",
                "  有全部陈述时的对数概率（奈特）：未知",
                "  支持：#3 + #7（词语相连，0.90）",
                "  否认：#7（数字或日期不同，1.00）",
                "  也这样说：#8（词语相符，0.95）",
                "最终份额与暂定份额最多相差 25.0 %。",
            ],
        ),
    ],
)
def test_all_that_is_stored_is_told(language: str, wanted: list[str]) -> None:
    """Measures, what was spent, influence, who supports, denies and also says, single values."""
    lines = _lines(language)
    assert [line for line in wanted if line not in lines] == []
