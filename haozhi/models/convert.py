"""Turns a GGUF file into a folder that transformers loads in a second instead of half a minute.

`python -m haozhi.models.convert FILE.gguf FOLDER`
"""

import sys
from pathlib import Path


def gguf_to_safetensors(gguf: Path, folder: Path) -> None:
    """Write the dequantised float32 weights, the configuration and the tokenizer into `folder`.

    float32 because it holds the 4-bit values exactly; float16 would halve the file and move
    log-probabilities by up to 0.02 (gemma) or 0.07 nats (smollm2).
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source, file = str(gguf.parent), gguf.name
    tokenizer = AutoTokenizer.from_pretrained(source, gguf_file=file)
    model = AutoModelForCausalLM.from_pretrained(source, gguf_file=file, dtype=torch.float32)
    # The weights are plain floats now; saving refuses a model that still claims to be quantised.
    vars(model).update(hf_quantizer=None, is_quantized=False)
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    # The name in the file's header is not a path; a fixed one keeps the folder free of ours.
    model.config._name_or_path = ""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    gguf_to_safetensors(Path(sys.argv[1]), Path(sys.argv[2]))
