"""What must not be trained on: questions and passages of the development sets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ..paths import REPOSITORY
from ..text import normalised

QUESTION_FILES = ("musique.jsonl", "hotpotqa.jsonl", "2wikimultihopqa.jsonl", "multihop-rag.jsonl")
PASSAGE_FILES = ("multihop-rag.corpus.jsonl",)
FOLDERS = ("answers", "code", "code/many")


def read_lines(file: Path) -> Iterable[dict]:
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def asked_folders() -> set[str]:
    """The repositories that `lab/questions` asks about, as `owner+name`: what the encoder is worth is measured on them."""
    return set(json.loads((REPOSITORY / "lab" / "questions" / "folders.json").read_text(encoding="utf-8")))


#: Folders of `lab/questions` whose files nothing learns from.
KEPT_ASIDE = ("aside", "later", "blind", "newer")


def kept_aside() -> dict[str, set[str]]:
    """Questions that nothing learns from, as `key_of` tells them, by the repository that they ask about."""
    found: dict[str, set[str]] = {}
    for name in KEPT_ASIDE:
        for file in sorted((REPOSITORY / "lab" / "questions" / name).glob("*.jsonl")):
            asked = found.setdefault(file.name.removesuffix(".jsonl"), set())
            asked.update(key_of(record["question"]) for record in read_lines(file))
    return found


def key_of(text: str) -> str:
    """A text for comparison: words only, the first 400 characters."""
    return normalised(text)[:400]


class Forbidden:
    """Questions and passage texts of every development set."""

    def __init__(self, data: Path) -> None:
        self.questions: set[str] = set()
        self.passages: set[str] = set()
        files = [data / name for name in (*QUESTION_FILES, *PASSAGE_FILES)]
        files += [file for folder in FOLDERS for file in sorted((data / folder).glob("*.jsonl"))]
        for file in files:
            for record in read_lines(file):
                if "question" in record:
                    self.questions.add(key_of(record["question"]))
                if "text" in record:
                    self.passages.add(key_of(record["text"]))
                for passage in record.get("passages", []):
                    self.passages.add(key_of(passage["text"]))

    def has_question(self, question: str) -> bool:
        return key_of(question) in self.questions

    def has_passage(self, text: str) -> bool:
        key = key_of(text)
        return len(key) > 20 and key in self.passages
