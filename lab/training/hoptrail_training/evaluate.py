"""Measure a checkpoint or an exported model on the development sets, which are never trained on.

    python -m hoptrail_training.evaluate --run trunk12               # the averaged weights of last.pt
    python -m hoptrail_training.evaluate --onnx FILE --full          # the exported file, all questions

Prints a table and appends a line to `curve.jsonl` in the run's folder. Without `--full` a fixed part of the questions is ranked,
so that it takes minutes. Exact match and F1 are SQuAD's; intervals are not given: with 24 to 100 questions
a set they are about ±0.10.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from .layout import Encoder, Passage
from .paths import cache_folder, data_folder, tokenizer_file
from .predict import (
    Input,
    OnnxRunner,
    Output,
    Runner,
    TorchRunner,
    best_span,
    load_checkpoint,
    predict,
    span_text,
    unit_score,
)
from .sources import chains
from .sources.chains import Question, chain_order
from .sources.development import Forbidden, read_lines
from .text import Bm25, exact, f1, sentences

SETS = ("musique", "hotpotqa", "2wikimultihopqa")
Predict = Callable[[Sequence[Input]], list[Output]]
Table = dict[str, dict[str, float]]


def mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Chance that a positive scores above a negative."""
    if not positive or not negative:
        return math.nan
    scores = np.array([*positive, *negative])
    order = scores.argsort()
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    for value in np.unique(scores):
        same = scores == value
        ranks[same] = ranks[same].mean()
    count = len(positive)
    return float((ranks[:count].sum() - count * (count + 1) / 2) / (count * len(negative)))


def balanced(positive: Sequence[float], negative: Sequence[float], threshold: float) -> float:
    kept = np.mean([score > threshold for score in positive])
    refused = np.mean([score <= threshold for score in negative])
    return float((kept + refused) / 2)


def best_threshold(positive: Sequence[float], negative: Sequence[float]) -> float:
    candidates = sorted({*positive, *negative})
    return max(candidates, key=lambda t: balanced(positive, negative, t - 1e-6)) - 1e-6


