"""Blocks of four bits, and the network and tokenizer that are made of them."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper

from hoptrail_training.multilingual import BLOCK, Packed, network, paired, tokenizer

WIDTH, INNER = BLOCK, 2 * BLOCK
PIECES = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁das", -3.5)]


def packed_of(values: dict[str, tuple[int, ...]]) -> Packed:
    """Tensors of ones and blocks of which each number i stands for i mod 16."""
    nibbles = np.arange(BLOCK) % 16
    block = np.float16(0.5).tobytes() + (nibbles[: BLOCK // 2] | (nibbles[BLOCK // 2 :] << 4)).astype(np.uint8).tobytes()
    data, places = b"", {}
    for name, shape in values.items():
        size = int(np.prod(shape))
        places[name] = (len(data), size)
        data += block * (size // BLOCK) if len(shape) == 2 and name != "emb.pos" else np.ones(shape, np.float32).tobytes()
    return Packed(WIDTH, 1, 4, INNER, 8, 1e-12, PIECES, places, data)


def small() -> Packed:
    values: dict[str, tuple[int, ...]] = {"emb.word": (len(PIECES), WIDTH), "emb.pos": (8, WIDTH), "emb.type": (WIDTH,)}
    for norm in ("emb.ln", "l0.aln", "l0.oln"):
        values |= {f"{norm}.w": (WIDTH,), f"{norm}.b": (WIDTH,)}
    for name, rows, columns in [(f"l0.{part}", WIDTH, WIDTH) for part in ("q", "k", "v", "ao")] + [
        ("l0.fi", INNER, WIDTH),
        ("l0.fo", WIDTH, INNER),
    ]:
        values |= {f"{name}.w": (rows, columns), f"{name}.b": (rows,)}
    return packed_of(values)


def test_a_block_is_its_low_halves_then_its_high_ones() -> None:
    nibbles, scales = packed_of({"m.w": (2, WIDTH)}).blocks("m.w", 2, WIDTH)
    assert nibbles.shape == (2, 1, BLOCK) and list(nibbles[1, 0]) == [i % 16 for i in range(BLOCK)]
    assert list(scales[:, 0]) == [0.5, 0.5]


def test_neighbours_share_a_byte() -> None:
    assert list(paired(np.array([1, 2, 3, 15], np.uint8))) == [0x21, 0xF3]


def test_words_keep_their_value_when_eight_no_longer_stands_for_zero() -> None:
    words = next(c for c in network(small()).graph.initializer if c.name == "words")
    assert [int(n) for n in numpy_helper.to_array(words)[0]] == [i % 16 - 8 for i in range(WIDTH)]


def test_the_network_is_a_valid_graph_of_ids_and_mask() -> None:
    model = network(small())
    onnx.checker.check_model(model)
    assert [given.name for given in model.graph.input] == ["input_ids", "attention_mask"]
    assert [out.name for out in model.graph.output] == ["last_hidden_state"]


def test_the_tokenizer_frames_a_text_and_keeps_ids() -> None:
    file = tokenizer(small())
    assert file["model"]["vocab"][4] == ["▁das", -3.5]  # type: ignore[index]
    assert [list(part)[0] for part in file["post_processor"]["single"]] == ["SpecialToken", "Sequence", "SpecialToken"]  # type: ignore[index]
