"""One-passage questions of SQuADShifts (`train/spans.*.jsonl`): the span, its sentence, and what does not answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..examples import Group, Place, Unit, answering, unanswered
from ..layout import Passage
from ..text import Bm25, occurrences, sentences, words
from .development import Forbidden, read_lines

FILES = ("new_wiki", "reddit", "amazon_reviews")
#: At most this much of a passage is read, in sentences around the answer.
LONGEST_WORDS = 190


def window(text: str, start: int, end: int, rng: random.Random) -> tuple[str, int]:
    """Sentences around the answer, at most LONGEST_WORDS words: text and how far the start has moved."""
    cut = sentences(text)
    if len(words(text)) <= LONGEST_WORDS:
        return text, 0
    inside = [i for i, (a, b) in enumerate(cut) if a < end and b > start] or [0]
    first, last = inside[0], inside[-1]
    while True:
        options = []
        if first > 0:
            options.append((first - 1, last))
        if last < len(cut) - 1:
            options.append((first, last + 1))
        options = [(a, b) for a, b in options if len(words(text[cut[a][0] : cut[b][1]])) <= LONGEST_WORDS]
        if not options:
            break
        first, last = rng.choice(options)
    return text[cut[first][0] : cut[last][1]], cut[first][0]


def span_groups(data: Path, forbidden: Forbidden, counts: Counter[str], rng: random.Random) -> Iterator[Group]:
    """A question over its passage; with it, often, another passage of the same set or the passage without the sentence."""
    for name in FILES:
        records = list(read_lines(data / "train" / f"spans.{name}.jsonl"))
        texts = sorted({record["passage"] for record in records})
        near = Bm25(texts)
        for record in records:
            if forbidden.has_question(record["question"]) or forbidden.has_passage(record["passage"]):
                counts[f"spans.{name}: in a development set, dropped"] += 1
                continue
            counts[f"spans.{name}: used"] += 1
            start = record["start"]
            end = start + len(record["answer"])
            text, moved = window(record["passage"], start, end, rng)
            start, end = start - moved, end - moved
            title = record.get("title", "")
            header = title.replace("_", " ") if name == "new_wiki" else ""
            question = record["question"].strip()
            units = [Unit(0, a, b, a < end and b > start) for a, b in sentences(text)]
            examples = [answering(question, [], Passage(header, text), "span", [Place(0, start, end)], units)]
            choice = rng.random()
            if choice < 0.3:
                rest = " ".join(text[a:b] for a, b in sentences(text) if not (a < end and b > start))
                if len(words(rest)) > 15 and not occurrences(rest, record["answer"]):
                    examples.append(unanswered(question, [], Passage(header, rest), spans=[]))
            elif choice < 0.6:
                beside = [i for i in near.best(question, 6) if texts[i] != record["passage"]]
                other = texts[rng.choice(beside)] if beside and rng.random() < 0.7 else rng.choice(texts)
                if not occurrences(other, record["answer"]) and other != record["passage"]:
                    other = window(other, 0, 1, rng)[0]
                    examples.append(unanswered(question, [], Passage(header, other), extends=False, spans=[]))
            yield Group(f"spans.{name}", f"{name}:{title}:{record['passage'][:60]}", examples)