def cross_fitted(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Balanced accuracy with the threshold of the other half."""
    if len(positive) < 4 or len(negative) < 4:
        return math.nan
    halves = [(positive[i::2], negative[i::2]) for i in (0, 1)]
    return float(np.mean([balanced(*halves[i], best_threshold(*halves[1 - i])) for i in (0, 1)]))


def development_questions(name: str) -> list[Question]:
    found = []
    for record in read_lines(data_folder() / f"{name}.jsonl"):
        passages = {p["id"]: Passage(p["title"], p["text"]) for p in record["passages"]}
        gold = [passages[i] for i in record["supporting"]]
        others = [p for i, p in passages.items() if i not in record["supporting"]]
        gold, ordered = chain_order(record, gold)
        answers = [record["answer"], *record["aliases"]]
        found.append(Question(record["id"], name, record["question"], answers, record["type"], gold, others, ordered, []))
    return found


def guess(given: Input, output: Output) -> str:
    """Yes, no, or the best span."""
    types = output.passage[3:8]
    kind = int(types.argmax())
    return {1: "yes", 2: "no"}.get(kind) or span_text(given, best_span(output))


def answerable_scores(output: Output) -> dict[str, float]:
    span = best_span(output)
    return {"complete": output.logit("complete"), "span": span.margin if span else -99.0}


def add_answerable(row: dict[str, float], positive: list[Output], negative: list[Output]) -> None:
    for name in ("complete", "span"):
        yes = [answerable_scores(output)[name] for output in positive]
        no = [answerable_scores(output)[name] for output in negative]
        row[f"auroc_{name}"] = auroc(yes, no)
        row[f"balanced_{name}"] = cross_fitted(yes, no)
    row["positive"], row["negative"] = len(positive), len(negative)


def measure_reading(run: Predict, most: int) -> Table:
    """Gold passages given: EM and F1; the chain with a wrong last passage, or two wrong passages, must not look complete."""
    table: Table = {}
    for name in SETS:
        questions = development_questions(name)[:most]
        right = [Input(q.question, tuple(q.gold[:-1]), q.gold[-1]) for q in questions]
        wrong = []
        for q in questions:
            near = Bm25([f"{p.header} {p.text}" for p in q.others]).best(q.question, 2, 1.0)
            wrong.append(Input(q.question, tuple(q.gold[:-1]), q.others[near[0]]))
            wrong.append(Input(q.question, (q.others[near[-1]],), q.others[near[0]]))
        outputs = run(right)
        said = [(guess(i, o), q.answers) for q, i, o in zip(questions, right, outputs, strict=True)]
        row = {"n": len(questions), "em": mean([exact(*one) for one in said]), "f1": mean([f1(*one) for one in said])}
        add_answerable(row, outputs, run(wrong))
        table[name] = row
    return table


def log_sigmoid(x: float) -> float:
    return -math.log1p(math.exp(-x)) if x > -30 else x


def measure_ranking(run: Predict, most: int) -> Table:
    """Gold prefix given: how often a gold passage is ranked first among all the question's passages; and is the stop right?"""
    table: Table = {}
    for name in SETS:
        questions = development_questions(name)[:most]
        hits: list[bool] = []
        stops: list[bool] = []
        exact_chain: list[bool] = []
        for q in questions:
            whole = True
            for hop in range(len(q.gold)):
                chain = tuple(q.gold[:hop])
                candidates = [*q.gold[hop:], *q.others]
                outputs = run([Input(q.question, chain, candidate) for candidate in candidates])
                scores = [output.logit("extends") for output in outputs]
                hit = int(np.argmax(scores)) < len(q.gold) - hop
                hits.append(hit)
                whole &= hit
                stops.append((outputs[0].logit("complete") > 0) == (hop == len(q.gold) - 1))
            exact_chain.append(whole)
        table[name] = {
            "questions": len(questions),
            "hops": len(hits),
            "first": mean(hits),
            "all_hops_first": mean(exact_chain),
            "stop_right": mean(stops),
        }
    return table


def measure_support(run: Predict) -> Table:
    """Sentences of HotpotQA questions that were kept aside, marked as evidence or not."""
    forbidden = Forbidden(data_folder())
    questions = chains.kept_aside(chains.read_chains(data_folder(), forbidden, Counter()))
    inputs = [Input(q.question, tuple(q.gold[:-1]), q.gold[-1]) for q in questions]
    scored: list[tuple[float, bool]] = []
    best_found = []
    for q, output in zip(questions, run(inputs), strict=True):
        units = []
        for part, passage in enumerate(q.gold):
            for start, end in sentences(passage.text):
                piece = passage.text[start:end]
                score = unit_score(output, part, start, end)
                if score is not None:
                    units.append((score, any(piece in s or s in piece for s in q.evidence)))
        scored += units
        best_found.append(max(units)[1])

    def at(threshold: float) -> float:
        true = sum(label for score, label in scored if score > threshold)
        said = sum(score > threshold for score, _ in scored)
        gold = sum(label for _, label in scored)
        return 2 * true / max(1, said + gold)

    return {
        "hotpotqa kept aside": {
            "questions": len(questions),
            "sentences": len(scored),
            "f1_at_0": at(0.0),
            "f1_best": max(at(float(t)) for t in np.linspace(-3, 2, 51)),
            "best_unit_right": mean(best_found),
        }
    }


def show(title: str, table: Table) -> None:
    print(f"\n{title}")
    for name, row in table.items():
        cells = ", ".join(f"{key} {value:.3f}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items())
        print(f"  {name}: {cells}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", default="trunk12")
    parser.add_argument("--checkpoint", type=Path, default=None)
    parser.add_argument("--onnx", type=Path, default=None)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--ranked", type=int, default=15, help="questions of each set that are ranked without --full")
    parser.add_argument("--questions", type=int, default=10**6, help="so many of each set are read")
    parser.add_argument("--only", nargs="*", default=None, help="reading, support, ranking")
    parser.add_argument("--float", action="store_true", help="no bfloat16")
    arguments = parser.parse_args()
    folder = cache_folder() / "runs" / arguments.run
    checkpoint = arguments.checkpoint or folder / "last.pt"
    record: dict[str, object] = {"checkpoint": str(arguments.onnx or checkpoint.name)}
    runner: Runner
    if arguments.onnx:
        runner = OnnxRunner(arguments.onnx)
    else:
        import torch

        state = torch.load(checkpoint, weights_only=False, map_location="cpu")
        record |= {key: state[key] for key in ("step", "inputs", "seconds") if key in state}
        del state
        runner = TorchRunner(load_checkpoint(checkpoint), not arguments.float)
    encoder = Encoder(tokenizer_file())
    began = time.monotonic()

    def run(inputs: Sequence[Input]) -> list[Output]:
        return predict(runner, encoder, inputs)

    most = 10**6 if arguments.full else arguments.ranked
    parts: dict[str, Callable[[], Table]] = {
        "reading": lambda: measure_reading(run, arguments.questions),
        "support": lambda: measure_support(run),
        "ranking": lambda: measure_ranking(run, most),
    }
    for title, part in parts.items():
        if arguments.only and title not in arguments.only:
            continue
        table = part()
        record[title] = table
        show(title, table)
    record["took"] = round(time.monotonic() - began)
    print(f"\n{record['took']} s")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "curve.jsonl").open("a", encoding="utf-8") as out:
        out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
