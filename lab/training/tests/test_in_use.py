"""What counts as evidence among found lines, what a question keeps without its gold files, and precision by margin."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from hoptrail_training.in_use import (
    Reading,
    Readings,
    Said,
    evidence_ranges,
    inputs_of,
    precision_at,
    question_of,
    quoted_today,
    said_of,
)
from hoptrail_training.layout import Encoder
from hoptrail_training.paths import tokenizer_file


def row(path: str, line: int, text: str, title: str = "") -> dict[str, object]:
    return {"path": path, "startLine": line, "title": title, "text": text}


NOTES = "# Pumps\n\nThe pump froze. Ida Holm mended it.\n- valve: shut"
CODE = "const delay = 500;\n\n}\nthrow new Error('no delay');"
RECORD = {
    "id": "pumps",
    "question": "Who mended the pump?",
    "answer": "Ida Holm",
    "aliases": ["Holm"],
    "type": "inference",
    "files": ["a.md"],
    "evidence": [{"path": "a.md", "quote": "Ida Holm mended it."}, {"path": "b.ts", "quote": "const delay = 500;"}],
}
ANSWER = {
    "abstained": False,
    "citations": [{"number": 1, "path": "a.md", "startLine": 7, "endLine": 7}],
    "trail": [row("b.ts", 1, CODE), row("a.md", 5, NOTES, "Pumps")],
    "hits": [row("a.md", 5, NOTES, "Pumps"), row("c.md", 1, "Rain.")],
}


def test_lines_are_sentences_of_prose_and_lines_of_code() -> None:
    question = question_of(RECORD, ANSWER)
    assert [(line.text, line.evidence) for line in question.lines] == [
        ("const delay = 500;", True),
        ("throw new Error('no delay');", False),
        ("# Pumps", False),
        ("The pump froze.", False),
        ("Ida Holm mended it.", True),
        ("- valve: shut", False),
        ("Rain.", False),
    ]
    assert [line.text for line in question.lines if question.shows(line)] == ["Ida Holm mended it."]


def test_a_quote_that_the_passage_cuts_counts_by_its_lines() -> None:
    found = question_of(RECORD, ANSWER).pool[0]
    assert evidence_ranges(found, [{"path": "b.ts", "quote": "const delay = 500;\nlet next"}]) == [(0, 18)]


def test_headers_are_as_the_encoder_reads_them() -> None:
    assert [found.passage.header for found in question_of(RECORD, ANSWER).pool] == ["b.ts", "a.md: Pumps", "c.md"]


def test_without_gold_files_nothing_of_them_is_left() -> None:
    question = question_of(RECORD, ANSWER, frozenset(["a.md"]))
    assert [found.path for found in question.pool] == ["b.ts", "c.md"]
    assert question.trail == [0]
    assert inputs_of(question, "alone") == [[0], [1]]
    assert inputs_of(question, "trail") == [[0]]
    assert inputs_of(question, "hop") == [[0, 1]]


def test_a_trail_is_read_whole_with_its_last_passage_as_candidate() -> None:
    assert inputs_of(question_of(RECORD, ANSWER), "trail") == [[0, 1]]


def test_the_best_of_several_inputs_counts() -> None:
    question = question_of(RECORD, ANSWER)
    inputs = [
        Reading(-1.0, 0.0, "500", 2.0, [[0.5, None]]),
        Reading(1.0, 0.0, "Ida Holm", 1.0, [[-1.0, -1.0, 1.5, -1.0]]),
        Reading(-3.0, 0.0, "Rain", -4.0, [[-2.0]]),
    ]
    said = said_of(question, "alone", inputs)
    assert (said.span, said.margin, said.complete, said.support) == ("500", 2.0, 1.0, 1.5)
    assert [line.text for line in said.lines[:2]] == ["Ida Holm mended it.", "const delay = 500;"]
    assert said.both[0].text == "Ida Holm mended it."


class Counting:
    """Stands for the encoder: every logit 0; counts the inputs."""

    def __init__(self) -> None:
        self.inputs = 0

    def __call__(self, ids: np.ndarray, mask: np.ndarray, types: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        self.inputs += len(ids)
        return np.zeros((len(ids), 9), np.float32), np.zeros((*ids.shape, 3), np.float32)


def test_no_input_is_read_twice(tmp_path: Path) -> None:
    file, encoder, run = tmp_path / "said.jsonl", Encoder(tokenizer_file()), Counting()
    readings = Readings(file, run, encoder).of(question_of(RECORD, ANSWER), "alone")
    assert run.inputs == 3
    again = Readings(file, run, encoder)
    assert again.of(question_of(RECORD, ANSWER), "alone") == readings
    assert again.of(question_of(RECORD, ANSWER, frozenset(["a.md"])), "alone") == [readings[0], readings[2]]
    assert run.inputs == 3


def test_what_the_product_cites_is_found_by_its_lines() -> None:
    assert [line.text for line in quoted_today(question_of(RECORD, ANSWER))] == ["The pump froze.", "Ida Holm mended it."]


def test_precision_counts_a_span_offered_to_a_null_as_wrong() -> None:
    right, null = question_of(RECORD, ANSWER), question_of({**RECORD, "type": "null", "answer": ""}, ANSWER)
    right.said["alone"] = Said("alone", span="Ida Holm", margin=1.0)
    null.said["alone"] = Said("alone", span="", margin=2.0)
    assert precision_at([right, null], "alone", (0.5, 1.0)) == [(0.5, 0.0, 0.0), (1.0, 0.5, 0.5)]
