"""Stage 5: export to ONNX, quantise to int8 (dynamic, per-channel weights), measure latency.

    python -m hoptrail_training.export --run trunk12 --checkpoint cooled.pt --to FOLDER     # default FOLDER: models/joint-encoder
    python -m hoptrail_training.export --latency FILE

The graph is written by `torch.onnx.export` with plain attention. Inputs input_ids, attention_mask, token_type_ids [B, T] int64;
outputs passage_logits [B, 9] and token_logits [B, T, 3] float32.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from . import layout
from .model import ANSWER_TYPES, PASSAGE_LABELS, TOKEN_LABELS, JointEncoder, ModelSize
from .paths import cache_folder, model_folder
from .predict import OnnxRunner, load_checkpoint
from .train import SEED, kept_layers

OPSET = 17


def write_float(model: JointEncoder, file: Path) -> None:
    """The model as a float ONNX file."""
    model.eval()
    model.use_plain_attention()
    file.parent.mkdir(parents=True, exist_ok=True)
    ids = torch.randint(1000, 30000, (2, 48))
    axes = {0: "batch", 1: "tokens"}
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), torch.ones_like(ids)),
        str(file),
        input_names=["input_ids", "attention_mask", "token_type_ids"],
        output_names=["passage_logits", "token_logits"],
        dynamic_axes={
            "input_ids": axes,
            "attention_mask": axes,
            "token_type_ids": axes,
            "passage_logits": {0: "batch"},
            "token_logits": axes,
        },
        opset_version=OPSET,
        dynamo=False,
    )


def write_int8(float_file: Path, file: Path) -> None:
    """Matrices and embeddings in int8, activations quantised at run time."""
    prepared = float_file.with_suffix(".prepared.onnx")
    quant_pre_process(str(float_file), str(prepared), skip_symbolic_shape=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    quantize_dynamic(
        str(prepared),
        str(file),
        op_types_to_quantize=["MatMul", "Gather", "Gemm"],
        per_channel=True,
        reduce_range=False,
        weight_type=QuantType.QInt8,
        extra_options={"MatMulConstBOnly": True},
    )
    prepared.unlink()


def latency(file: Path, lengths: tuple[int, ...] = (128, 256, 384), threads: int = 2, repeats: int = 20) -> dict[int, float]:
    """Median milliseconds of one input at a time."""
    runner = OnnxRunner(file, threads)
    found = {}
    for length in lengths:
        ids = np.random.default_rng(0).integers(1000, 30000, (1, length))
        ones = np.ones_like(ids)
        for _ in range(3):
            runner(ids, ones, ones)
        times = []
        for _ in range(repeats):
            began = time.perf_counter()
            runner(ids, ones, ones)
            times.append((time.perf_counter() - began) * 1000)
        found[length] = round(float(np.median(times)), 1)
    return found


def config(size: ModelSize, facts: dict[str, object]) -> dict[str, object]:
    """What the product must know to use the file."""
    return {
        # transformers.js warns of types that it does not know; the trunk is one of these.
        "model_type": "bert",
        "trunk": {
            "layers": size.layers,
            "hidden": size.hidden,
            "heads": size.heads,
            "from": "bge-small-en-v1.5",
            "kept": size.kept,
        },
        "tokenizer": "Xenova/bge-small-en-v1.5",
        "input": {
            "layout": "[CLS] question [SEP] (CHAIN header TEXT text [SEP])* CANDIDATE header TEXT text [SEP]",
            "longest": layout.LONGEST,
            "questionLongest": layout.QUESTION_LONGEST,
            "headerLongest": layout.HEADER_LONGEST,
            "ids": {
                "CLS": layout.CLS,
                "SEP": layout.SEP,
                "PAD": layout.PAD,
                "CHAIN": layout.CHAIN,
                "TEXT": layout.TEXT,
                "CANDIDATE": layout.CANDIDATE,
                "LINE": layout.LINE,
            },
            "tokenTypes": {"upToFirstSep": 0, "after": 1},
            "header": "title, or for a passage of a file: path, and when it has a title ': ' and the title",
        },
        "outputs": {
            "passage_logits": list(PASSAGE_LABELS),
            "token_logits": list(TOKEN_LABELS),
            "answerTypes": list(ANSWER_TYPES),
            "noAnswer": "start and end at [CLS]",
        },
        "seed": SEED,
        **facts,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="trunk12")
    parser.add_argument("--checkpoint", default="last.pt")
    parser.add_argument("--to", type=Path, default=None)
    parser.add_argument("--latency", type=Path, default=None)
    parser.add_argument("--untrained", type=int, default=None, metavar="LAYERS", help="only to measure latency")
    arguments = parser.parse_args()
    if arguments.latency:
        print(latency(arguments.latency))
        return
    folder = cache_folder() / "runs" / arguments.run
    if arguments.untrained:
        size = ModelSize(layers=arguments.untrained, kept=kept_layers(arguments.untrained))
        model, facts, target = JointEncoder(size), {}, cache_folder() / f"untrained{size.layers}"
    else:
        checkpoint = folder / arguments.checkpoint
        state = torch.load(checkpoint, weights_only=False, map_location="cpu")
        facts = {"inputsSeen": state.get("inputs"), "trainingHours": round(state.get("seconds", 0) / 3600, 2)}
        model, target = load_checkpoint(checkpoint), arguments.to or model_folder()
        size = model.size
        del state
    float_file = cache_folder() / "export" / f"{target.name}.float.onnx"
    write_float(model, float_file)
    file = target / "onnx" / "model_quantized.onnx"
    write_int8(float_file, file)
    onnx.checker.check_model(str(file))
    (target / "config.json").write_text(json.dumps(config(size, facts), indent=2) + "\n", encoding="utf-8")
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB; float file {float_file}")
    print("ms a single input, 2 threads:", latency(file))


if __name__ == "__main__":
    main()
