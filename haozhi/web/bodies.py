"""What the API takes: bodies of JSON, nothing in them converted, nothing unknown."""

from email.message import Message
from typing import Annotated

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field

from haozhi.ask import AskOptions
from haozhi.language import Language
from haozhi.web.problems import Problem


class Body(BaseModel):
    """A request's JSON: nothing is converted, and a member it does not know is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Ask(Body):
    """The body of `POST /v1/ask`."""

    question: str
    language: Language | None = None
    top_k: Annotated[int | None, Field(ge=1, le=64)] = None
    seed: Annotated[int | None, Field(ge=0, lt=2**53)] = None
    share_question: bool = False

    @property
    def options(self) -> AskOptions:
        """How to answer."""
        return AskOptions(
            language=self.language,
            top_k=self.top_k,
            seed=self.seed,
            share_question=self.share_question,
        )


class Who(Body):
    """The body of `POST /v1/who`."""

    claim: str
    language: Language | None = None


def needs_json(request: Request) -> None:
    """415 for any other kind of body; a form on another site cannot send this one unasked."""
    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    if header.get_content_type() != "application/json":
        raise Problem(415, "send application/json")
