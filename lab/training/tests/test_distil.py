"""Distillation: what is read together, what is learnt from, and that the loss falls to nothing where both agree."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from hoptrail_training import distil
from hoptrail_training.model import ModelSize, Trunk

SMALL = ModelSize(layers=3, hidden=24, heads=2, inner=48, vocabulary=50, positions=16, kept=(0, 1, 2))


def test_passes_hold_every_row_once_and_no_more_tokens_than_allowed() -> None:
    rows = [[1] * length for length in (3, 9, 2, 5, 4)]
    found = list(distil.passes(rows, most=10))
    assert sorted(place for places, _, _ in found for place in places) == [0, 1, 2, 3, 4]
    for places, ids, mask in found:
        assert ids.shape == mask.shape
        assert ids.numel() <= 10
        assert mask.sum().item() == sum(len(rows[place]) for place in places)


def test_a_row_longer_than_a_pass_is_read_alone() -> None:
    assert [places for places, _, _ in distil.passes([[1] * 30, [1]], most=10)] == [[1], [0]]


def test_texts_are_different_and_kept_aside_by_what_they_say() -> None:
    texts = [f"text {number}" for number in range(500)]
    learnt, aside = distil.split([*texts, *texts])
    assert sorted(learnt + aside) == sorted(texts)
    assert 0 < len(aside) < 30
    assert distil.split(reversed(texts))[1] == aside[::-1]


def test_the_embedded_text_begins_with_the_base_name() -> None:
    assert distil.embedded_text({"path": "a/b.md", "title": "T", "text": "x"}) == "b.md: T\nx"
    assert distil.embedded_text({"path": "b.md", "title": "", "text": "x"}) == "b.md\nx"


def test_the_loss_is_nothing_where_both_say_the_same_and_ignores_padding() -> None:
    states = torch.randn(2, 4, 8)
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]])
    padded = states.clone()
    padded[1, 2:] = 7.0
    loss, cosine = distil.distil_loss(padded, states, mask)
    assert loss.item() == pytest.approx(0, abs=1e-6)
    assert cosine.item() == pytest.approx(1)
    assert distil.distil_loss(states + torch.randn(2, 4, 8), states, mask)[0].item() > 0.05


def test_reading_on_from_the_lower_layers_is_reading_as_a_whole() -> None:
    torch.manual_seed(0)
    trunk = Trunk(SMALL).eval()
    ids = torch.randint(1, 50, (2, 6))
    mask = torch.tensor([[1] * 6, [1] * 4 + [0] * 2])
    with torch.no_grad():
        whole = trunk(ids, mask, torch.zeros_like(ids))
        low = distil.lower(trunk, ids, mask, 2)
        assert torch.allclose(distil.read_on(trunk, low, mask, 2), whole, atol=1e-5)


def test_recall_is_the_share_of_right_passages_among_the_first() -> None:
    passages = np.eye(20, dtype=np.float32)
    questions = passages[:2] + 0.5 * passages[1:3]
    assert distil.recall(passages, questions, [{0, 1}, {1}]) == 1
    assert distil.recall(passages[:12], -np.ones((1, 20), dtype=np.float32), [{11}]) == 0


def test_short_texts_come_first() -> None:
    (until, short), (_, long) = distil.LENGTHS
    assert [distil.longest_at(share) for share in (0, until - 0.01, until, 1)] == [short, short, long, long]
