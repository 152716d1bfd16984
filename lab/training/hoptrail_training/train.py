"""Stage 3: train, or go on training. The same command resumes from the last checkpoint.

    nice -n 19 python -m hoptrail_training.train --name trunk12

Everything it writes lies in CACHE/runs/<name>: `last.pt` (weights, optimiser, averaged weights, positions in the data),
`log.jsonl`, snapshots of the averaged weights every hour of training, `pid`. A file CACHE/PAUSE (or any PAUSE*) makes it wait, a
file `stop` in the run's folder makes it save and end. The learning rate is constant after a warm-up, so that training can go on
for as long as there is time; `--cooldown STEPS` trains on from the checkpoint with a rate that falls to zero and writes
`cooled.pt`, which is what is exported, and leaves `last.pt` as it was.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from .asked import Asked
from .batches import Mixer, Source, micro_batches
from .layout import Encoder
from .loss import step_loss
from .model import JointEncoder, ModelSize
from .paths import cache_folder, there, tokenizer_file
from .weights import ONNX_NAME, exported_model, start_model

#: Weight of each file of examples; files that are missing are left out.
MIX = {"chains": 0.16, "evidence": 0.1, "reading": 0.36, "spans": 0.38}
#: The same where it goes on with questions about folders: what it knew before is kept up.
ASKED_MIX = {"asked": 0.5, "reading": 0.25, "spans": 0.25}
KEPT_UP = tuple(name for name in ASKED_MIX if name != "asked")
SEED = 20261122
PRECISIONS = {"bfloat16": torch.bfloat16, "float32": torch.float32}


@dataclass(frozen=True)
class Settings:
    rate: float = 1.5e-4
    head_rate: float = 6e-4
    warmup: int = 200
    inputs: int = 16
    micro_tokens: int = 4096
    longest: int = 384
    decay: float = 0.01
    average: float = 0.998
    save_seconds: float = 240.0


def kept_layers(layers: int) -> tuple[int, ...]:
    """Which of the twelve layers a smaller trunk starts from: evenly, the last among them."""
    return tuple(round((i + 1) * 12 / layers) - 1 for i in range(layers))


def wait_while_paused(folder: Path, stop: Path) -> float:
    """Sleep as long as a PAUSE file is there and no stop file; says for how long."""
    began = time.monotonic()
    while any(folder.glob("PAUSE*")) and not stop.exists():
        time.sleep(2)
    return time.monotonic() - began


def first_model(exported: Path | None, size: ModelSize) -> JointEncoder:
    """The model before any step: an exported file's weights, or the encoder's own with new heads."""
    torch.manual_seed(SEED)
    if exported:
        return exported_model(exported, size)
    return start_model(there(cache_folder() / ONNX_NAME, "`python -m hoptrail_training.weights` makes it"), size, 0.0, SEED)


def trunk_type(precision: str) -> torch.dtype:
    """What the trunk is computed in. `auto`: bfloat16 where the processor multiplies it, else float32, which then is faster."""
    if precision != "auto":
        return PRECISIONS[precision]
    return torch.bfloat16 if multiplies_bfloat16() else torch.float32


def multiplies_bfloat16() -> bool:
    """Whether this processor has instructions for it (AMX or AVX-512 BF16)."""
    return bool(torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported())


def optimiser(model: JointEncoder, settings: Settings) -> torch.optim.AdamW:
    heads, matrices, rest = [], [], []
    for name, parameter in model.named_parameters():
        if name.startswith(("passage_head", "token_head", "pool")):
            heads.append(parameter)
        elif parameter.dim() > 1:
            matrices.append(parameter)
        else:
            rest.append(parameter)
    groups = [
        {"params": heads, "lr": settings.head_rate, "base": settings.head_rate, "weight_decay": settings.decay},
        {"params": matrices, "lr": settings.rate, "base": settings.rate, "weight_decay": settings.decay},
        {"params": rest, "lr": settings.rate, "base": settings.rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98), fused=True)


def set_rate(optim: torch.optim.Optimizer, rate: float) -> None:
    """This share of each group's own learning rate."""
    for group in optim.param_groups:
        group["lr"] = group["base"] * rate


@torch.no_grad()
def follow(average: JointEncoder, model: JointEncoder, most: float, step: int) -> None:
    """Move the averaged weights after the model's; at the beginning they follow closely."""
    decay = min(most, (step + 1) / (step + 10))
    torch._foreach_lerp_(list(average.parameters()), list(model.parameters()), 1 - decay)


def means(shown: dict[str, list[torch.Tensor]]) -> dict[str, float]:
    return {name: round(float(torch.stack(values).mean()), 4) for name, values in shown.items()}


def take_gradients(masters: list[torch.nn.Parameter], copies: list[torch.nn.Parameter]) -> None:
    """Move the bfloat16 copies' gradients to the float32 weights."""
    for master, copied in zip(masters, copies, strict=True):
        if copied.grad is not None:
            master.grad = copied.grad.float()
            copied.grad = None


def load_sources(seed: int, fold: int | None = None, kept_up: Iterable[str] = KEPT_UP) -> list[Source]:
    """The files of examples; with a fold, the questions about folders outside it and what is kept up beside them."""
    folder = cache_folder() / "examples"
    if fold is not None:
        return [Asked(fold, seed), *(Source(name, folder / f"{name}.jsonl.gz", seed) for name in kept_up)]
    files = {name: folder / f"{name}.jsonl.gz" for name in MIX}
    missing = [name for name, file in files.items() if not file.exists()]
    if len(missing) == len(files):
        raise SystemExit(f"no examples in {folder}: `python -m hoptrail_training.data` makes them")
    if missing:
        print(f"not trained on, for {folder} has none: {', '.join(missing)}", flush=True)
    return [Source(name, file, seed) for name, file in files.items() if file.exists()]


