"""Running a trained encoder, as PyTorch weights or as an ONNX file, and reading spans and units out of what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch

from .layout import LONGEST, PAD, Encoded, Encoder, Passage
from .model import PASSAGE_LABELS, JointEncoder

LONGEST_SPAN = 40


@dataclass(frozen=True)
class Input:
    """A question (or statement) over a chain and a candidate."""

    question: str
    chain: tuple[Passage, ...]
    candidate: Passage


@dataclass
class Output:
    """passage [9], token [T, 3], and where the tokens come from."""

    passage: np.ndarray
    token: np.ndarray
    encoded: Encoded

    def logit(self, name: str) -> float:
        return float(self.passage[PASSAGE_LABELS.index(name)])


class Runner(Protocol):
    """ids, mask, types [B, T] int64 -> passage_logits [B, 9], token_logits [B, T, 3]."""

    def __call__(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...


class TorchRunner:
    def __init__(self, model: JointEncoder, half: bool = True) -> None:
        self.model = model.eval()
        if half:
            self.model.trunk.to(torch.bfloat16)

    def __call__(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.inference_mode():
            passage, token = self.model(torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(types))
        return passage.float().numpy(), token.float().numpy()


class OnnxRunner:
    def __init__(self, file: Path, threads: int = 2) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])

    def __call__(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        passage, token = self.session.run(["passage_logits", "token_logits"], feeds)
        return passage, token


def load_checkpoint(file: Path, averaged: bool = True) -> JointEncoder:
    """A model from a checkpoint of the trainer; the averaged weights unless told otherwise."""
    state = torch.load(file, weights_only=False, map_location="cpu")
    model = JointEncoder(state["size"])
    model.load_state_dict(state["average" if averaged or "model" not in state else "model"])
    return model


def predict(
    runner: Runner, encoder: Encoder, inputs: Sequence[Input], longest: int = LONGEST, tokens: int = 6144
) -> list[Output]:
    """Outputs in the order of the inputs; batches of similar length."""
    encoded = [encoder.encode(i.question, i.chain, i.candidate, longest) for i in inputs]
    order = sorted(range(len(inputs)), key=lambda i: len(encoded[i].ids))
    outputs: list[Output | None] = [None] * len(inputs)
    place = 0
    while place < len(order):
        rows = [order[place]]
        place += 1
        while place < len(order) and (len(rows) + 1) * len(encoded[order[place]].ids) <= tokens:
            rows.append(order[place])
            place += 1
        width = max(len(encoded[row].ids) for row in rows)
        ids = np.full((len(rows), width), PAD, dtype=np.int64)
        mask = np.zeros_like(ids)
        types = np.zeros_like(ids)
        for at, row in enumerate(rows):
            length = len(encoded[row].ids)
            ids[at, :length] = encoded[row].ids
            types[at, :length] = encoded[row].types
            mask[at, :length] = 1
        passage, token = runner(ids, mask, types)
        for at, row in enumerate(rows):
            outputs[row] = Output(passage[at], token[at, : len(encoded[row].ids)], encoded[row])
    return [output for output in outputs if output is not None]


@dataclass(frozen=True)
class Span:
    """Characters of a part (chain passages first, then the candidate), and start + end logits less those of [CLS]."""

    part: int
    header: bool
    start: int
    end: int
    margin: float


def best_span(output: Output) -> Span | None:
    """The best span over tokens of chain and candidate, within one text or header, at most LONGEST_SPAN tokens."""
    origin = output.encoded.origin
    start, end = output.token[:, 0], output.token[:, 1]
    best: tuple[float, int, int] | None = None
    for first in np.argsort(-start)[:24]:
        here = origin[first]
        if here is None:
            continue
        for last in range(first, min(first + LONGEST_SPAN, len(origin))):
            there = origin[last]
            if there is None or there[:2] != here[:2]:
                if there is None and last + 1 < len(origin) and origin[last + 1] is not None and origin[last + 1][:2] == here[:2]:
                    continue
                break
            score = float(start[first] + end[last])
            if best is None or score > best[0]:
                best = (score, int(first), last)
    if best is None:
        return None
    first, last = origin[best[1]], origin[best[2]]
    assert first is not None and last is not None
    return Span(first[0], first[1], first[2], last[3], best[0] - float(start[0] + end[0]))


def span_text(given: Input, span: Span | None) -> str:
    if span is None:
        return ""
    passage = [*given.chain, given.candidate][span.part]
    return (passage.header if span.header else passage.text)[span.start : span.end]


def unit_score(output: Output, part: int, start: int, end: int) -> float | None:
    """Mean support logit of the tokens within a unit; None when they were cut off."""
    rows = [
        i
        for i, origin in enumerate(output.encoded.origin)
        if origin is not None and origin[0] == part and not origin[1] and start <= origin[2] and origin[3] <= end
    ]
    return float(output.token[rows, 2].mean()) if rows else None
