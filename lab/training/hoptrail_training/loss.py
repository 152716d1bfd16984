"""The losses of the five tasks."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional

from .batches import UNKNOWN, Batch
from .model import FIRST_TYPE, PASSAGE_LABELS

#: Chosen so that after 200 steps no task gives more than about a third of the gradient's norm on the trunk, and the span, the
#: hardest task, the most; then left alone.
WEIGHTS = {"span": 1.0, "extends": 0.7, "rank": 0.5, "complete": 0.7, "entail": 0.7, "type": 0.2, "support": 0.7, "lead": 0.7}


def unit_logits(token_logits: Tensor, unit_of: Tensor, units: int) -> Tensor:
    """Mean support logit of each unit: token_logits [B, T, 3], unit_of [B, T] -> [units]."""
    flat = unit_of.flatten()
    kept = flat >= 0
    sums = torch.zeros(units, device=token_logits.device).index_add(0, flat[kept], token_logits[:, :, 2].flatten()[kept].float())
    return sums / torch.bincount(flat[kept], minlength=units).clamp(min=1)


def group_logsumexp(scores: Tensor, place: Tensor, groups: int) -> Tensor:
    """scores [N], each one's group `place` [N] -> [groups], -inf where a group has none."""
    top = torch.full((groups,), -torch.inf, device=scores.device).scatter_reduce(0, place, scores.detach(), "amax")
    sums = torch.zeros(groups, device=scores.device).index_add(0, place, (scores - top[place]).exp())
    return top + sums.log()


def listwise_loss(scores: Tensor, right: Tensor, group: Tensor) -> tuple[Tensor, int] | None:
    """Minus the log of the right ones' share of each group's softmax, summed over the groups that have right and wrong ones,
    and how many these are. scores [N], right [N] bool, group [N], any numbers."""
    if not len(scores):
        return None
    _, place = group.unique(return_inverse=True)
    groups = int(place.max()) + 1
    counts = torch.bincount(place, minlength=groups)
    rights = torch.bincount(place[right], minlength=groups)
    mixed = (rights > 0) & (rights < counts)
    if not mixed.any():
        return None
    kept = mixed[place]
    every = group_logsumexp(scores[kept], place[kept], groups)
    good = group_logsumexp(scores[kept & right], place[kept & right], groups)
    return (every[mixed] - good[mixed]).sum(), int(mixed.sum())


def rank_loss(extends: Tensor, batches: Sequence[Batch]) -> tuple[Tensor, int] | None:
    """Listwise over each group that has a right candidate: the right ones' share of the softmax. extends: the logits of all
    batches, one after another; a group's inputs may lie in several batches."""
    label = torch.cat([batch.extends for batch in batches])
    kept = torch.cat([batch.listwise for batch in batches]) & (label != UNKNOWN)
    group = torch.cat([batch.group for batch in batches])
    return listwise_loss(extends[kept].float(), label[kept] == 1, group[kept])


def lead_loss(units: Tensor, batches: Sequence[Batch]) -> tuple[Tensor, int] | None:
    """Listwise over the units of all passages that were read for one question: the supporting ones' share of the softmax. units:
    the support logits of all batches, one after another; only of groups that are compared as a whole."""
    if not batches:
        return None
    label = torch.cat([batch.unit_label for batch in batches])
    kept = torch.cat([batch.listwise[batch.unit_row] for batch in batches])
    group = torch.cat([batch.group[batch.unit_row] for batch in batches])
    return listwise_loss(units[kept], label[kept] == 1, group[kept])


def step_loss(outputs: Sequence[tuple[Tensor, Tensor]], batches: Sequence[Batch]) -> tuple[Tensor, dict[str, Tensor]]:
    """The weighted loss of one optimiser step, each task's mean over all its labels, and the means by name."""
    found: dict[str, list[tuple[Tensor, int]]] = {}
    for (passage_logits, token_logits), batch in zip(outputs, batches, strict=True):
        for name, entry in sums(passage_logits, token_logits, batch).items():
            found.setdefault(name, []).append(entry)
    extends = torch.cat([passage_logits[:, PASSAGE_LABELS.index("extends")] for passage_logits, _ in outputs])
    ranked = rank_loss(extends, batches)
    if ranked:
        found["rank"] = [ranked]
    led = lead_loss(
        torch.cat(
            [
                unit_logits(token_logits, batch.unit_of, len(batch.unit_label))
                for (_, token_logits), batch in zip(outputs, batches, strict=True)
                if len(batch.unit_label)
            ]
            or [extends[:0]]
        ),
        [batch for batch in batches if len(batch.unit_label)],
    )
    if led:
        found["lead"] = [led]
    means = {
        name: torch.stack([value for value, _ in entries]).sum() / sum(count for _, count in entries)
        for name, entries in found.items()
    }
    total = torch.stack([WEIGHTS[name] * value for name, value in means.items()]).sum()
    return total, {name: value.detach() for name, value in means.items()}


def sums(passage_logits: Tensor, token_logits: Tensor, batch: Batch) -> dict[str, tuple[Tensor, int]]:
    """Each task's summed loss and how many labels it has; ranking apart."""
    found: dict[str, tuple[Tensor, int]] = {}
    for name, labels in (("extends", batch.extends), ("complete", batch.complete), ("entail", batch.entail)):
        known = labels != UNKNOWN
        if known.any():
            logits = passage_logits[:, PASSAGE_LABELS.index(name)][known]
            loss = functional.binary_cross_entropy_with_logits(logits, labels[known].float(), reduction="sum")
            found[name] = (loss, int(known.sum()))
    known = batch.type != UNKNOWN
    if known.any():
        loss = functional.cross_entropy(passage_logits[known][:, FIRST_TYPE:], batch.type[known], reduction="sum")
        found["type"] = (loss, int(known.sum()))
    if batch.has_span.any():
        rows = batch.has_span
        masked = token_logits[rows][:, :, :2].masked_fill(~batch.allowed[rows][:, :, None], -1e4)
        log = masked.log_softmax(1)
        right = torch.stack([batch.starts[rows], batch.ends[rows]], -1)
        loss = -log.masked_fill(~right, -1e4).logsumexp(1).sum() / 2
        found["span"] = (loss, int(rows.sum()))
    if len(batch.unit_label):
        logits = unit_logits(token_logits, batch.unit_of, len(batch.unit_label))
        loss = functional.binary_cross_entropy_with_logits(logits, batch.unit_label, reduction="sum")
        found["support"] = (loss, len(batch.unit_label))
    return found
