"""Check that nothing of a development set is in the examples: questions, passages, evidence lines of the file trees; nor
any question about folders that is kept aside, nor one of the repositories that those ask about.

python -m hoptrail_training.check
"""

from __future__ import annotations

from pathlib import Path

from .examples import read_groups
from .paths import cache_folder, data_folder
from .sources.development import FOLDERS, Forbidden, kept_aside, key_of, read_lines

#: Shorter lines stand in many files by chance.
SHORTEST_QUOTE = 40


def evidence_lines() -> set[str]:
    """Lines quoted as evidence in the sets over file trees."""
    found = set()
    for folder in FOLDERS:
        for file in sorted((data_folder() / folder).glob("*.jsonl")):
            for record in read_lines(file):
                for entry in record.get("evidence", []):
                    found.update(line.strip() for line in entry["quote"].split("\n"))
    return {line for line in found if len(line) >= SHORTEST_QUOTE}


def asked_wrongly(folder: Path, aside: dict[str, set[str]]) -> list[str]:
    """What files of questions about folders (`write-asked.ts`) hold of what is kept aside."""
    questions = set().union(*aside.values())
    wrong = []
    for file in sorted(folder.glob("*.jsonl.gz")):
        if file.name.removesuffix(".jsonl.gz") in aside:
            wrong.append(f"repository: {file.name}")
        asked = {example.question for group in read_groups(file) for example in group.examples}
        wrong += [f"question: {question}" for question in sorted(asked) if key_of(question) in questions]
    return wrong


def main() -> None:
    forbidden = Forbidden(data_folder())
    quotes = evidence_lines()
    print(f"{len(forbidden.questions)} questions, {len(forbidden.passages)} passages, {len(quotes)} evidence lines")
    wrong = 0
    for file in sorted((cache_folder() / "examples").glob("*.jsonl.gz")):
        inputs = 0
        bad: set[str] = set()
        seen: set[int] = set()
        for group in read_groups(file):
            for example in group.examples:
                inputs += 1
                if forbidden.has_question(example.question):
                    bad.add(f"question: {example.question}")
                for passage in (*example.chain, example.candidate):
                    if hash(passage.text) in seen:
                        continue
                    seen.add(hash(passage.text))
                    if forbidden.has_passage(passage.text):
                        bad.add(f"passage: {key_of(passage.text)[:80]}")
                    bad.update(f"line: {line.strip()}" for line in passage.text.split("\n") if line.strip() in quotes)
        print(f"{file.name}: {inputs} inputs, {len(bad)} of a development set")
        for line in sorted(bad)[:20]:
            print("  ", line)
        wrong += len(bad)
    asked = asked_wrongly(cache_folder() / "asked", kept_aside())
    print("\n   ".join([f"asked: {len(asked)} of what is kept aside", *asked[:20]]))
    if wrong + len(asked):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
