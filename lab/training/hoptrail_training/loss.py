"""The losses of the five tasks."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from .batches import UNKNOWN, Batch
from .model import FIRST_TYPE, PASSAGE_LABELS

#: Chosen so that after 200 steps no task gives more than about a third of the gradient's norm on the trunk, and the span, the
#: hardest task, the most; then left alone.
WEIGHTS = {"span": 1.0, "extends": 0.7, "rank": 0.5, "complete": 0.7, "entail": 0.7, "type": 0.2, "support": 0.7}


def unit_logits(token_logits: Tensor, unit_of: Tensor, units: int) -> Tensor:
    """Mean support logit of each unit: token_logits [B, T, 3], unit_of [B, T] -> [units]."""
    flat = unit_of.flatten()
    kept = flat >= 0
    sums = torch.zeros(units).index_add(0, flat[kept], token_logits[:, :, 2].flatten()[kept])
    return sums / torch.bincount(flat[kept], minlength=units).clamp(min=1)


def sums(passage_logits: Tensor, token_logits: Tensor, batch: Batch) -> dict[str, tuple[Tensor, int]]:
    """Each task's summed loss and how many labels it has."""
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
    ranks = []
    logits = passage_logits[:, PASSAGE_LABELS.index("extends")]
    for number in batch.group[batch.listwise & (batch.extends == 1)].unique():
        rows = (batch.group == number) & (batch.extends != UNKNOWN)
        labels = batch.extends[rows] == 1
        if labels.any() and not labels.all():
            scores = logits[rows]
            ranks.append(scores.logsumexp(0) - scores[labels].logsumexp(0))
    if ranks:
        found["rank"] = (torch.stack(ranks).sum(), len(ranks))
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
