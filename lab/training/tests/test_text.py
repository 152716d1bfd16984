"""Sentences, places of an answer, scores."""

from __future__ import annotations

from hoptrail_training.text import Bm25, exact, f1, occurrences, sentences


def test_sentences_end_at_stops_and_lines() -> None:
    text = "Dr. Smith came. He left at 5.30 p.m. on Monday!\n- a point\n\nLast"
    assert [text[a:b] for a, b in sentences(text)] == [
        "Dr. Smith came.",
        "He left at 5.30 p.m. on Monday!",
        "- a point",
        "Last",
    ]


def test_occurrences_are_whole_words() -> None:
    assert occurrences("Ann and Anna, ANN", "ann") == [(0, 3), (14, 17)]
    assert occurrences("costs $5, or 50", "$5") == [(6, 8)]
    assert occurrences("anything", "") == []


def test_scores() -> None:
    assert exact("The Owl", ["owl."]) == 1.0
    assert f1("the big owl", ["owl"]) == 2 / 3
    assert f1("", ["owl"]) == 0.0


def test_bm25_finds_the_rare_word() -> None:
    index = Bm25(["a cat sat", "a dog sat", "a cat ran"])
    assert index.best("dog", 1, 1.0) == [1]
