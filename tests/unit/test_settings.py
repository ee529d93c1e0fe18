"""Settings come from variables, then a TOML file, and a bad one is named in one line."""

from pathlib import Path

import pytest

from haozhi.settings import load_settings
from store.errors import UsageError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home and no HAOZHI_ or XDG_ variable."""
    for name in ("CONFIG", "DATA_DIR", "DATABASE_URL", "MODEL_DIR", "GENERATOR", "TOP_K"):
        monkeypatch.delenv(f"HAOZHI_{name}", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def test_defaults_live_in_the_home_folder(home: Path) -> None:
    """Without any setting, data and models live where the XDG rules put them."""
    settings = load_settings()
    assert settings.data_dir == home / ".local/share/haozhi"
    assert settings.model_dir == home / ".cache/haozhi/models"
    assert settings.database_url == f"sqlite:///{home}/.local/share/haozhi/haozhi.db"


def test_the_database_follows_the_data_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """HAOZHI_DATA_DIR alone moves everything that is kept."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(home / "elsewhere"))
    assert load_settings().database_url == f"sqlite:///{home}/elsewhere/haozhi.db"


def test_the_environment_beats_the_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable wins over the TOML file, and the file wins over the default."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(home))
    (home / "haozhi.toml").write_text("top_k = 3\nfee_micro = 7\n")
    monkeypatch.setenv("HAOZHI_TOP_K", "5")
    settings = load_settings()
    assert (settings.top_k, settings.fee_micro) == (5, 7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOP_K", "many"),
        ("TOP_K", "0"),
        ("FEE_MICRO", "-1"),
        ("DEVICE", "tpu"),
        ("DTYPE", "int4"),
        ("CONFIG", "/no/such/file.toml"),
    ],
)
def test_a_bad_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """A value that cannot be used is one line with its variable in it, and exit code 2."""
    monkeypatch.setenv(f"HAOZHI_{name}", value)
    with pytest.raises(UsageError, match=f"^HAOZHI_{name}") as caught:
        load_settings()
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("text", ["tpo_k = 3", "top_k = "])
def test_a_bad_file_is_named(home: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A misspelt name or broken TOML is reported with the file, not ignored."""
    monkeypatch.setenv("HAOZHI_DATA_DIR", str(home))
    (home / "haozhi.toml").write_text(text)
    with pytest.raises(UsageError, match=r"haozhi\.toml"):
        load_settings()


def test_settings_cannot_change() -> None:
    """A setting is fixed once it is read."""
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.top_k = 1  # type: ignore[misc]  # the assignment is what must fail


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """`HAOZHI_DATA_DIR=` must not put a database into the current folder."""
    default = load_settings().data_dir
    monkeypatch.setenv("HAOZHI_DATA_DIR", "")
    assert load_settings().data_dir == default
