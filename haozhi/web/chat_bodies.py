"""What the OpenAI-compatible endpoint takes: the members that can mean something here."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from haozhi.ask import AskOptions
from store.errors import BadInput


class _Part(BaseModel):
    """Clients send members that we have no use for: they are let through and ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)


class TextPart(_Part):
    """A piece of a message that is text."""

    type: Literal["text"]
    text: str


class Message(_Part):
    """One turn; `content` is null in turns that only call tools."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """All its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content)
        return self.content or ""


class StreamOptions(_Part):
    """What a stream says beside the answer."""

    include_usage: bool = False


class Completion(_Part):
    """The body of `POST /v1/chat/completions`.

    The last message of the user is the question. Earlier turns and system messages are not read:
    what an answer rests on are statements that somebody is credited for.
    """

    model: str
    messages: Annotated[list[Message], Field(min_length=1, max_length=1000)]
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] = 1
    # JSON knows one kind of number: 1 is as good a temperature as 1.0.
    temperature: Annotated[float, Field(ge=0, le=5, strict=False)] = 0.0
    top_p: Annotated[float, Field(gt=0, le=1, strict=False)] = 1.0
    seed: Annotated[int | None, Field(ge=0, lt=2**53)] = None
    max_tokens: Annotated[int | None, Field(ge=1, le=4096)] = None
    max_completion_tokens: Annotated[int | None, Field(ge=1, le=4096)] = None

    @property
    def question(self) -> str:
        """The text of the last message. BadInput: it is not the user's."""
        if self.messages[-1].role != "user":
            raise BadInput("the last message must be the user's: it is the question")
        return self.messages[-1].text

    @property
    def options(self) -> AskOptions:
        """How to answer."""
        return AskOptions(
            seed=self.seed,
            temperature=self.temperature,
            top_p=self.top_p,
            max_new_tokens=self.max_completion_tokens or self.max_tokens,
        )
