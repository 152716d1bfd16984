"""The input of the joint encoder, token for token, and the way back from tokens to characters.

    [CLS] question [SEP]  (CHAIN header TEXT text [SEP])*  CANDIDATE header TEXT text [SEP]

`CHAIN`, `CANDIDATE`, `TEXT` and `LINE` (between the lines of a text) are entries of the vocabulary that BERT never used, so
that they are learnt markers without any change of the model. Token types: 0 up to and with the first [SEP], 1 after it.

A text is cut into pieces first (white space, single punctuation marks, words), as BERT's own pre-tokenizer does; each piece is
encoded alone. That gives the same tokens as encoding the whole, and every token has the characters of its piece. transformers.js
gives no offsets, so the product does the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

CLS, SEP, PAD = 101, 102, 0
#: [unused1] to [unused4].
CHAIN, TEXT, CANDIDATE, LINE = 2, 3, 4, 5
LONGEST = 512
QUESTION_LONGEST = 96
HEADER_LONGEST = 48

_WORD = re.compile(r"\S+")


def is_punctuation(character: str) -> bool:
    """What BERT splits off: ASCII punctuation and symbols, and Unicode's categories P*."""
    code = ord(character)
    if code < 128:
        return 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return unicodedata.category(character).startswith("P")


def is_ideograph(character: str) -> bool:
    """The blocks of CJK that BERT splits into single characters."""
    code = ord(character)
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2CEAF
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
    )


def pieces(text: str) -> list[tuple[int, int]]:
    """Start and end of every word and punctuation mark of a text."""
    found: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        start = match.start()
        for place in range(match.start(), match.end()):
            character = text[place]
            if is_punctuation(character) or is_ideograph(character):
                if start < place:
                    found.append((start, place))
                found.append((place, place + 1))
                start = place + 1
        if start < match.end():
            found.append((start, match.end()))
    return found


@dataclass(frozen=True)
class Passage:
    """A passage as the encoder reads it. `header`: title, or path and title of a file's passage."""

    header: str
    text: str


@dataclass(frozen=True)
class Tokens:
    """Encoded text: ids, and for each the characters it comes from (markers: an empty range)."""

    ids: list[int]
    spans: list[tuple[int, int]]

    def cut(self, longest: int) -> Tokens:
        return self if len(self.ids) <= longest else Tokens(self.ids[:longest], self.spans[:longest])


@dataclass(frozen=True)
class Encoded:
    """One input. `origin[i]`: (part, in header, start, end) of token i; part counts chain passages and then the candidate,
    None for markers and the question."""

    ids: list[int]
    types: list[int]
    origin: list[tuple[int, bool, int, int] | None]


class Encoder:
    """Builds inputs; remembers the tokens of pieces it has seen."""

    def __init__(self, tokenizer_file: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer_file))
        self._known: dict[str, list[int]] = {}

    def _piece(self, piece: str) -> list[int]:
        ids = self._known.get(piece)
        if ids is None:
            ids = self._tokenizer.encode(piece, add_special_tokens=False).ids
            if len(self._known) < 2_000_000:
                self._known[piece] = ids
        return ids

    def line_tokens(self, text: str) -> Tokens:
        """Text without regard to lines: questions and headers."""
        return self._tokens(text, marked=False)

    def text_tokens(self, text: str) -> Tokens:
        """Text with a LINE marker between lines that hold anything."""
        return self._tokens(text, marked=True)

    def _tokens(self, text: str, marked: bool) -> Tokens:
        ids: list[int] = []
        spans: list[tuple[int, int]] = []
        last = 0
        for start, end in pieces(text):
            if marked and ids and "\n" in text[last:start]:
                ids.append(LINE)
                spans.append((start, start))
            last = end
            for token in self._piece(text[start:end]):
                ids.append(token)
                spans.append((start, end))
        return Tokens(ids, spans)

    def encode(self, question: str, chain: Sequence[Passage], candidate: Passage, longest: int = LONGEST) -> Encoded:
        """The whole input, at most `longest` tokens."""
        asked = self.line_tokens(question).cut(QUESTION_LONGEST)
        parts = [*chain, candidate]
        headers = [self.line_tokens(part.header).cut(HEADER_LONGEST) for part in parts]
        texts = [self.text_tokens(part.text) for part in parts]
        fixed = 2 + len(asked.ids) + sum(3 + len(header.ids) for header in headers)
        room = share_room([len(text.ids) for text in texts], longest - fixed)
        ids = [CLS, *asked.ids, SEP]
        types = [0] * len(ids)
        origin: list[tuple[int, bool, int, int] | None] = [None] * len(ids)
        for index, (header, text) in enumerate(zip(headers, texts, strict=True)):
            text = text.cut(room[index])
            ids.append(CANDIDATE if index == len(chain) else CHAIN)
            origin.append(None)
            ids.extend(header.ids)
            origin.extend((index, True, start, end) for start, end in header.spans)
            ids.append(TEXT)
            origin.append(None)
            ids.extend(text.ids)
            origin.extend((index, False, start, end) if end > start else None for start, end in text.spans)
            ids.append(SEP)
            origin.append(None)
        types.extend([1] * (len(ids) - len(types)))
        return Encoded(ids[:longest], types[:longest], origin[:longest])


def share_room(lengths: Sequence[int], room: int) -> list[int]:
    """How many text tokens each part may keep; the last is the candidate.

    Too much text is cut at the average (as Beam Retrieval does), the chain before the candidate: the chain's passages give up
    what they have above the average, the candidate takes the rest, and what is left over goes back to the chain.
    """
    room = max(0, room)
    if sum(lengths) <= room:
        return list(lengths)
    average = room // len(lengths)
    chain = list(lengths[:-1])
    candidate = min(lengths[-1], room - sum(min(length, average) for length in chain))
    left = room - candidate
    cap = average
    while sum(min(length, cap + 1) for length in chain) <= left and cap < max(chain, default=0):
        cap += 1
    return [min(length, cap) for length in chain] + [candidate]
