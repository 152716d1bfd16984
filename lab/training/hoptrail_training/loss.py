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
    sums = torch.zeros(units).index_add(0, flat[kept], token_logits[:, :, 2].flatten()[kept])
    return sums / torch.bincount(flat[kept], minlength=units).clamp(min=1)


def rank_loss(extends: Tensor, batches: Sequence[Batch]) -> tuple[Tensor, int] | None:
    """Listwise over each group that has a right candidate: the right ones' share of the softmax. extends: the logits of all
    batches, one after another; a group's inputs may lie in several batches."""
    group = torch.cat([batch.group for batch in batches])
    label = torch.cat([batch.extends for batch in batches])
    listwise = torch.cat([batch.listwise for batch in batches])
    ranks = []
    for number in group[listwise & (label == 1)].unique():
        rows = (group == number) & (label != UNKNOWN)
        right = label[rows] == 1
        if not right.all():
            scores = extends[rows]
            ranks.append(scores.logsumexp(0) - scores[right].logsumexp(0))
    return (torch.stack(ranks).sum(), len(ranks)) if ranks else None


def lead_loss(units: Tensor, batches: Sequence[Batch]) -> tuple[Tensor, int] | None:
    """Listwise over the units of all passages that were read for one question: the supporting ones' share of the softmax. units:
    the support logits of all batches, one after another; only of groups that are compared as a whole."""
    if not batches:
        return None
    group = torch.cat([batch.group[batch.unit_row] for batch in batches])
    label = torch.cat([batch.unit_label for batch in batches])
    listwise = torch.cat([batch.listwise[batch.unit_row] for batch in batches])
    leads = []
    for number in group[listwise & (label == 1)].unique():
        rows = group == number
        right = label[rows] == 1
        if not right.all():
            scores = units[rows]
            leads.append(scores.logsumexp(0) - scores[right].logsumexp(0))
    return (torch.stack(leads).sum(), len(leads)) if leads else None


def step_loss(outputs: Sequence[tuple[Tensor, Tensor]], batches: Sequence[Batch]) -> tuple[Tensor, dict[str, float]]:
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
            or [torch.zeros(0)]
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
    return total, {name: float(value.detach()) for name, value in means.items()}


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
