"""A six-layer encoder in the space of bge-small-en-v1.5, for a first pass over passages: distilled from the twelve layers.

    python -m hoptrail_training.distil --name first --seconds 3600          # again: goes on; the rate falls to zero at the end
    python -m hoptrail_training.distil --name first --measure               # cosine and recall, float32
    python -m hoptrail_training.distil --name first --export FOLDER         # int8, a folder as the product opens one

Texts: passages of the repositories (`fetch`) as the product embeds them, contexts of `train/spans.*.jsonl`, passages of
`train/*.chains.jsonl`; none that a development set has. Loss: 1 - cosine of the vectors (the first token's last state), and the
mean squared difference of the last states of all tokens. Embeddings and `FROZEN` lower layers are the twelve's own and stay so:
the teacher reads on from what they give.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from .export import OPSET, write_int8
from .fetch import product_passages, unpack
from .model import ModelSize, Trunk
from .paths import REPOSITORY, cache_folder, data_folder, passages_folder, there, tokenizer_file
from .sources.development import QUESTION_FILES, Forbidden, read_lines
from .train import save, trunk_type, wait_while_paused
from .weights import ONNX_NAME, read_tensors, trunk_state

#: Layers of the twelve that the six begin as; the lower ones stay.
KEPT = (0, 1, 3, 6, 9, 11)
FROZEN = 2
#: Tokens of a text that are read, until this share of the time is gone: short texts teach most for what they cost.
LENGTHS = ((0.6, 96), (1.0, 256))
TEXTS = 32
#: Padded tokens of one pass.
PASS_TOKENS = 4096
RATE = 4e-4
WARM_UP = 100
#: Weight of the difference of all tokens' states, whose mean square is about 0.1 where that of vectors' cosines is 0.05.
STATES = 0.5
SAVE_SECONDS = 240.0
#: One text in so many is kept aside.
ASIDE = 50
QUERY = "Represent this sentence for searching relevant passages: "
RECALLED = 10


def embedded_text(passage: dict) -> str:
    """As the product embeds it: base name and title on a line, then the text."""
    base = passage["path"].rsplit("/", 1)[-1]
    head = f"{base}: {passage['title']}" if passage["title"] else base
    return f"{head}\n{passage['text']}"


def titled(passage: dict) -> str:
    return f"{passage['title']}\n{passage['text']}"


def all_texts(data: Path, passages: Path, forbidden: Forbidden) -> Iterator[str]:
    for file in sorted(passages.glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from (embedded_text(passage) for passage in map(json.loads, lines) if "path" in passage)
    for file in sorted((data / "train").glob("*.chains.jsonl")):
        for question in read_lines(file):
            yield from (titled(part) for part in question["passages"] if not forbidden.has_passage(part["text"]))
    for file in sorted((data / "train").glob("spans.*.jsonl")):
        yield from (record["passage"] for record in read_lines(file))


def is_aside(text: str) -> bool:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % ASIDE == 0


def split(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Different texts: to learn from, and kept aside."""
    learnt, aside = [], []
    for text in dict.fromkeys(texts):
        (aside if is_aside(text) else learnt).append(text)
    return learnt, aside


def open_tokenizer(longest: int) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(tokenizer_file()))
    tokenizer.enable_truncation(longest)
    tokenizer.no_padding()
    return tokenizer


def passes(rows: list[list[int]], most: int = PASS_TOKENS) -> Iterator[tuple[list[int], Tensor, Tensor]]:
    """Rows by length, together as long as padded they have at most so many tokens: their places, ids and mask [B, T]."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    taken: list[int] = []
    for at in [*order, None]:
        if taken and (at is None or len(rows[at]) * (len(taken) + 1) > most):
            longest = max(len(rows[place]) for place in taken)
            ids = torch.zeros(len(taken), longest, dtype=torch.int64)
            mask = torch.zeros_like(ids)
            for row, place in enumerate(taken):
                ids[row, : len(rows[place])] = torch.tensor(rows[place])
                mask[row, : len(rows[place])] = 1
            yield taken, ids, mask
            taken = []
        if at is not None:
            taken.append(at)


def embed(trunk: Trunk, ids: Tensor, mask: Tensor) -> Tensor:
    """Normalised vectors [B, hidden]."""
    return functional.normalize(trunk(ids, mask, torch.zeros_like(ids))[:, 0].float(), dim=-1)


def distil_loss(student: Tensor, teacher: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Last states [B, T, hidden] of both -> loss, and the mean cosine of the vectors."""
    cosine = functional.cosine_similarity(student[:, 0].float(), teacher[:, 0].float(), dim=-1).mean()
    real = mask[:, :, None].float()
    states = ((student.float() - teacher.float()).square() * real).sum() / (real.sum() * student.shape[-1])
    return 1 - cosine + STATES * states, cosine.detach()


