"""What is kept aside is found where it should not be."""

from __future__ import annotations

from pathlib import Path

from hoptrail_training.check import asked_wrongly
from hoptrail_training.examples import Group, unanswered, write_groups
from hoptrail_training.layout import Passage
from hoptrail_training.sources.development import kept_aside, key_of


def asked(question: str) -> list[Group]:
    return [Group("notes", question, [unanswered(question, [], Passage("a.md", "Some text."), spans=[])])]


def test_finds_questions_and_repositories_that_are_kept_aside(tmp_path: Path) -> None:
    aside = {"some+handbook": {key_of("Who signs for the ropes?")}}
    write_groups(tmp_path / "other+notes.jsonl.gz", asked("Where are the ropes?"))
    assert asked_wrongly(tmp_path, aside) == []
    write_groups(tmp_path / "third+notes.jsonl.gz", asked("who signs for the ropes"))
    write_groups(tmp_path / "some+handbook.jsonl.gz", asked("Where are the masts?"))
    assert asked_wrongly(tmp_path, aside) == [
        "repository: some+handbook.jsonl.gz",
        "question: who signs for the ropes",
    ]


def test_reads_the_sets_of_the_repository() -> None:
    found = kept_aside()
    assert len(found) > 40
    assert all(len(questions) >= 10 for questions in found.values())
