"""What training on a GPU adds: steps made in other processes, and questions of a fold kept aside."""

from __future__ import annotations

import gzip
from itertools import islice
from pathlib import Path

import pytest
import torch

from hoptrail_training import asked, gpu
from hoptrail_training.batches import Source, micro_batches
from hoptrail_training.examples import Example, Group, Place, Unit
from hoptrail_training.layout import Encoder, Passage
from hoptrail_training.model import JointEncoder, ModelSize
from hoptrail_training.paths import tokenizer_file

from .test_batches import EMPTY, EXAMPLE

GROUPS = [Group("asked.notes", str(number), [EXAMPLE, EMPTY], listwise=True) for number in range(4)]


def write(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(file, "wt", encoding="utf-8") as out:
        out.writelines(group.to_json() + "\n" for group in GROUPS)
    return file


def test_every_process_draws_its_own_steps(tmp_path: Path) -> None:
    source = Source("notes", write(tmp_path / "notes.jsonl.gz"), 1)
    steps = gpu.Steps([source], {"notes": 1.0}, 4, 1, 64)
    for batches in map(gpu.unpacked, islice(steps, 3)):
        assert sum(len(batch.ids) for batch in batches) == 4
        assert all(batch.ids.shape[1] <= 64 for batch in batches)
    before = [source.at(place).key for place in range(4)]
    source.reseed(2000)
    assert sorted(source.at(place).key for place in range(4)) == sorted(before)


def test_a_folds_questions_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPTRAIL_TRAINING_CACHE", str(tmp_path))
    for name in "abcd":
        write(tmp_path / "asked" / f"{name}.jsonl.gz")
    assert {fold for fold, _ in asked.sets().values()} == {0, 1, 2}
    groups = gpu.held_out(0)
    assert len(groups) == 4
    batches = list(micro_batches(groups, Encoder(tokenizer_file()), 64, 4096))
    torch.manual_seed(1)
    told = gpu.told(JointEncoder(ModelSize(layers=1)), batches, torch.device("cpu"))
    assert set(told) == {"heldLead", "heldUnit", "heldPassage"}
    assert 0 < told["heldLead"] < 5


def test_a_passage_without_its_evidence_does_not_answer() -> None:
    text = (
        "Retries are for the network. The limit is 7 tries. "
        + "What is tried again is told in the log of the client, once a minute. " * 2
    )
    start = text.index("The limit")
    unit = Unit(0, start, start + 22, True)
    place = Place(0, text.index("7"), text.index("7") + 1)
    asked_of = Example("How often?", [], Passage("a.md", text), extends=True, complete=True, spans=[place], units=[unit])
    nearly = asked.without_evidence(asked_of)
    assert nearly is not None
    assert "7" not in nearly.candidate.text
    assert nearly.candidate.text.startswith("Retries are for the network.")
    assert (nearly.extends, nearly.complete, nearly.spans) == (None, False, [])
    asked_of.candidate = Passage("a.md", text + " It was 7 before.")
    assert asked.without_evidence(asked_of) is None