def read_on(teacher: Trunk, low: Tensor, mask: Tensor, first: int) -> Tensor:
    """What the teacher's layers from `first` on make of the states below them."""
    bias = (1.0 - mask[:, None, None, :].to(low.dtype)) * -10000.0
    for layer in teacher.layers[first:]:
        low = layer(low, bias)
    return low


def lower(trunk: Trunk, ids: Tensor, mask: Tensor, layers: int) -> Tensor:
    x = trunk.norm(trunk.words(ids) + trunk.places(torch.arange(ids.shape[1])) + trunk.kinds(torch.zeros_like(ids)))
    bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
    for layer in trunk.layers[:layers]:
        x = layer(x, bias)
    return x


def start(kept: tuple[int, ...]) -> Trunk:
    file = there(cache_folder() / ONNX_NAME, "`python -m hoptrail_training.weights` makes it")
    size = ModelSize(layers=len(kept), kept=kept)
    trunk = Trunk(size)
    trunk.load_state_dict(trunk_state(read_tensors(file), size))
    return trunk.eval()


def train(folder: Path, seconds_in_all: float, seed: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stop, last = folder / "stop", folder / "last.pt"
    learnt, _ = split(all_texts(data_folder(), passages_folder(), Forbidden(data_folder())))
    half_type = trunk_type("auto")
    teacher = start(tuple(range(12))).to(half_type)
    student = start(KEPT)
    upper = student.layers[FROZEN:]
    copies = nn.ModuleList(type(layer)(student_size(), 0.0) for layer in upper).to(half_type)
    masters, halves = list(upper.parameters()), list(copies.parameters())
    optim = torch.optim.AdamW(masters, lr=RATE, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    step, seconds, read = 0, 0.0, 0
    if last.exists():
        state = torch.load(last, weights_only=False)
        student.load_state_dict(state["student"])
        optim.load_state_dict(state["optimiser"])
        step, seconds, read = state["step"], state["seconds"], state["read"]
    tokenizers = {longest: open_tokenizer(longest) for _, longest in LENGTHS}
    print(f"{len(learnt)} texts, {half_type}, from step {step}", flush=True)

    def keep() -> None:
        save(
            last,
            {
                "student": student.state_dict(),
                "optimiser": optim.state_dict(),
                "step": step,
                "seconds": seconds,
                "read": read,
            },
        )

    saved, shown = time.monotonic(), []
    with (folder / "log.jsonl").open("a", encoding="utf-8") as log:
        while seconds < seconds_in_all and not stop.exists():
            saved += wait_while_paused(cache_folder(), stop)
            began = time.monotonic()
            rate = RATE * min(1.0, (step + 1) / WARM_UP) * (1 - seconds / seconds_in_all)
            for group in optim.param_groups:
                group["lr"] = rate
            chosen = random.Random(seed * 1_000_003 + step).sample(learnt, TEXTS)
            rows = [encoded.ids for encoded in tokenizers[longest_at(seconds / seconds_in_all)].encode_batch(chosen)]
            with torch.no_grad():
                torch._foreach_copy_(halves, masters)
            for places, ids, mask in passes(rows):
                with torch.no_grad():
                    low = lower(teacher, ids, mask, FROZEN)
                    wanted = read_on(teacher, low, mask, FROZEN)
                bias = (1.0 - mask[:, None, None, :].to(low.dtype)) * -10000.0
                x = low
                for layer in copies:
                    x = layer(x, bias)
                loss, cosine = distil_loss(x, wanted, mask)
                (loss * (len(places) / TEXTS)).backward()
                shown.append((float(loss.detach()), float(cosine), len(places)))
            for master, half in zip(masters, halves, strict=True):
                master.grad, half.grad = half.grad.float(), None
            torch.nn.utils.clip_grad_norm_(masters, 1.0)
            optim.step()
            step, read = step + 1, read + TEXTS
            seconds += time.monotonic() - began
            if step % 20 == 0:
                weight = sum(many for *_, many in shown)
                record = {
                    "step": step,
                    "read": read,
                    "seconds": round(seconds),
                    "loss": round(sum(loss * many for loss, _, many in shown) / weight, 4),
                    "cosine": round(sum(cosine * many for _, cosine, many in shown) / weight, 4),
                    "each_second": round(read / seconds, 1),
                }
                shown = []
                log.write(json.dumps(record) + "\n")
                log.flush()
                print(json.dumps(record), flush=True)
            if time.monotonic() - saved > SAVE_SECONDS:
                keep()
                saved = time.monotonic()
    keep()
    stop.unlink(missing_ok=True)


def longest_at(share: float) -> int:
    """Tokens of a text that are read when this share of the time is gone."""
    return next((longest for until, longest in LENGTHS if share < until), LENGTHS[-1][1])


def student_size() -> ModelSize:
    return ModelSize(layers=len(KEPT), kept=KEPT)


def load_student(folder: Path) -> Trunk:
    state = torch.load(there(folder / "last.pt", "train it first"), weights_only=False)
    trunk = Trunk(student_size()).eval()
    trunk.load_state_dict(state["student"])
    return trunk


@torch.no_grad()
def vectors(trunk: Trunk, texts: list[str], longest: int = 512) -> np.ndarray:
    """Normalised, [texts, hidden]."""
    rows = [encoded.ids for encoded in open_tokenizer(longest).encode_batch(texts)]
    found = np.zeros((len(texts), trunk.norm.weight.shape[0]), dtype=np.float32)
    for places, ids, mask in passes(rows):
        found[places] = embed(trunk, ids, mask).numpy()
    return found


def recall(passages: np.ndarray, questions: np.ndarray, right: list[set[int]]) -> float:
    """Share of each question's right passages among the first RECALLED, mean over questions."""
    order = np.argsort(-(questions @ passages.T), axis=1)[:, :RECALLED]
    return float(np.mean([len(wanted & set(row)) / len(wanted) for wanted, row in zip(right, order.tolist(), strict=True)]))


def pooled(file: Path) -> tuple[list[str], list[str], list[set[int]]]:
    """Passages of all questions together, the questions, and the places of each one's right passages."""
    places: dict[str, int] = {}
    questions, right = [], []
    for record in read_lines(file):
        wanted = set()
        for passage in record["passages"]:
            place = places.setdefault(titled(passage), len(places))
            if passage["id"] in record["supporting"]:
                wanted.add(place)
        if wanted:
            questions.append(record["question"])
            right.append(wanted)
    return list(places), questions, right


def tree_passages(archive: Path) -> Iterator[dict]:
    """The product's passages of an archived folder."""
    with tempfile.TemporaryDirectory() as place:
        files, made = Path(place) / "files", Path(place) / "passages.jsonl.gz"
        files.mkdir()
        unpack(archive, files)
        only = list(files.iterdir())
        product_passages(only[0] if len(only) == 1 else files, made)
        with gzip.open(made, "rt", encoding="utf-8") as lines:
            yield from (passage for passage in map(json.loads, lines) if "path" in passage)


def asked_of_tree(file: Path) -> tuple[list[str], list[str], list[set[int]]]:
    """As `pooled`, of a folder: right are the passages that hold a line quoted as evidence."""
    passages = list(tree_passages(file.with_suffix(".tar.gz")))
    questions, right = [], []
    for record in read_lines(file):
        quoted = [(entry["path"], entry["quote"].strip()) for entry in record.get("evidence", [])]
        wanted = {
            place
            for place, passage in enumerate(passages)
            if any(passage["path"] == path and quote in passage["text"] for path, quote in quoted)
        }
        if wanted:
            questions.append(record["question"])
            right.append(wanted)
    return [embedded_text(passage) for passage in passages], questions, right


def measure(folder: Path) -> None:
    teacher, student = start(tuple(range(12))), load_student(folder)
    _, aside = split(all_texts(data_folder(), passages_folder(), Forbidden(data_folder())))
    some = random.Random(0).sample(aside, min(600, len(aside)))
    cosines = (vectors(teacher, some) * vectors(student, some)).sum(1)
    low = np.quantile(cosines, 0.05)
    print(f"cosine of {len(some)} texts kept aside: {cosines.mean():.4f}, one in twenty below {low:.4f}", flush=True)
    sets = [(data_folder() / name, pooled) for name in QUESTION_FILES[:3]]
    sets += [(file, asked_of_tree) for file in sorted((data_folder() / "answers").glob("*.jsonl"))]
    for file, read in sets:
        passages, questions, right = read(file)
        asked = vectors(teacher, [QUERY + question for question in questions])
        both = [recall(vectors(trunk, passages), asked, right) for trunk in (teacher, student)]
        print(f"{file.name}, {len(questions)} questions: recall@{RECALLED} {both[0]:.3f} -> {both[1]:.3f}", flush=True)


def export(folder: Path, target: Path) -> None:
    """A folder that the product opens as an embedding model."""
    source = REPOSITORY / "models" / "Xenova" / "bge-small-en-v1.5"
    trunk = load_student(folder)
    for layer in trunk.layers:
        layer.plain_attention = True
    (target / "onnx").mkdir(parents=True, exist_ok=True)
    for file in source.glob("*.json"):
        shutil.copy(file, target)
    float_file = folder / "float.onnx"
    ids = torch.randint(1000, 30000, (2, 48))
    axes = {0: "batch", 1: "tokens"}
    names = ["input_ids", "attention_mask", "token_type_ids"]
    torch.onnx.export(
        trunk,
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        str(float_file),
        input_names=names,
        output_names=["last_hidden_state"],
        dynamic_axes={name: axes for name in [*names, "last_hidden_state"]},
        opset_version=OPSET,
        dynamo=False,
    )
    write_int8(float_file, target / "onnx" / "model_quantized.onnx")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", default="first")
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--export", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    folder = cache_folder() / "runs" / arguments.name
    if arguments.measure:
        measure(folder)
    elif arguments.export:
        export(folder, arguments.export)
    else:
        train(folder, arguments.seconds, arguments.seed)


if __name__ == "__main__":
    main()
