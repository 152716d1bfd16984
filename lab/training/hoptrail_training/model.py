"""The joint encoder: BERT as bge-small-en-v1.5 has it (12 layers x 384, post-norm, GELU), with five heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

#: Order of `passage_logits`.
PASSAGE_LABELS = (
    "extends",
    "complete",
    "entail",
    "type_span",
    "type_yes",
    "type_no",
    "type_list",
    "type_comparison",
    "type_none",
)
#: Order of the last axis of `token_logits`.
TOKEN_LABELS = ("start", "end", "support")
ANSWER_TYPES = ("span", "yes", "no", "list", "comparison", "none")
FIRST_TYPE = PASSAGE_LABELS.index("type_span")


@dataclass(frozen=True)
class ModelSize:
    """Sizes of the trunk; `kept` names the layers of the twelve that it starts from."""

    layers: int = 12
    hidden: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512
    kept: tuple[int, ...] = tuple(range(12))


class Attention(torch.autograd.Function):
    """softmax(q k' + bias) v with few passes over the scores, all in the inputs' type, for training on a CPU.

    q (already scaled), k, v [B*heads, T, d]; bias [B*heads, 1, T] or None -> [B*heads, T, d].
    """

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None) -> Tensor:
        scores = torch.bmm(q, k.transpose(1, 2))
        if bias is not None:
            scores.add_(bias)
        weights = torch.softmax(scores, -1)
        mixed = torch.bmm(weights, v)
        ctx.save_for_backward(q, k, v, weights, mixed)
        return mixed

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:  # type: ignore[override]
        q, k, v, weights, mixed = ctx.saved_tensors
        grad_v = torch.bmm(weights.transpose(1, 2), grad)
        grad_scores = torch.bmm(grad, v.transpose(1, 2))
        grad_scores.sub_((grad * mixed).sum(-1, keepdim=True)).mul_(weights)
        return torch.bmm(grad_scores, k), torch.bmm(grad_scores.transpose(1, 2), q), grad_v, None


class Layer(nn.Module):
    """One BERT layer. Input and output [B, T, hidden]; `bias` [B, 1, 1, T] is added to the attention scores."""

    def __init__(self, size: ModelSize, dropout: float) -> None:
        super().__init__()
        self.heads = size.heads
        self.qkv = nn.Linear(size.hidden, 3 * size.hidden)
        self.out = nn.Linear(size.hidden, size.hidden)
        self.norm1 = nn.LayerNorm(size.hidden, eps=1e-12)
        self.up = nn.Linear(size.hidden, size.inner)
        self.down = nn.Linear(size.inner, size.hidden)
        self.norm2 = nn.LayerNorm(size.hidden, eps=1e-12)
        self.drop = nn.Dropout(dropout)
        self.plain_attention = False

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        b, t, h = x.shape
        d = h // self.heads
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d).permute(2, 0, 3, 1, 4)
        if self.plain_attention:
            scores = (q * d**-0.5) @ k.transpose(-1, -2) + bias
            mixed = scores.softmax(-1) @ v
        elif x.is_cuda:
            mixed = functional.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        else:
            rows = bias.expand(b, self.heads, 1, t).reshape(b * self.heads, 1, t)
            q, k, v = (part.reshape(b * self.heads, t, d) for part in (q * d**-0.5, k, v))
            mixed = Attention.apply(q, k, v, rows).view(b, self.heads, t, d)
        mixed = mixed.transpose(1, 2).reshape(b, t, h)
        x = self.norm1(x + self.drop(self.out(mixed)))
        return self.norm2(x + self.drop(self.down(functional.gelu(self.up(x)))))


class Trunk(nn.Module):
    """Embeddings and layers. ids, token types, mask [B, T] int64 -> [B, T, hidden]."""

    def __init__(self, size: ModelSize, dropout: float = 0.0) -> None:
        super().__init__()
        self.words = nn.Embedding(size.vocabulary, size.hidden)
        self.places = nn.Embedding(size.positions, size.hidden)
        self.kinds = nn.Embedding(2, size.hidden)
        self.norm = nn.LayerNorm(size.hidden, eps=1e-12)
        self.drop = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(size, dropout) for _ in range(size.layers))
        #: Embeddings and this many lower layers are not trained.
        self.frozen = 0

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        with torch.set_grad_enabled(torch.is_grad_enabled() and self.frozen == 0):
            x = self.drop(self.norm(self.words(ids) + self.places(places) + self.kinds(types)))
        bias = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        for index, layer in enumerate(self.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and index >= self.frozen):
                x = layer(x, bias)
        return x


class JointEncoder(nn.Module):
    """Trunk and heads: -> passage_logits [B, 9] (PASSAGE_LABELS), token_logits [B, T, 3] (TOKEN_LABELS)."""

    def __init__(self, size: ModelSize, dropout: float = 0.0) -> None:
        super().__init__()
        self.size = size
        self.trunk = Trunk(size, dropout)
        self.pool = nn.Linear(size.hidden, size.hidden)
        self.passage_head = nn.Linear(size.hidden, len(PASSAGE_LABELS))
        self.token_head = nn.Linear(size.hidden, len(TOKEN_LABELS))
        self.drop = nn.Dropout(dropout)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        return self.heads(self.trunk(ids, mask, types))

    def heads(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The heads over the trunk's output [B, T, hidden], whatever its type."""
        x = x.to(self.pool.weight.dtype)
        first = torch.tanh(self.pool(self.drop(x[:, 0])))
        return self.passage_head(first), self.token_head(self.drop(x))

    def use_plain_attention(self, plain: bool = True) -> None:
        """Attention as matrix products and a softmax, which ONNX exporters and quantisers know well."""
        for layer in self.trunk.layers:
            layer.plain_attention = plain
