"""Labels of a batch, and the loss over them."""

from __future__ import annotations

import math

import torch

from hoptrail_training.batches import collate
from hoptrail_training.examples import Example, Group, Place, Unit, group_from_json
from hoptrail_training.layout import Encoder, Passage
from hoptrail_training.loss import lead_loss, listwise_loss, step_loss, unit_logits
from hoptrail_training.model import JointEncoder, ModelSize
from hoptrail_training.paths import tokenizer_file

EXAMPLE = Example(
    "Who?",
    [Passage("a", "nobody at all")],
    Passage("b", "It was Ida Holm.\nBo slept."),
    extends=True,
    complete=True,
    type="span",
    spans=[Place(1, 7, 15)],
    units=[Unit(1, 0, 16, True), Unit(1, 17, 26, False)],
)
EMPTY = Example("Who?", [], Passage("c", "Rain."), extends=False, complete=False, type="none", spans=[])


def batch():  # noqa: ANN201
    encoder = Encoder(tokenizer_file())
    rows = [(0, True, e, encoder.encode(e.question, e.chain, e.candidate, 64)) for e in (EXAMPLE, EMPTY)]
    return encoder, rows, collate(rows)


def test_labels() -> None:
    encoder, rows, made = batch()
    first = int(made.starts[0].nonzero()[0])
    last = int(made.ends[0].nonzero()[0])
    assert rows[0][3].ids[first : last + 1] == encoder.line_tokens("Ida Holm").ids
    assert made.starts[1].nonzero().tolist() == [[0]]
    assert made.unit_label.tolist() == [1.0, 0.0]
    assert made.entail.tolist() == [-1, -1]


def test_losses_are_finite_and_flow() -> None:
    _, _, made = batch()
    model = JointEncoder(ModelSize(layers=1))
    passage, token = model(made.ids, made.mask, made.types)
    total, means = step_loss([(passage, token)], [made])
    assert set(means) == {"extends", "complete", "type", "rank", "span", "support", "lead"}
    total.backward()
    assert torch.isfinite(total)


def test_units_of_one_question_are_compared_over_its_passages() -> None:
    _, _, made = batch()
    alone = torch.tensor([2.0, 2.0])
    assert made.unit_row.tolist() == [0, 0]
    found = lead_loss(alone, [made])
    assert found is not None
    assert abs(float(found[0]) - math.log(2)) < 1e-6
    made.listwise[:] = False
    assert lead_loss(alone, [made]) is None
    assert lead_loss(torch.zeros(0), []) is None


def test_unit_logits_are_means() -> None:
    token = torch.zeros(1, 4, 3)
    token[0, :, 2] = torch.tensor([1.0, 3.0, 5.0, 9.0])
    assert unit_logits(token, torch.tensor([[0, 0, 1, -1]]), 2).tolist() == [2.0, 5.0]


def test_attention_is_the_plain_one() -> None:
    torch.manual_seed(0)
    model = JointEncoder(ModelSize(layers=2)).eval()
    _, _, made = batch()
    fast = model(made.ids, made.mask, made.types)
    model.use_plain_attention()
    plain = model(made.ids, made.mask, made.types)
    assert torch.allclose(fast[0], plain[0], atol=1e-5)
    assert torch.allclose(fast[1] * made.mask[:, :, None], plain[1] * made.mask[:, :, None], atol=1e-5)


def test_groups_survive_json() -> None:
    group = Group("test", "key", [EXAMPLE, EMPTY], listwise=True)
    assert group_from_json(group.to_json()) == group


def test_right_ones_share_their_groups_softmax() -> None:
    scores = torch.tensor([1.0, 60.0, -3.0, 0.5, 2.0, 7.0], requires_grad=True)
    right = torch.tensor([True, False, True, False, True, True])
    group = torch.tensor([8, 8, 8, 3, 3, 5])
    found = listwise_loss(scores, right, group)
    assert found is not None
    total, count = found
    expected = -math.log((math.exp(1) + math.exp(-3)) / (math.exp(1) + math.exp(60) + math.exp(-3)))
    expected -= math.log(math.exp(2) / (math.exp(0.5) + math.exp(2)))
    assert count == 2
    assert abs(float(total.detach()) - expected) < 1e-4
    total.backward()
    assert torch.isfinite(scores.grad).all()
    assert scores.grad[0] < -0.9
