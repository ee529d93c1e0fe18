"""Settings: `HAOZHI_…` variables first, then a TOML file, then the defaults below."""

import os
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from haozhi.payouts.sender import Sender
from store.errors import UsageError

Currency = Annotated[str, Field(pattern=r"^(CNY|EUR|USD)$")]
AbsolutePath = Annotated[Path, AfterValidator(lambda path: path.expanduser().absolute())]


def _xdg(variable: str, default: str) -> Path:
    """The user's folder that an XDG variable names, with haozhi's own folder in it."""
    return Path(os.environ.get(variable) or f"~/{default}") / "haozhi"


class Settings(BaseSettings):
    """What a person may choose; every field `name` is `HAOZHI_NAME` or `name` in the TOML file."""

    model_config = SettingsConfigDict(
        env_prefix="HAOZHI_", env_ignore_empty=True, frozen=True, extra="forbid"
    )

    data_dir: AbsolutePath = Field(
        default_factory=lambda: _xdg("XDG_DATA_HOME", ".local/share"), validate_default=True
    )
    """Where the database, the vector index and the logs live."""
    database_url: str = Field(
        default_factory=lambda data: f"sqlite:///{data['data_dir']}/haozhi.db"
    )
    """A SQLAlchemy URL: sqlite or postgresql+psycopg."""
    model_dir: AbsolutePath = Field(
        default_factory=lambda: _xdg("XDG_CACHE_HOME", ".cache") / "models", validate_default=True
    )
    """The model cache; everything in it can be installed again."""
    generator: str = Field("builtin:gemma3-270m", min_length=1)
    embedder: str = Field("builtin:e5-small", min_length=1)
    """`builtin:NAME`, a Hugging Face id, or a local folder."""
    reranker: str | None = None
    """A cross-encoder that orders what a search found: a Hugging Face id or a local folder."""
    nli: str | None = None
    """A cross-encoder that says whether a statement entails a part of an answer or denies it."""
    device: str = Field("auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    threads: int = Field(1, ge=1, le=1024)
    """Threads per model process."""
    top_k: int = Field(8, ge=1, le=64)
    """Statements retrieved for a question."""
    max_new_tokens: int = Field(64, ge=1, le=4096)
    attribution_passes: int = Field(128, ge=16, le=2**20)
    """Passes of the model that the attribution of one answer may take, at most."""
    context_tokens: int | None = Field(None, ge=64)
    """Window for prompt and answer together; None is the model's own."""
    fee_micro: int | None = Field(None, ge=0, lt=2**53)
    """What one answer costs here, in micro-credits, whatever the policy says; None leaves it so."""
    asker: str = Field("local", pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    """Who asks on the command line."""
    payout: dict[Currency, Sender] = Field(default_factory=dict)
    """Whose account pays the authors, by currency: `[payout.EUR]` in the TOML file."""

    @property
    def index_dir(self) -> Path:
        """The folder of the vector index."""
        return self.data_dir / "index"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the TOML file (the others are not configured)."""
        toml = TomlConfigSettingsSource(settings_cls, toml_file=_config_file())
        return init_settings, env_settings, dotenv_settings, file_secret_settings, toml


def _config_file() -> Path | None:
    named = os.environ.get("HAOZHI_CONFIG")
    if named and not Path(named).expanduser().is_file():
        raise UsageError(f"HAOZHI_CONFIG: no file {named}")
    if named:
        return Path(named).expanduser()
    data_dir = os.environ.get("HAOZHI_DATA_DIR") or _xdg("XDG_DATA_HOME", ".local/share")
    return Path(data_dir).expanduser() / "haozhi.toml"


def load_settings(**chosen: Any) -> Settings:
    """Settings from arguments, environment and TOML file; UsageError names the first bad one."""
    try:
        return Settings(**chosen)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        got = "" if first["type"] == "extra_forbidden" else f", not {first['input']!r}"
        raise UsageError(f"{_variable(name)}: {first['msg']}{got}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{_config_file()}: {error}") from error


def _variable(name: str) -> str:
    field = name.split(".", 1)[0]
    return f"HAOZHI_{name.upper()}" if field in Settings.model_fields else f"{name} (haozhi.toml)"
