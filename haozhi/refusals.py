"""Answers that are refused: why, in which words, and what is kept of them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from haozhi.language import Language, as_language
from haozhi.retrieve import Retrieval
from store.records.answers import Answer

REFUSAL: dict[Language, str] = {
    "en": "No stored statement answers this question.",
    "zh": "库中没有陈述能回答这个问题。",
}


def refuse_over_budget(answer: Answer, over: Collection[int]) -> Answer:
    """What is stored of an answer that its asker may not be shown: nothing of what it rests on."""
    return _refused(answer, "over_budget", [*answer.options["over_budget"], *sorted(over)])


def refuse_deleted(answer: Answer) -> Answer:
    """What is stored of an answer whose statements were deleted while it was being given."""
    return _refused(answer, "nothing_found", answer.options["over_budget"])


def _refused(answer: Answer, refusal: str, left_out: Sequence[int]) -> Answer:
    none: dict[str, Any] = {"relations": {}} if "relations" in answer.options else {}
    return replace(
        answer,
        state="refused",
        text="" if answer.kind == "who" else REFUSAL[as_language(answer.language)],
        prompt_ids=(),
        tail_start=0,
        answer_ids=(),
        options=answer.options | none | {"way": None, "over_budget": list(left_out)},
        refusal=refusal,
        fee_micro=0,
        context=(),
        segments=(),
    )


def why_refused(retrieval: Retrieval) -> str:
    """Why nothing answers it: what there was does not, none may be shown, or none was found."""
    if retrieval.found:
        return "unsupported"
    return "over_budget" if retrieval.over_budget else "nothing_found"
