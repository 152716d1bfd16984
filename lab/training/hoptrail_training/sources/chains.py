"""Chains of HotpotQA, 2WikiMultihopQA and MuSiQue, and HotpotQA's evidence sentences, as groups of examples.

Files: `train/*.chains.jsonl`, `train/hotpotqa.evidence.jsonl`. A group is one hop: the chain so far, a passage that goes on, and
passages that do not (near by BM25, at random, or the right one after a wrong chain). The last hop's right passage makes the chain
complete and carries the answer; the same passage without the answer's sentence does not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..examples import Example, Group, Place, Unit, answering, unanswered
from ..layout import Passage
from ..text import Bm25, occurrences, sentences, words
from .development import Forbidden, read_lines

SETS = ("hotpotqa", "2wikimultihopqa", "musique")
#: Questions of HotpotQA with whole passages and marked sentences that are kept aside to measure support.
KEPT_ASIDE = 60


@dataclass
class Question:
    """A multi-hop question with its gold chain in reading order and its distractors."""

    id: str
    dataset: str
    question: str
    answers: list[str]
    type: str
    gold: list[Passage]
    others: list[Passage]
    ordered: bool
    evidence: list[str]

    @property
    def verdict(self) -> str | None:
        answer = self.answers[0].lower().strip(" .")
        return answer if answer in ("yes", "no") else None

    @property
    def answer_type(self) -> str:
        return self.verdict or ("comparison" if self.type == "comparison" else "span")


def answer_places(question: Question, parts: list[Passage]) -> list[Place]:
    """Where the answer stands: in the last part that has it, texts before headers."""
    for header in (False, True):
        for part in range(len(parts) - 1, -1, -1):
            text = parts[part].header if header else parts[part].text
            for answer in question.answers:
                found = occurrences(text, answer)
                if found:
                    return [Place(part, start, end, header) for start, end in found]
    return []


def says_answer(question: Question, parts: list[Passage]) -> bool:
    return question.verdict is None and bool(answer_places(question, parts))


def without_answer(question: Question, passage: Passage) -> Passage | None:
    """The passage less the sentences that hold the answer; None when nothing is left or the header tells it."""
    if question.verdict is not None or any(occurrences(passage.header, answer) for answer in question.answers):
        return None
    kept = [
        passage.text[start:end]
        for start, end in sentences(passage.text)
        if not any(occurrences(passage.text[start:end], answer) for answer in question.answers)
    ]
    text = " ".join(kept)
    if len(words(text)) < 8 or any(occurrences(text, answer) for answer in question.answers):
        return None
    return Passage(passage.header, text)


def support_units(question: Question, parts: list[Passage]) -> list[Unit]:
    """Sentences of a complete chain: those marked as evidence where that is known, else those with the answer in its passage."""
    marked = [sentence for sentence in question.evidence if any(sentence in part.text for part in parts)]
    units: list[Unit] = []
    if marked:
        for index, part in enumerate(parts):
            for start, end in sentences(part.text):
                piece = part.text[start:end]
                units.append(Unit(index, start, end, any(piece in s or s in piece for s in marked)))
        return units
    places = [place for place in answer_places(question, parts) if not place.header]
    if not places:
        return []
    index = places[0].part
    for start, end in sentences(parts[index].text):
        units.append(Unit(index, start, end, any(start <= place.start < end for place in places)))
    return units


def shortened(passage: Passage, keep: list[str]) -> Passage:
    """Only the sentences that name one of `keep` (or the first): a hop as the product passes it on when room is short."""
    parts = [passage.text[start:end] for start, end in sentences(passage.text)]
    kept = [part for part in parts if any(occurrences(part, name) for name in keep)] or parts[:1]
    return Passage(passage.header, " ".join(kept))


def hop_groups(question: Question, rng: random.Random, negatives: int = 3) -> Iterator[Group]:
    """One group for each hop of a question."""
    gold = list(question.gold)
    if not question.ordered:
        rng.shuffle(gold)
    near = Bm25([f"{other.header} {other.text}" for other in question.others])
    source = question.dataset
    for hop, right in enumerate(gold):
        chain = gold[:hop]
        later = gold[hop + 1 :]
        if chain and rng.random() < 0.3:
            names = [passage.header.split(" (")[0] for passage in gold[1 : hop + 1]] + question.answers
            chain = [shortened(passage, names) for passage in chain]
        last = hop == len(gold) - 1
        query = " ".join([question.question, *(passage.header for passage in chain), chain[-1].text if chain else ""])
        ranked = near.best(query, 8, commonest=1.0)
        picks = rng.sample(ranked, min(2, negatives, len(ranked)))
        rest = [index for index in range(len(question.others)) if index not in picks]
        picks += rng.sample(rest, min(max(0, negatives - len(picks)), len(rest)))
        examples = []
        parts = [*chain, right]
        if last:
            places = answer_places(question, parts)
            known = bool(places) or question.verdict is not None
            spans = places if known else None
            units = support_units(question, parts)
            examples.append(answering(question.question, chain, right, question.answer_type, spans, units))
        else:
            spans = None if says_answer(question, parts) else []
            examples.append(unanswered(question.question, chain, right, extends=True, spans=spans))
        if chain and question.ordered and rng.random() < 0.4 and picks:
            wrong = question.others[picks.pop()]
            examples.append(unanswered(question.question, [*chain[:-1], wrong], right, extends=False))
        for index in picks:
            other = question.others[index]
            spans = None if says_answer(question, [*chain, other]) else []
            units = [Unit(len(chain), start, end, False) for start, end in sentences(other.text)] if last else []
            examples.append(unanswered(question.question, chain, other, extends=False, spans=spans, units=units))
        if last and rng.random() < 0.5:
            bare = without_answer(question, right)
            if bare is not None and not says_answer(question, chain):
                examples.append(unanswered(question.question, chain, bare, spans=[]))
        if later and rng.random() < 0.15 and not last:
            examples.append(Example(question.question, [*chain, right], right, extends=False, complete=False))
        yield Group(source, question.id, examples, listwise=True)


def chain_order(record: dict, gold: list[Passage]) -> tuple[list[Passage], bool]:
    """Gold passages in reading order and whether that order is the only one."""
    if record["dataset"] == "musique":
        return gold, True
    if record["type"] == "comparison":
        return gold, False
    answers = [record["answer"], *record.get("aliases", [])]
    having = [any(occurrences(f"{p.header} {p.text}", answer) for answer in answers) for p in gold]
    if len(gold) == 2 and having == [True, False]:
        gold = gold[::-1]
    return gold, True


def read_chains(data: Path, forbidden: Forbidden, counts: Counter[str]) -> list[Question]:
    """All questions with at least two gold passages and none of a development set."""
    evidence = {
        record["question"].strip(): [entry["text"].strip() for entry in record["evidence"]]
        for record in read_lines(data / "train" / "hotpotqa.evidence.jsonl")
    }
    questions = []
    for name in SETS:
        for record in read_lines(data / "train" / f"{name}.chains.jsonl"):
            counts[f"{name}: read"] += 1
            passages = {p["id"]: Passage(p["title"], p["text"]) for p in record["passages"]}
            gold = [passages[i] for i in record["supporting"] if i in passages]
            if len(gold) < 2 or len(gold) != record["hops"]:
                counts[f"{name}: gold incomplete, dropped"] += 1
                continue
            if forbidden.has_question(record["question"]) or any(forbidden.has_passage(p.text) for p in gold):
                counts[f"{name}: in a development set, dropped"] += 1
                continue
            all_others = [p for i, p in passages.items() if i not in record["supporting"]]
            others = [p for p in all_others if not forbidden.has_passage(p.text)]
            counts[f"{name}: distractors of a development set, dropped"] += len(all_others) - len(others)
            gold, ordered = chain_order(record, gold)
            questions.append(
                Question(
                    record["id"],
                    name,
                    record["question"].strip(),
                    [record["answer"], *record.get("aliases", [])],
                    record["type"],
                    gold,
                    others,
                    ordered,
                    evidence.get(record["question"].strip(), []),
                )
            )
    return questions


def kept_aside(questions: list[Question]) -> list[Question]:
    """The questions that measure support: the first of HotpotQA whose marked sentences all stand in their passages."""
    fit = [q for q in questions if q.evidence and all(any(s in p.text and s != p.text for p in q.gold) for s in q.evidence)]
    return sorted(fit, key=lambda q: q.id)[:KEPT_ASIDE]


def evidence_questions(
    data: Path, forbidden: Forbidden, known: set[str], counts: Counter[str], rng: random.Random
) -> list[Question]:
    """HotpotQA questions of which only the evidence sentences are here: sentences of one title make a passage, distractors are
    the evidence of other questions that is near by BM25."""
    records = []
    for record in read_lines(data / "train" / "hotpotqa.evidence.jsonl"):
        question = record["question"].strip()
        if question in known:
            continue
        texts = [entry["text"] for entry in record["evidence"]]
        if forbidden.has_question(question) or any(forbidden.has_passage(text) for text in texts):
            counts["hotpotqa.evidence: in a development set, dropped"] += 1
            continue
        by_title: dict[str, list[str]] = {}
        for index, entry in enumerate(record["evidence"]):
            by_title.setdefault(entry["title"] or f"#{index}", []).append(entry["text"].strip())
        gold = [Passage("" if t.startswith("#") else t, " ".join(parts)) for t, parts in by_title.items()]
        records.append((record, question, gold, texts))
    pool = [passage for record in records for passage in record[2]]
    owner = [record[0]["id"] for record in records for _ in record[2]]
    index = Bm25([f"{passage.header} {passage.text}" for passage in pool])
    questions = []
    for record, question, gold, texts in records:
        counts["hotpotqa.evidence: read"] += 1
        query = " ".join([question, *(f"{p.header} {p.text}" for p in gold)])
        titles = {passage.header for passage in gold if passage.header}
        near = [i for i in index.best(query, 30) if owner[i] != record["id"] and pool[i].header not in titles]
        untitled = any(not passage.header for passage in gold)
        others = [pool[i] for i in near if (not pool[i].header) == untitled][:9]
        gold, ordered = chain_order({**record, "dataset": "hotpotqa"}, gold)
        if 2 <= len(gold) <= 4 and others:
            questions.append(
                Question(
                    record["id"],
                    "hotpotqa.evidence",
                    question,
                    [record["answer"]],
                    record["type"],
                    gold,
                    others,
                    ordered and not untitled,
                    [text.strip() for text in texts],
                )
            )
    return questions


def mixed_evidence(question: Question, rng: random.Random) -> Group:
    """Evidence sentences among sentences of other questions, in one passage: which ones support the answer?"""
    right = [p.text for p in question.gold]
    wrong = [p.text for p in question.others[:5]]
    picked = rng.sample(wrong, min(len(wrong), rng.randint(2, 4)))
    lines = [(text, True) for text in right] + [(text, False) for text in picked]
    rng.shuffle(lines)
    joiner = rng.choice((" ", "\n"))

    def build(chosen: list[tuple[str, bool]]) -> tuple[Passage, list[Unit]]:
        text, units = "", []
        for line, supports in chosen:
            text += joiner if text else ""
            units.append(Unit(0, len(text), len(text) + len(line), supports))
            text += line
        return Passage("", text), units

    passage, units = build(lines)
    places = answer_places(question, [passage])
    known = bool(places) or question.verdict is not None
    spans = places if known else None
    examples = [answering(question.question, [], passage, question.answer_type, spans, units, extends=None)]
    cut = rng.choice(right)
    rest, units = build([(text, supports) for text, supports in lines if text != cut])
    if not says_answer(question, [rest]):
        examples.append(unanswered(question.question, [], rest, spans=[]))
    return Group("hotpotqa.evidence", question.id, examples)
