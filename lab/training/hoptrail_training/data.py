"""Stage 2: make the examples, one file a source, and print counts: `python -m hoptrail_training.data [SOURCE ...]`."""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable

from .examples import Group, write_groups
from .paths import cache_folder, data_folder
from .sources import chains, spans
from .sources.development import Forbidden

SEED = 20261122
#: How often a chain's hops are made, each time with other negatives.
CHAIN_ROUNDS = 3


def make_chains(forbidden: Forbidden, counts: Counter[str]) -> Iterable[Group]:
    rng = random.Random(SEED)
    questions = chains.read_chains(data_folder(), forbidden, counts)
    aside = {question.id for question in chains.kept_aside(questions)}
    counts["kept aside to measure support"] = len(aside)
    for _ in range(CHAIN_ROUNDS):
        for question in questions:
            if question.id not in aside:
                yield from chains.hop_groups(question, rng)


def make_evidence(forbidden: Forbidden, counts: Counter[str]) -> Iterable[Group]:
    rng = random.Random(SEED + 1)
    known = {question.question for question in chains.read_chains(data_folder(), forbidden, Counter())}
    questions = chains.evidence_questions(data_folder(), forbidden, known, counts, rng)
    for _ in range(2):
        for question in questions:
            yield from chains.hop_groups(question, rng)
            yield chains.mixed_evidence(question, rng)


def make_reading(forbidden: Forbidden, _counts: Counter[str]) -> Iterable[Group]:
    """Only the last hops, with one wrong passage and the right one without its answer: reading over several passages is what
    little of the other files asks for."""
    rng = random.Random(SEED + 9)
    questions = chains.read_chains(data_folder(), forbidden, Counter())
    aside = {question.id for question in chains.kept_aside(questions)}
    known = {question.question for question in questions}
    questions = [question for question in questions if question.id not in aside]
    questions += chains.evidence_questions(data_folder(), forbidden, known, Counter(), rng)
    for _ in range(3):
        for question in questions:
            *_, last = chains.hop_groups(question, rng, negatives=1)
            last.source = f"reading.{question.dataset}"
            yield last


MAKERS: dict[str, Callable[[Forbidden, Counter[str]], Iterable[Group]]] = {
    "chains": make_chains,
    "evidence": make_evidence,
    "reading": make_reading,
    "spans": lambda forbidden, counts: spans.span_groups(data_folder(), forbidden, counts, random.Random(SEED + 2)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", choices=[*MAKERS, []], help="default: all")
    arguments = parser.parse_args()
    forbidden = Forbidden(data_folder())
    print(f"development sets: {len(forbidden.questions)} questions, {len(forbidden.passages)} passages")
    for name in arguments.sources or MAKERS:
        counts: Counter[str] = Counter()
        made: Counter[str] = Counter()

        def counted(groups: Iterable[Group], made: Counter[str] = made) -> Iterable[Group]:
            for group in groups:
                made[f"{group.source}: groups"] += 1
                made[f"{group.source}: inputs"] += len(group.examples)
                yield group

        file = cache_folder() / "examples" / f"{name}.jsonl.gz"
        write_groups(file, counted(MAKERS[name](forbidden, counts)))
        record = {**counts, **made}
        file.with_name(f"{name}.counts.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
        for key, value in record.items():
            print(f"{key}: {value}")


if __name__ == "__main__":
    main()
