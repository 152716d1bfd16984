"""The layout of the input: pieces, markers, cutting, and the way back to characters."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer

from hoptrail_training.layout import CANDIDATE, CHAIN, CLS, LINE, SEP, TEXT, Encoder, Passage, pieces, share_room
from hoptrail_training.paths import tokenizer_file

TEXTS = [
    "retryDelay: 500, // milliseconds — “quoted” naïve café",
    "| a | b |\n|---|---|\n| 1 | @handle |",
    "日本語 text, co-op's e-mail: a_b.c(d) → 5€",
    "line one\n\n\n  line two\ttabbed",
]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(tokenizer_file())


@pytest.mark.parametrize("text", TEXTS)
def test_pieces_give_the_tokens_of_the_whole(encoder: Encoder, text: str) -> None:
    whole = Tokenizer.from_file(str(tokenizer_file())).encode(text, add_special_tokens=False).ids
    assert encoder.line_tokens(text).ids == whole


def test_pieces_are_words_and_marks() -> None:
    text = "retryDelay: 500,"
    assert [text[a:b] for a, b in pieces(text)] == ["retryDelay", ":", "500", ","]


def test_layout_and_types(encoder: Encoder) -> None:
    chain = [Passage("One", "first\n\nsecond")]
    encoded = encoder.encode("Who?", chain, Passage("Two", "third"))
    word = {name: encoder.line_tokens(name).ids for name in ("Who?", "One", "Two", "first", "second", "third")}
    assert encoded.ids == [
        *(CLS, *word["Who?"], SEP),
        *(CHAIN, *word["One"], TEXT, *word["first"], LINE, *word["second"], SEP),
        *(CANDIDATE, *word["Two"], TEXT, *word["third"], SEP),
    ]
    first = 2 + len(word["Who?"])
    assert encoded.types == [0] * first + [1] * (len(encoded.ids) - first)
    assert encoded.origin[-2] == (1, False, 0, 5)
    assert encoded.origin[-1] is None


def test_long_input_keeps_the_candidate(encoder: Encoder) -> None:
    chain = [Passage("a", "word " * 500), Passage("b", "short text")]
    encoded = encoder.encode("q", chain, Passage("c", "right " * 100), 256)
    assert len(encoded.ids) == 256
    parts = [origin[0] for origin in encoded.origin if origin is not None and not origin[1]]
    assert parts.count(2) == 100
    assert parts.count(1) == 2


@pytest.mark.parametrize(
    ("lengths", "room", "expected"),
    [
        ([10, 10], 30, [10, 10]),
        ([100, 10], 30, [20, 10]),
        ([10, 100], 30, [10, 20]),
        ([100, 100], 30, [15, 15]),
        ([100, 5, 20], 60, [35, 5, 20]),
        ([100], 30, [30]),
        ([5, 5], 0, [0, 0]),
    ],
)
def test_share_room(lengths: list[int], room: int, expected: list[int]) -> None:
    assert share_room(lengths, room) == expected
