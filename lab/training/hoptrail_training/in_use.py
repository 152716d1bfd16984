"""What the encoder says over what the product itself finds: could its best line, its short answer and its refusals be used?

    python -m hoptrail_training.in_use collect    # asks the built product every question of data/answers, once
    python -m hoptrail_training.in_use measure    # the encoder over what was found; --onnx FILE, default models/joint-encoder

`collect` starts `hoptrail mcp` (no language model) over each tree and keeps, for every question, the twelve best passages of a
search and the trail of an answer. `measure` gives them to the encoder in three ways and prints one table a tree:

    alone   each passage by itself
    trail   the trail as it is, its last passage as the candidate; the best passage of the search where there is no trail
    hop     each of the five first passages after the trail's first

Questions without an answer in the tree are few (8 of 60), so every other question is asked a second time over what was found
less all passages of its gold files (not by `hop`). Nothing is fitted here; every score is used as it comes. What the encoder said
is kept in CACHE/in-use, input by input, so `measure` goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .evaluate import auroc, log_sigmoid, mean
from .fetch import NotFetched, product_program
from .layout import Encoder, Passage
from .paths import cache_folder, data_folder, model_folder, tokenizer_file
from .predict import Input, OnnxRunner, Output, Runner, best_span, predict, span_text, unit_score
from .sources.development import read_lines
from .text import Bm25, exact, f1, occurrences, sentences

TREES = ("electron-governance", "nitro")
PROSE = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".html")
SEARCHED = 12
WAYS = ("alone", "trail", "hop")
#: Passages that are read after the trail's first.
HOPS = 5
ALL = 10**6
#: The score of what was not read.
NOTHING = -99.0


# ---- collect


class Server:
    """`hoptrail mcp DIR` on standard input and output."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(
            ["node", str(product_program()), "mcp", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0
        client = {"name": "in-use", "version": "0"}
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdout
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        for line in self._process.stdout:
            reply = json.loads(line)
            if reply.get("id") == self._number:
                if "error" in reply:
                    raise SystemExit(f"{method}: {reply['error']}")
                return reply["result"]
        raise SystemExit(f"{method}: the product ended")

    def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        result = self._ask("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise SystemExit(f"{name}: {result['content'][0]['text']}")
        return result["structuredContent"]

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def collect(name: str) -> None:
    folder = cache_folder() / "answers"
    if not (folder / name).is_dir():
        with tarfile.open(data_folder() / "answers" / f"{name}.tar.gz") as archive:
            archive.extractall(folder, filter="data")
    file = found_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".part")
    server = Server(folder / name)
    with beside.open("w", encoding="utf-8") as out:
        for record in read_lines(data_folder() / "answers" / f"{name}.jsonl"):
            hits = server.tool("hoptrail_search", query=record["question"], limit=SEARCHED)["passages"]
            answer = server.tool("hoptrail_research", question=record["question"])
            out.write(json.dumps({"id": record["id"], "hits": hits, **answer}, ensure_ascii=False) + "\n")
    server.close()
    beside.replace(file)
    print(f"{name}: {file}")


def found_file(name: str) -> Path:
    return cache_folder() / "in-use" / f"{name}.jsonl"


# ---- what was found


@dataclass(frozen=True)
class Found:
    """A passage of the tree that the product found."""

    path: str
    line: int
    passage: Passage

    @staticmethod
    def of(row: dict[str, Any]) -> Found:
        title = row["title"]
        header = f"{row['path']}: {title}" if title else row["path"]
        return Found(row["path"], row["startLine"], Passage(header, row["text"]))


@dataclass(frozen=True)
class Line:
    """A unit of a found passage: a sentence of prose, a line of anything else. `evidence`: it overlaps the gold evidence."""

    found: Found
    start: int
    end: int
    evidence: bool

    @property
    def text(self) -> str:
        return self.found.passage.text[self.start : self.end]


def evidence_ranges(found: Found, evidence: Sequence[dict[str, str]]) -> list[tuple[int, int]]:
    """Characters of a passage that are quoted as evidence; a quote that is cut by the passage's end counts line by line."""
    ranges = []
    for entry in evidence:
        if entry["path"] != found.path:
            continue
        text = found.passage.text
        for quote in (
            [entry["quote"]] if entry["quote"] in text else [line for line in entry["quote"].split("\n") if line.strip()]
        ):
            place = text.find(quote)
            if place >= 0:
                ranges.append((place, place + len(quote)))
    return ranges


def lines_found(found: Found, evidence: Sequence[dict[str, str]]) -> list[Line]:
    text, ranges = found.passage.text, evidence_ranges(found, evidence)
    pieces = sentences(text) if found.path.lower().endswith(PROSE) else list(code_lines(text))
    return [Line(found, a, b, any(a < end and start < b for start, end in ranges)) for a, b in pieces]


def code_lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        if any(character.isalnum() for character in line):
            yield start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        start += len(line) + 1


# ---- what the encoder says


@dataclass(frozen=True)
class Reading:
    """What was said of one input. `support`: for each of its passages the scores of its lines, None where they were cut off."""

    complete: float
    extends: float
    span: str
    margin: float
    support: list[list[float | None]]


@dataclass
class Said:
    """Over one question and one way of reading: the lines, best first, by `support` and by the chance that the input is complete
    and the line supports; the best span with its margin; and how complete the best input looks."""

    way: str
    lines: list[Line] = field(default_factory=list)
    both: list[Line] = field(default_factory=list)
    support: float = NOTHING
    span: str = ""
    margin: float = NOTHING
    complete: float = NOTHING


@dataclass
class Question:
    record: dict[str, Any]
    answer: dict[str, Any]
    pool: list[Found]
    trail: list[int]
    units: list[list[Line]]
    said: dict[str, Said] = field(default_factory=dict)

    @property
    def answers(self) -> list[str]:
        return [self.record["answer"], *self.record.get("aliases", [])]

    @property
    def lines(self) -> list[Line]:
        return [line for lines in self.units for line in lines]

    @property
    def null(self) -> bool:
        return self.record["type"] == "null"

    def shows(self, line: Line | None) -> bool:
        """Whether a line both is evidence and has the answer in it."""
        return line is not None and line.evidence and any(occurrences(line.text, answer) for answer in self.answers)


def question_of(record: dict[str, Any], answer: dict[str, Any], without: frozenset[str] = frozenset()) -> Question:
    """What was found for a question, less all passages of the files `without`."""
    pool: list[Found] = []
    trail: list[int] = []
    hops = len(answer["trail"])
    for number, found in enumerate(map(Found.of, [*answer["trail"], *answer["hits"]])):
        if found.path in without:
            continue
        places = [i for i, other in enumerate(pool) if (found.path, found.line) == (other.path, other.line)]
        if not places:
            pool.append(found)
        if number < hops:
            trail.append(places[0] if places else len(pool) - 1)
    return Question(record, answer, pool, trail, [lines_found(found, record.get("evidence", [])) for found in pool])


def inputs_of(question: Question, way: str) -> list[list[int]]:
    """The inputs of one way of reading, each as places in the pool, the candidate last."""
    pool = range(len(question.pool))
    if way == "alone":
        return [[place] for place in pool]
    if way == "trail":
        return [question.trail or [0]]
    first = question.trail[0] if question.trail else 0
    return [[first, place] for place in pool if place != first][:HOPS]


def read(question: Question, places: list[int], given: Input, output: Output) -> Reading:
    span = best_span(output)
    support = [
        [unit_score(output, part, line.start, line.end) for line in question.units[place]] for part, place in enumerate(places)
    ]
    text, margin = (span_text(given, span), span.margin) if span else ("", NOTHING)
    return Reading(output.logit("complete"), output.logit("extends"), text, margin, support)


def said_of(question: Question, way: str, readings: Sequence[Reading]) -> Said:
    """The best of each over the inputs of one way."""
    said = Said(way)
    support: dict[Line, float] = {}
    both: dict[Line, float] = {}
    for places, reading in zip(inputs_of(question, way), readings, strict=True):
        said.complete = max(said.complete, reading.complete)
        if reading.margin > said.margin:
            said.span, said.margin = reading.span, reading.margin
        for place, scores in zip(places, reading.support, strict=True):
            for line, score in zip(question.units[place], scores, strict=True):
                if score is not None:
                    support[line] = max(score, support.get(line, NOTHING))
                    both[line] = max(log_sigmoid(score) + log_sigmoid(reading.complete), both.get(line, NOTHING))
    said.lines = sorted(support, key=lambda line: -support[line])
    said.both = sorted(both, key=lambda line: -both[line])
    said.support = max(support.values(), default=NOTHING)
    return said


class Readings:
    """What was said, kept in a file, so that no input is read twice."""

    def __init__(self, file: Path, run: Runner, encoder: Encoder) -> None:
        self._file, self._run, self._encoder = file, run, encoder
        rows = read_lines(file) if file.exists() else []
        self._known = {row.pop("key"): Reading(**row) for row in rows}

    def of(self, question: Question, way: str) -> list[Reading]:
        inputs = {self._key(question, places): places for places in inputs_of(question, way)}
        new = {key: places for key, places in inputs.items() if key not in self._known}
        given = [self._input(question, places) for places in new.values()]
        outputs = predict(self._run, self._encoder, given)
        with self._file.open("a", encoding="utf-8") as out:
            for (key, places), one, output in zip(new.items(), given, outputs, strict=True):
                self._known[key] = read(question, places, one, output)
                out.write(json.dumps({"key": key, **asdict(self._known[key])}) + "\n")
        return [self._known[key] for key in inputs]

    @staticmethod
    def _key(question: Question, places: Sequence[int]) -> str:
        return " ".join([question.record["id"], *(f"{question.pool[p].path}:{question.pool[p].line}" for p in places)])

    @staticmethod
    def _input(question: Question, places: Sequence[int]) -> Input:
        *chain, candidate = (question.pool[place].passage for place in places)
        return Input(question.record["question"], tuple(chain), candidate)


# ---- tables


def best_by_words(question: Question) -> list[Line]:
    """The found lines in the order of BM25: what needs no encoder."""
    lines = question.lines
    texts = [f"{line.found.passage.header} {line.text}" for line in lines]
    return [lines[i] for i in Bm25(texts).best(question.record["question"], len(lines), 1.0)]


def quoted_today(question: Question) -> list[Line]:
    """Lines of the found passages that the product's own answer cites, in its order."""
    found: dict[Line, None] = {}
    for cited in question.answer["citations"]:
        for line in question.lines:
            first = line.found.line + line.found.passage.text[: line.start].count("\n")
            last = first + line.text.count("\n")
            if cited["path"] == line.found.path and first <= cited["endLine"] and cited["startLine"] <= last:
                found[line] = None
    return list(found)


def precision_at(questions: Sequence[Question], way: str, shares: Sequence[float]) -> list[tuple[float, float, float]]:
    """Of the questions with the largest margins, nulls included: their share, how many spans are exact, and the mean F1."""
    rows = []
    for question in questions:
        said, null = question.said[way], question.null
        rows.append(
            (said.margin, 0.0 if null else exact(said.span, question.answers), 0.0 if null else f1(said.span, question.answers))
        )
    rows.sort(key=lambda row: -row[0])
    table = []
    for share in shares:
        kept = rows[: max(1, round(share * len(rows)))]
        table.append((share, mean([row[1] for row in kept]), mean([row[2] for row in kept])))
    return table


def report(name: str, ways: Sequence[str], asked: Sequence[Question], without: Sequence[Question]) -> dict[str, Any]:
    """Prints a tree's table and returns it."""
    real, nulls = [q for q in asked if not q.null], [q for q in asked if q.null]
    table: dict[str, Any] = {
        "questions": len(real),
        "evidence found": mean([any(line.evidence for line in q.lines) for q in real]),
        "answer found": mean([any(map(q.shows, q.lines)) for q in real]),
        "today: lines quoted": mean([len(quoted_today(q)) for q in real]),
        "today: kept": mean([not q.answer["abstained"] for q in real]),
        "today: nulls refused": mean([q.answer["abstained"] for q in nulls]),
    }

    def add_lines(name: str, order: Callable[[Question], list[Line]], counts: Sequence[int] = (1, 3, 5)) -> None:
        """Is one of the first lines evidence, does one show the answer? Of all questions, and of those kept today."""
        kept = [q for q in real if not q.answer["abstained"]]
        for count in counts:
            what = f"{count} line{'s' if count > 1 else ''}" if count < ALL else "all lines"
            cells = []
            for questions in (real, kept):
                rows = [(q, order(q)[:count]) for q in questions]
                cells.append(f"{mean([any(line.evidence for line in lines) for _, lines in rows]):.2f}")
                cells.append(f"{mean([any(map(q.shows, lines)) for q, lines in rows]):.2f}")
            table[f"{name}: {what}, evidence / answer (kept)"] = "{} / {} ({} / {})".format(*cells)

    add_lines("today", quoted_today, (1, 3, 5, ALL))
    add_lines("words", best_by_words)
    for way in ways:
        mine = [(q, q.said[way]) for q in real]
        add_lines(f"{way}, support", lambda q, way=way: q.said[way].lines)  # type: ignore[misc]
        add_lines(f"{way}, both", lambda q, way=way: q.said[way].both)  # type: ignore[misc]
        for share, right, partly in precision_at(asked, way, (0.1, 0.2, 0.3, 0.5, 1.0)):
            table[f"{way}: span exact / F1 at {share:.0%}"] = f"{right:.2f} / {partly:.2f}"
        for score in ("complete", "margin", "support"):
            scores = [getattr(s, score) for _, s in mine]
            for kind, others in (("nulls", nulls), ("without gold files", without)):
                if others and way in others[0].said:
                    table[f"{way}: AUROC {score}, {kind}"] = auroc(scores, [getattr(q.said[way], score) for q in others])
    print(f"\n{name}: {len(real)} questions with an answer, {len(nulls)} without, {len(without)} less their gold files")
    for key, value in table.items():
        print(f"  {key:52} {value if isinstance(value, (str, int)) else f'{value:.2f}'}")
    return table


def measure(name: str, file: Path, ways: Sequence[str], threads: int) -> dict[str, Any]:
    if not found_file(name).exists():
        raise SystemExit(f"{found_file(name)} is not there: `python -m hoptrail_training.in_use collect` makes it")
    found = {row["id"]: row for row in read_lines(found_file(name))}
    records = list(read_lines(data_folder() / "answers" / f"{name}.jsonl"))
    digest = hashlib.sha256(file.read_bytes() + found_file(name).read_bytes()).hexdigest()[:12]
    readings = Readings(found_file(name).with_suffix(f".{digest}.jsonl"), OnnxRunner(file, threads), Encoder(tokenizer_file()))
    asked = [question_of(record, found[record["id"]]) for record in records]
    gold_free = [question_of(r, found[r["id"]], frozenset(r["files"])) for r in records if r["type"] != "null"]
    without = [question for question in gold_free if question.pool]
    for way in ways:
        for question in [*asked, *(without if way != "hop" else [])]:
            question.said[way] = said_of(question, way, readings.of(question, way))
    return report(name, ways, asked, without)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=["collect", "measure"])
    parser.add_argument("--tree", choices=TREES, action="append")
    parser.add_argument("--way", choices=WAYS, action="append", help="default: all")
    parser.add_argument("--onnx", type=Path, default=None)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    arguments = parser.parse_args()
    tables = {}
    for name in arguments.tree or TREES:
        if arguments.do == "collect":
            try:
                collect(name)
            except NotFetched as error:
                raise SystemExit(str(error)) from None
        else:
            onnx = arguments.onnx or model_folder() / "onnx" / "model_quantized.onnx"
            tables[name] = measure(name, onnx, arguments.way or WAYS, arguments.threads)
    if tables:
        print(json.dumps(tables))


if __name__ == "__main__":
    main()
