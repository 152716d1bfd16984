"""Measure a checkpoint or an exported model on the development sets, which are never trained on.

    python -m hoptrail_training.evaluate --run trunk12               # the averaged weights of last.pt
    python -m hoptrail_training.evaluate --onnx FILE --full          # the exported file, all questions, chains by beam

Prints a table and appends a line to `curve.jsonl` in the run's folder. Without `--full` a fixed part of the questions is ranked
and no beam is walked, so that it takes minutes. Exact match and F1 are SQuAD's; intervals are not given: with 24 to 100 questions
a set they are about ±0.10.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .examples import Example, read_groups
from .layout import Encoder, Passage
from .model import ANSWER_TYPES
from .paths import LAB, cache_folder, data_folder, tokenizer_file
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
from .text import Bm25, exact, f1, occurrences, sentences

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


def window(lines: list[str], quote: str, around: int) -> tuple[int, int] | None:
    """Lines `around` a quote, which may run over several lines."""
    text = "\n".join(lines)
    place = text.find(quote)
    if place < 0:
        return None
    first = text[:place].count("\n")
    last = first + quote.count("\n")
    before = (around - (last - first + 1)) // 2
    start = max(0, first - before)
    return start, min(len(lines), start + around)


@dataclass
class FileQuestion:
    """A question over a file tree: the windows around its evidence, and passages of the tree that are not."""

    record: dict
    evidence: list[Passage]
    others: list[Passage]


def file_questions(name: str) -> list[FileQuestion]:
    folder = data_folder() / "answers"
    records = list(read_lines(folder / f"{name}.jsonl"))
    with tempfile.TemporaryDirectory() as place, tarfile.open(folder / f"{name}.tar.gz") as archive:
        archive.extractall(place, filter="data")
        root = Path(place) / name
        files: dict[str, list[str]] = {}
        for file in sorted(root.rglob("*")):
            if file.is_file() and file.stat().st_size < 200_000:
                try:
                    files[str(file.relative_to(root))] = file.read_text(encoding="utf-8").split("\n")
                except UnicodeDecodeError:
                    continue
    blocks = [
        (path, Passage(path, "\n".join(lines[start : start + 30])))
        for path, lines in files.items()
        for start in range(0, len(lines), 30)
        if len("".join(lines[start : start + 30])) > 80 and not path.endswith((".lock", ".svg", "CHANGELOG.md"))
    ]
    index = Bm25([f"{passage.header} {passage.text}" for _, passage in blocks])
    found = []
    for record in records:
        quotes = record.get("evidence", [])
        around = 30 if len(quotes) < 3 else 16
        evidence = []
        for entry in quotes:
            lines = files.get(entry["path"], [])
            cut = window(lines, entry["quote"], around)
            if cut:
                evidence.append(Passage(entry["path"], "\n".join(lines[slice(*cut)])))
        gold = {entry["path"] for entry in quotes}
        near = [blocks[i] for i in index.best(record["question"], 30)]
        others = [passage for path, passage in near if path not in gold][:3]
        found.append(FileQuestion(record, evidence, others))
    return found


def measure_files(run: Predict) -> Table:
    """Notes and code: given the lines around the evidence, EM and F1; other passages of the tree must not look complete."""
    table: Table = {}
    for name in ("electron-governance", "nitro"):
        questions = file_questions(name)
        asked = [q for q in questions if q.record["type"] != "null" and q.evidence]
        right = [Input(q.record["question"], tuple(q.evidence[:-1]), q.evidence[-1]) for q in asked]
        outputs = run(right)
        wrong = [Input(q.record["question"], (), other) for q in questions for other in q.others[:2]]
        spans = []
        for q, given, output in zip(asked, right, outputs, strict=True):
            answers = [q.record["answer"], *q.record.get("aliases", [])]
            stands = any(occurrences(passage.text, answer) for passage in q.evidence for answer in answers)
            if stands and q.record["type"] != "list":
                said = guess(given, output)
                spans.append((exact(said, answers), f1(said, answers), q.record["type"] == "lookup"))
        row = {"n": len(spans), "em": mean([s[0] for s in spans]), "f1": mean([s[1] for s in spans])}
        row["f1_lookup"] = mean([s[1] for s in spans if s[2]])
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


def beam_chains(run: Predict, q: Question, width: int, longest: int) -> list[tuple[list[int], float]]:
    """The best chain after each hop, as indices into gold + others, with its complete logit."""
    passages = [*q.gold, *q.others]
    beams: list[tuple[float, list[int], float]] = [(0.0, [], -99.0)]
    best = []
    for _ in range(longest):
        tried: dict[frozenset[int], tuple[float, list[int], float]] = {}
        inputs, owners = [], []
        for score, chain, _ in beams:
            for index in range(len(passages)):
                if index not in chain:
                    inputs.append(Input(q.question, tuple(passages[i] for i in chain), passages[index]))
                    owners.append((score, chain, index))
        for (score, chain, index), output in zip(owners, run(inputs), strict=True):
            total = score + log_sigmoid(output.logit("extends"))
            key = frozenset([*chain, index])
            if key not in tried or tried[key][0] < total:
                tried[key] = (total, [*chain, index], output.logit("complete"))
        beams = sorted(tried.values(), key=lambda entry: -entry[0])[:width]
        best.append((beams[0][1], beams[0][2]))
    return best


def measure_beam(run: Predict, most: int) -> Table:
    """Chains by beam 2: exact with the gold length, and with the model's own stop (complete above 0, two to four hops)."""
    table: Table = {}
    for name in SETS:
        at_length, own = [], []
        questions = development_questions(name)[:most]
        for q in questions:
            walked = beam_chains(run, q, 2, 4 if len(q.gold) > 2 or name != "hotpotqa" else 3)
            gold = set(range(len(q.gold)))
            at_length.append(set(walked[min(len(walked), len(gold)) - 1][0]) == gold)
            stop = next((chain for chain, complete in walked[1:] if complete > 0), walked[-1][0])
            own.append(set(stop) == gold)
        table[name] = {"questions": len(questions), "gold_length": mean(at_length), "own_stop": mean(own)}
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


