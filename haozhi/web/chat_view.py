"""An answer in the shapes of OpenAI's chat completions, with its sources as URL citations."""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

#: What `/v1/models` calls this place: which generator answers is settings' business.
MODEL = "haozhi"


def completion(answer: Json, why: Json, site: str) -> Json:
    """The whole answer. `answer` and `why` are the API's JSON; `site` is our address."""
    message = {
        "role": "assistant",
        "content": answer["text"],
        "refusal": answer["text"] if answer["state"] == "refused" else None,
        "annotations": annotations(answer, site),
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return {
        **_head(answer, why, "chat.completion"),
        "choices": [choice],
        "usage": _usage(why),
        "haozhi": answer,
    }


def chunks(answer: Json, why: Json, site: str, *, include_usage: bool) -> Iterator[Json]:
    """The answer as a stream: the role, the segments, the citations, the end, the usage if wanted.

    Nothing is told before the answer is stored: this protocol cannot take a word back, and a draft
    may be dropped for another candidate or for a refusal.
    """
    head = _head(answer, why, "chat.completion.chunk")
    head |= {"usage": None} if include_usage else {}

    def chunk(delta: Json, finish: str | None = None, **more: Any) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return {**head, "choices": [choice], **more}

    yield chunk({"role": "assistant", "content": ""})
    for piece in _pieces(answer):
        yield chunk({"content": piece})
    if answer["state"] == "refused":
        yield chunk({"refusal": answer["text"]})
    yield chunk({"annotations": annotations(answer, site)})
    yield chunk({}, "stop", haozhi=answer)
    if include_usage:
        yield {**head, "choices": [], "usage": _usage(why)}


def _pieces(answer: Json) -> Iterator[str]:
    """The text segment by segment, each with what stands before it."""
    done = 0
    for segment in answer["segments"]:
        yield answer["text"][done : segment["end"]]
        done = segment["end"]
    if done < len(answer["text"]):
        yield answer["text"][done:]


def annotations(answer: Json, site: str) -> list[Json]:
    """A `url_citation` for each segment and statement that it cites; offsets in code points."""
    entries = {entry["statement_id"]: entry for entry in answer["context"]}
    return [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": segment["start"],
                "end_index": segment["end"],
                "title": _title(entries[citation["statement_id"]]),
                "url": f"{site}/answers/{answer['id']}#s{citation['statement_id']}",
            },
        }
        for segment in answer["segments"]
        for citation in segment["citations"]
    ]


def _title(entry: Json) -> str:
    """Who said it and where, as far as it is known."""
    names = [author["name"] for author in entry["authors"] if author["name"]]
    work = entry["work"]["title"] if entry["work"] else None
    return ", ".join(names + ([work] if work else [])) or f"statement {entry['statement_id']}"


def _head(answer: Json, why: Json, kind: str) -> Json:
    return {
        "id": answer["id"],
        "object": kind,
        "created": why["created_ms"] // 1000,
        "model": MODEL,
        "system_fingerprint": why["model_fingerprint"],
    }


def _usage(why: Json) -> Json:
    """Tokens of the prompt and of the answer; an answer without a prompt took none."""
    prompt, answer = (why["tokens"][part] if why["tokens"] else 0 for part in ("prompt", "answer"))
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
    }
