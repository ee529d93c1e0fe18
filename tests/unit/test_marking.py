"""Which words of a statement are marked beside an answer."""

import pytest

from haozhi.marking import marked


@pytest.mark.parametrize(
    ("text", "answer", "shared"),
    [
        ("The botanist was born in Bergen.", "Born in Bergen, Norway.", ["born", "Bergen"]),
        ("林晚出生在青岛。", "她生于青岛", ["青岛"]),
        ("An octopus has three hearts.", "3", ["three"]),
        ("1 + 1 = 2", "1 + 1 = 2", ["1", "1", "2"]),
        ("The sea is blue.", "It is green.", []),
        ("", "anything", []),
    ],
)
def test_shared_words_are_marked(text: str, answer: str, shared: list[str]) -> None:
    """Stems, numbers and Han runs of two or more; function words and punctuation are not."""
    stretches = marked(text, answer)
    assert "".join(stretch for stretch, _ in stretches) == text
    assert [stretch for stretch, is_shared in stretches if is_shared] == shared