def measure_held(run: Predict, most: int) -> Table:
    """Rule-made examples of repositories that were kept aside."""
    file = cache_folder() / "examples" / "held.jsonl.gz"
    if not file.exists():
        return {}
    by_source: dict[str, list[Example]] = {}
    for group in read_groups(file):
        by_source.setdefault(group.source, []).extend(group.examples)
    table: Table = {}
    for source, examples in sorted(by_source.items()):
        chosen = random.Random(7).sample(examples, min(most, len(examples)))
        outputs = run([Input(e.question, tuple(e.chain), e.candidate) for e in chosen])
        row: dict[str, float] = {"n": len(chosen)}
        spans = [(e, o) for e, o in zip(chosen, outputs, strict=True) if e.spans and e.type not in ("yes", "no")]
        if spans:
            scores = []
            for e, o in spans:
                given = Input(e.question, tuple(e.chain), e.candidate)
                parts = [*e.chain, e.candidate]
                answers = [(parts[p.part].header if p.header else parts[p.part].text)[p.start : p.end] for p in e.spans or []]
                said = span_text(given, best_span(o))
                scores.append((exact(said, answers), f1(said, answers)))
            row["spans"], row["em"], row["f1"] = len(scores), *np.mean(scores, axis=0).tolist()
        for name in ("extends", "complete", "entail"):
            known = [
                (getattr(e, name), o.logit(name)) for e, o in zip(chosen, outputs, strict=True) if getattr(e, name) is not None
            ]
            if len({label for label, _ in known}) > 1:
                row[f"auroc_{name}"] = auroc([s for label, s in known if label], [s for label, s in known if not label])
        typed = [(e.type, o) for e, o in zip(chosen, outputs, strict=True) if e.type is not None]
        if typed:
            row["type"] = mean([ANSWER_TYPES[int(np.argmax(o.passage[3:]))] == kind for kind, o in typed])
        verdicts = [(e.type, o) for e, o in zip(chosen, outputs, strict=True) if e.type in ("yes", "no")]
        if len(verdicts) > 5:
            row["verdict"] = mean([(o.passage[4] > o.passage[5]) == (t == "yes") for t, o in verdicts])
        table[source] = row
    return table


def measure_statements(run: Predict) -> Table:
    """Statements in words of their own, each with a passage that says it, says the opposite, or says nothing of it."""
    lines = (LAB / "statements.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    outputs = run([Input(pair["statement"], (), Passage("notes/farm.md: Render farm", pair["passage"])) for pair in pairs])
    scores = [(pair["supported"], o.logit("entail")) for pair, o in zip(pairs, outputs, strict=True)]
    right, wrong = [s for label, s in scores if label], [s for label, s in scores if not label]
    return {"by hand": {"n": len(scores), "auroc_entail": auroc(right, wrong)}}


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
    parser.add_argument("--only", nargs="*", default=None, help="reading, files, support, held, statements, ranking, beam")
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
        "files": lambda: measure_files(run),
        "support": lambda: measure_support(run),
        "held": lambda: measure_held(run, 150 if arguments.full else 40),
        "statements": lambda: measure_statements(run),
        "ranking": lambda: measure_ranking(run, most),
    }
    if arguments.full:
        parts["beam"] = lambda: measure_beam(run, most)
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