def save(file: Path, state: dict[str, object]) -> None:
    """Write beside and rename, so that a checkpoint is whole or the one before."""
    beside = file.with_suffix(".new")
    torch.save(state, beside)
    os.replace(beside, file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", default="trunk12")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--steps", type=int, default=10**9)
    parser.add_argument("--cooldown", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--seed", type=int, default=SEED, help="another order of the examples, for going on at an exported file")
    parser.add_argument("--rate", type=float, default=Settings.rate)
    parser.add_argument(
        "--precision", choices=["auto", *PRECISIONS], default="auto", help="of the trunk's copy that is computed with"
    )
    parser.add_argument(
        "--frozen", type=int, default=0, help="embeddings and so many lower layers stay as they are: a third faster with 6"
    )
    parser.add_argument("--inputs", type=int, default=Settings.inputs, help="inputs of one step, at least")
    parser.add_argument(
        "--asked", type=int, default=None, metavar="FOLD", help="questions about folders, but for those of this fold; -1: all"
    )
    parser.add_argument("--from", dest="start", type=Path, help="exported int8 file to begin at when there is no checkpoint")
    arguments = parser.parse_args()
    settings = Settings(rate=arguments.rate, inputs=arguments.inputs)
    torch.set_num_threads(arguments.threads)
    cache = cache_folder()
    folder = cache / "runs" / arguments.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pid").write_text(str(os.getpid()))
    stop = folder / "stop"
    size = ModelSize(layers=arguments.layers, kept=kept_layers(arguments.layers))
    model = first_model(arguments.start, size)
    model.drop.p = 0.1
    average = copy.deepcopy(model)
    optim = optimiser(model, settings)
    mix = MIX if arguments.asked is None else ASKED_MIX
    mixer = Mixer(load_sources(arguments.seed, arguments.asked), mix, arguments.seed)
    step, seconds, inputs = 0, 0.0, 0
    last, cooled = folder / "last.pt", folder / "cooled.pt"
    if last.exists():
        state = torch.load(last, weights_only=False)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        bases = [group["base"] for group in optim.param_groups]
        optim.load_state_dict(state["optimiser"])
        for group, base in zip(optim.param_groups, bases, strict=True):
            group["base"] = base
        mixer.positions.update({k: v for k, v in state["positions"].items() if k in mixer.positions})
        step, seconds, inputs = state["step"], state["seconds"], state["inputs"]
    half = copy.deepcopy(model.trunk).to(trunk_type(arguments.precision))
    half.frozen = arguments.frozen
    masters, copies = list(model.trunk.parameters()), list(half.parameters())
    encoder = Encoder(tokenizer_file())
    first = step
    until = step + arguments.cooldown if arguments.cooldown else arguments.steps
    target = cooled if arguments.cooldown else last
    log = (folder / "log.jsonl").open("a", encoding="utf-8")

    def keep() -> None:
        state = {
            "model": model.state_dict(),
            "average": average.state_dict(),
            "optimiser": optim.state_dict(),
            "positions": mixer.positions,
            "step": step,
            "seconds": seconds,
            "inputs": inputs,
            "size": size,
            "settings": asdict(settings),
        }
        save(target, state)

    shown: dict[str, list[torch.Tensor]] = {}
    saved = time.monotonic()
    model.train()
    while step < until and not stop.exists():
        paused = wait_while_paused(cache, stop)
        saved += paused
        began = time.monotonic()
        rate = min(1.0, (step + 1) / settings.warmup)
        if arguments.cooldown:
            rate *= 1 - (step - first) / arguments.cooldown
        set_rate(optim, rate)
        batches = list(micro_batches(mixer.step(step, settings.inputs), encoder, settings.longest, settings.micro_tokens))
        outputs = [model.heads(half(batch.ids, batch.mask, batch.types)) for batch in batches]
        loss, told = step_loss(outputs, batches)
        loss.backward()
        take_gradients(masters, copies)
        for name, value in told.items():
            shown.setdefault(name, []).append(value)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        optim.zero_grad(set_to_none=True)
        with torch.no_grad():
            torch._foreach_copy_(copies, masters)
        follow(average, model, settings.average, step)
        step += 1
        inputs += sum(len(batch.ids) for batch in batches)
        hour = int(seconds // 3600)
        seconds += time.monotonic() - began
        if step % 20 == 0:
            record = means(shown)
            shown = {}
            record |= {"step": step, "inputs": inputs, "hours": round(seconds / 3600, 3), "norm": round(float(norm), 2)}
            record |= {"each_second": round(inputs / seconds, 2), "rate": rate}
            log.write(json.dumps(record) + "\n")
            log.flush()
            print(json.dumps(record), flush=True)
        if int(seconds // 3600) > hour and not arguments.cooldown:
            torch.save({"average": average.state_dict(), "size": size, "step": step}, folder / f"hour{hour + 1}.pt")
        if time.monotonic() - saved > settings.save_seconds:
            keep()
            saved = time.monotonic()
    keep()
    stop.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
