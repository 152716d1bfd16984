"""Training examples: what is read and what is known about it, in JSON lines."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .layout import Passage


@dataclass
class Place:
    """Characters of one part of the input: part 0 is the first chain passage, the last part the candidate."""

    part: int
    start: int
    end: int
    header: bool = False


@dataclass
class Unit:
    """A sentence, table row, list item, field or code line, and whether it supports the answer."""

    part: int
    start: int
    end: int
    supports: bool


@dataclass
class Example:
    """One input with its labels; None: not known, no loss. `spans`: every place of the answer; empty: there is none."""

    question: str
    chain: list[Passage]
    candidate: Passage
    extends: bool | None = None
    complete: bool | None = None
    entail: bool | None = None
    type: str | None = None
    spans: list[Place] | None = None
    units: list[Unit] = field(default_factory=list)


def answering(
    question: str,
    chain: list[Passage],
    candidate: Passage,
    type: str,
    spans: list[Place] | None,
    units: list[Unit],
    extends: bool | None = True,
) -> Example:
    """An input that answers its question."""
    return Example(question, chain, candidate, extends, True, None, type, spans, units)


def unanswered(question: str, chain: list[Passage], candidate: Passage, **known: Any) -> Example:
    """An input that does not answer its question; `known`: what else is."""
    return Example(question, chain, candidate, complete=False, type="none", **known)


@dataclass
class Group:
    """Examples that are read together: for a chain one right candidate and some wrong ones (listwise loss), else usually a
    question with and without its answer. `source` names the data set or rule, `key` what may not be in two splits."""

    source: str
    key: str
    examples: list[Example]
    listwise: bool = False

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def group_from_json(line: str | bytes) -> Group:
    record = json.loads(line)
    examples = []
    for entry in record["examples"]:
        spans = entry["spans"]
        examples.append(
            Example(
                question=entry["question"],
                chain=[Passage(**passage) for passage in entry["chain"]],
                candidate=Passage(**entry["candidate"]),
                extends=entry["extends"],
                complete=entry["complete"],
                entail=entry["entail"],
                type=entry["type"],
                spans=None if spans is None else [Place(**span) for span in spans],
                units=[Unit(**unit) for unit in entry["units"]],
            )
        )
    return Group(record["source"], record["key"], examples, record["listwise"])


def write_groups(file: Path, groups: Iterable[Group]) -> int:
    """Groups as gzipped JSON lines, renamed when whole; says how many."""
    count = 0
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_suffix(".part")
    with gzip.open(beside, "wt", encoding="utf-8", compresslevel=3) as out:
        for group in groups:
            out.write(group.to_json() + "\n")
            count += 1
    beside.replace(file)
    return count


def read_groups(file: Path) -> Iterator[Group]:
    return map(group_from_json, group_lines(file))


def group_lines(file: Path) -> list[bytes]:
    """The groups of a file as they are written."""
    with gzip.open(file) as lines:
        return list(lines)
