"""Check that nothing of a development set is in the examples: questions, passages, evidence lines of the file trees.

python -m hoptrail_training.check
"""

from __future__ import annotations

from .examples import read_groups
from .paths import cache_folder, data_folder
from .sources.development import FOLDERS, Forbidden, key_of, read_lines

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
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
