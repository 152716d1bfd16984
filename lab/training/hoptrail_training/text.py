"""Plain-text helpers: sentences, places of an answer, words for BM25, the usual exact match and F1."""

from __future__ import annotations

import math
import re
import string
from collections import Counter, defaultdict
from collections.abc import Sequence

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”')\]]*\s+(?=[\"“'(\[]?[A-Z0-9À-Þ])|\n+")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|No|Inc|Ltd|Co|Prof|Gen|Col|Lt|Sgt|e\.g|i\.e|etc|approx|ca|c)\.$")
_WORD = re.compile(r"[a-z0-9]+")


def sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of the sentences of prose; lines end sentences too."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if "\n" not in match.group() and _ABBREVIATION.search(text[start : match.start()][-8:]):
            continue
        found.append((start, match.start()))
        start = match.end()
    found.append((start, len(text)))
    trimmed = []
    for first, last in found:
        piece = text[first:last]
        first += len(piece) - len(piece.lstrip())
        last = first + len(piece.strip())
        if last > first:
            trimmed.append((first, last))
    return trimmed


def occurrences(text: str, answer: str, most: int = 6) -> list[tuple[int, int]]:
    """Where an answer stands in a text, whole words, whatever the case."""
    answer = answer.strip()
    if not answer:
        return []
    before = r"(?<!\w)" if answer[0].isalnum() else ""
    after = r"(?!\w)" if answer[-1].isalnum() else ""
    pattern = before + r"\s+".join(re.escape(word) for word in answer.split()) + after
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)][:most]


def normalised(answer: str) -> str:
    """Lower case, without articles, punctuation and doubled spaces (SQuAD's way)."""
    answer = "".join(" " if c in string.punctuation else c for c in answer.lower())
    return " ".join(word for word in answer.split() if word not in ("a", "an", "the"))


def exact(guess: str, answers: Sequence[str]) -> float:
    return max(float(normalised(guess) == normalised(answer)) for answer in answers)


def f1(guess: str, answers: Sequence[str]) -> float:
    """Best token F1 of a guess against several answers."""

    def one(answer: str) -> float:
        got, gold = normalised(guess).split(), normalised(answer).split()
        if not got or not gold:
            return float(got == gold)
        same = sum((Counter(got) & Counter(gold)).values())
        return 0.0 if same == 0 else 2 * same / (len(got) + len(gold))

    return max(one(answer) for answer in answers)


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class Bm25:
    """Okapi BM25 over a list of texts."""

    def __init__(self, texts: Sequence[str], k1: float = 1.2, b: float = 0.75) -> None:
        counted = [Counter(words(text)) for text in texts]
        lengths = [sum(counts.values()) for counts in counted]
        average = sum(lengths) / max(1, len(lengths)) or 1.0
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for index, counts in enumerate(counted):
            norm = k1 * (1 - b + b * lengths[index] / average)
            for word, count in counts.items():
                self._postings[word].append((index, count * (k1 + 1) / (count + norm)))
        self._total = len(texts)

    def best(self, query: str, count: int, commonest: float = 0.2) -> list[int]:
        """Indices of the best texts; words in more than `commonest` of all texts do not count."""
        scores: dict[int, float] = defaultdict(float)
        for word in set(words(query)):
            postings = self._postings.get(word, [])
            if not postings or len(postings) > max(20, commonest * self._total):
                continue
            idf = math.log(1 + (self._total - len(postings) + 0.5) / (len(postings) + 0.5))
            for index, weight in postings:
                scores[index] += idf * weight
        return sorted(scores, key=lambda index: (-scores[index], index))[:count]
