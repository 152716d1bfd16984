"""From groups to tensors: which groups come next, how they are padded, what the labels are.

Shapes: B inputs, T tokens (the longest of the batch), U units over the whole batch.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from .examples import Example, Group, group_from_json, group_lines
from .layout import Encoded, Encoder
from .model import ANSWER_TYPES

UNKNOWN = -1
#: Inputs are padded to a multiple of this: few shapes, few kernels to be made.
STEP = 32


@dataclass
class Batch:
    """ids, types, mask [B, T]; extends, complete, entail, type [B] with UNKNOWN; starts, ends [B, T] bool, every right place;
    has_span [B] bool, whether places are known; allowed [B, T] bool, where a span may stand; group [B], unit_* of the units:
    unit_of [B, T] int64 index of a token's unit or UNKNOWN, unit_label [U], unit_row [U] the unit's input; listwise [B] bool."""

    ids: Tensor
    types: Tensor
    mask: Tensor
    extends: Tensor
    complete: Tensor
    entail: Tensor
    type: Tensor
    starts: Tensor
    ends: Tensor
    has_span: Tensor
    allowed: Tensor
    group: Tensor
    listwise: Tensor
    unit_of: Tensor
    unit_label: Tensor
    unit_row: Tensor


def span_tokens(encoded: Encoded, example: Example) -> list[tuple[int, int]]:
    """First and last token of each place of the answer, of one that was cut off of what is left."""
    found = []
    for place in example.spans or []:
        inside = [
            i
            for i, origin in enumerate(encoded.origin)
            if origin is not None
            and origin[0] == place.part
            and origin[1] == place.header
            and origin[2] < place.end
            and origin[3] > place.start
        ]
        if inside:
            found.append((inside[0], inside[-1]))
    return found


def collate(encoded: Sequence[tuple[int, bool, Example, Encoded]]) -> Batch:
    """Inputs as (group number, listwise, example, encoded)."""
    count = len(encoded)
    longest = -(-max(len(entry[3].ids) for entry in encoded) // STEP) * STEP
    ids = torch.zeros((count, longest), dtype=torch.int64)
    types = torch.zeros_like(ids)
    mask = torch.zeros_like(ids)
    starts = torch.zeros((count, longest), dtype=torch.bool)
    ends = torch.zeros_like(starts)
    allowed = torch.zeros_like(starts)
    unit_of = torch.full_like(ids, UNKNOWN)
    labels = torch.full((4, count), UNKNOWN, dtype=torch.int64)
    has_span = torch.zeros(count, dtype=torch.bool)
    unit_label: list[float] = []
    unit_row: list[int] = []
    for row, (_, _, example, one) in enumerate(encoded):
        length = len(one.ids)
        ids[row, :length] = torch.tensor(one.ids)
        types[row, :length] = torch.tensor(one.types)
        mask[row, :length] = 1
        allowed[row, 0] = True
        allowed[row, :length] |= torch.tensor([origin is not None for origin in one.origin])
        for index, value in enumerate((example.extends, example.complete, example.entail)):
            if value is not None:
                labels[index, row] = int(value)
        if example.type is not None:
            labels[3, row] = ANSWER_TYPES.index(example.type)
        if example.spans is not None:
            places = span_tokens(one, example)
            if places or not example.spans:
                has_span[row] = True
                for first, last in places or [(0, 0)]:
                    starts[row, first] = True
                    ends[row, last] = True
        texts: dict[int, list[tuple[int, int, int]]] = {}
        for i, origin in enumerate(one.origin):
            if origin is not None and not origin[1]:
                texts.setdefault(origin[0], []).append((origin[2], origin[3], i))
        for unit in example.units:
            of_part = texts.get(unit.part, [])
            from_here = of_part[bisect_left(of_part, (unit.start,)) : bisect_left(of_part, (unit.end,))]
            tokens = [i for _, end, i in from_here if end <= unit.end]
            if tokens:
                unit_of[row, tokens] = len(unit_label)
                unit_label.append(float(unit.supports))
                unit_row.append(row)
    return Batch(
        ids,
        types,
        mask,
        labels[0],
        labels[1],
        labels[2],
        labels[3],
        starts,
        ends,
        has_span,
        allowed,
        torch.tensor([entry[0] for entry in encoded]),
        torch.tensor([entry[1] for entry in encoded]),
        unit_of,
        torch.tensor(unit_label),
        torch.tensor(unit_row, dtype=torch.int64),
    )


class Source:
    """The groups of one file, kept as JSON text, in an order that changes every round."""

    def __init__(self, name: str, file: Path, seed: int) -> None:
        self.lines = group_lines(file)
        self.name = name
        self._order: list[int] = []
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """An order of its own, for each process another."""
        self._seed, self._round = seed, -1

    def at(self, position: int) -> Group:
        """The group at a position that counts on over all rounds."""
        turn, place = divmod(position, len(self.lines))
        if turn != self._round:
            self._order = list(range(len(self.lines)))
            random.Random(f"{self._seed}:{self.name}:{turn}").shuffle(self._order)
            self._round = turn
        return group_from_json(self.lines[self._order[place]])


class Mixer:
    """Draws groups from sources by weight; its state are the positions reached."""

    def __init__(self, sources: Sequence[Source], weights: Mapping[str, float], seed: int) -> None:
        self.sources = {source.name: source for source in sources}
        self._weights = [weights[name] for name in self.sources]
        self._seed = seed
        self.positions = {name: 0 for name in self.sources}

    def step(self, step: int, inputs: int) -> list[Group]:
        """Groups for one optimiser step: at least `inputs` inputs."""
        rng = random.Random(f"{self._seed}:{step}")
        groups: list[Group] = []
        count = 0
        while count < inputs:
            name = rng.choices(list(self.sources), self._weights)[0]
            group = self.sources[name].at(self.positions[name])
            self.positions[name] += 1
            groups.append(group)
            count += len(group.examples)
        return groups


def micro_batches(groups: Sequence[Group], encoder: Encoder, longest: int, tokens: int) -> Iterator[Batch]:
    """The inputs of all groups, those of similar length together, about `tokens` padded tokens a batch."""
    rows = [
        (number, group.listwise, e, encoder.encode(e.question, e.chain, e.candidate, longest))
        for number, group in enumerate(groups)
        for e in group.examples
    ]
    rows.sort(key=lambda row: len(row[3].ids))
    batch: list[tuple[int, bool, Example, Encoded]] = []
    first = 0
    for row in rows:
        length = len(row[3].ids)
        if batch and ((len(batch) + 1) * length > tokens or length > max(64, 1.35 * first)):
            yield collate(batch)
            batch = []
        if not batch:
            first = length
        batch.append(row)
    if batch:
        yield collate(batch)
