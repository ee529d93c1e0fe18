"""Chooses where a model runs and in which floats, unless settings say so."""

from typing import TYPE_CHECKING

from store.errors import UsageError

if TYPE_CHECKING:
    import torch


def choose_device(name: str) -> "torch.device":
    """The device called `name`; "auto" is CUDA, else MPS, else the CPU. UsageError: not here."""
    import torch

    if name == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    device = torch.device(name)
    present = {
        "cpu": True,
        "mps": torch.backends.mps.is_available(),
        "cuda": (device.index or 0) < torch.cuda.device_count(),
    }
    if not present[device.type]:
        raise UsageError(f"HAOZHI_DEVICE: there is no {name} here")
    return device


def choose_dtype(name: str, device: "torch.device") -> "torch.dtype":
    """The float type called `name`; "auto" is bfloat16 on CUDA, float32 elsewhere."""
    import torch

    if name == "auto":
        return torch.bfloat16 if device.type == "cuda" else torch.float32
    dtype = getattr(torch, name)
    assert isinstance(dtype, torch.dtype)
    return dtype
