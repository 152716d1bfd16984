"""Stages 3 and 6 on a GPU: the same examples, losses and model, in large steps, with a rate that falls to zero.

    python -m hoptrail_training.gpu --name gpu --seconds 270 --from START.onnx
    python -m hoptrail_training.gpu --name asked0 --asked 0 --seconds 60 --from-run gpu

It runs for a time and not for a number of steps, and so needs no checkpoints: the rate follows the share of the time that is
gone. Inputs are made in processes of their own, each with an order of its own. Writes `cooled.pt`, as `train --cooldown` does,
and `log.jsonl` to CACHE/runs/<name>; with a fold, what is said of the folders outside it is logged five times.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import pickle
import random
import time
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from .asked import sets, thinned
from .batches import Batch, Mixer, Source, micro_batches
from .examples import Group, read_groups
from .layout import Encoder
from .loss import lead_loss, step_loss, unit_logits
from .model import JointEncoder, ModelSize
from .paths import cache_folder, tokenizer_file
from .predict import load_checkpoint
from .train import ASKED_MIX, SEED, Settings, first_model, follow, load_sources, means, optimiser, save, set_rate

#: Padded tokens of one pass; a step has several.
PASS_TOKENS = 65_536
RATE = 2e-4
#: As MIX, but nearer to how many groups there are of each: they are read several times.
LARGE_MIX = {"chains": 0.22, "evidence": 0.11, "reading": 0.15, "spans": 0.52}


class Steps(IterableDataset):
    """Endless steps, each a list of batches, packed (`unpacked`): tensors that go from process to process hold a file each.
    Every process draws its own."""

    def __init__(self, sources: list[Source], mix: dict[str, float], inputs: int, seed: int, longest: int) -> None:
        self.sources, self.mix, self.inputs, self.seed, self.longest = sources, mix, inputs, seed, longest

    def __iter__(self) -> Iterator[bytes]:
        torch.set_num_threads(1)
        worker = get_worker_info()
        seed = self.seed * 1000 + (worker.id if worker else 0)
        for source in self.sources:
            source.reseed(seed)
        mixer = Mixer(self.sources, self.mix, seed)
        encoder = Encoder(tokenizer_file())
        step = 0
        while True:
            batches = micro_batches(mixer.step(step, self.inputs), encoder, self.longest, PASS_TOKENS)
            yield pickle.dumps([{f.name: getattr(batch, f.name).numpy() for f in fields(Batch)} for batch in batches], 5)
            step += 1


def unpacked(step: bytes) -> list[Batch]:
    return [Batch(**{name: torch.from_numpy(values) for name, values in batch.items()}) for batch in pickle.loads(step)]


def moved(batch: Batch, device: torch.device) -> Batch:
    return Batch(**{f.name: getattr(batch, f.name).to(device, non_blocking=True) for f in fields(Batch)})


def held_out(fold: int) -> list[Group]:
    """Every second question of the folders that a fold's encoder never sees."""
    groups = [group for own, file in sets().values() if own == fold for group in list(read_groups(file))[::2]]
    return [group for group in groups if any(example.extends for example in group.examples)]


@torch.no_grad()
def told(model: JointEncoder, batches: list[Batch], device: torch.device) -> dict[str, float]:
    """How units and passages of questions are told: the loss over units; how often the first unit or passage is evidence."""
    training = model.training
    model.eval()
    units, worth, extends = [], [], []
    for batch in batches:
        passage, token = computed(model, batch, device)
        support = unit_logits(token, batch.unit_of, len(batch.unit_label))
        units.append(support)
        worth.append(support + functional.logsigmoid(passage[:, 1])[batch.unit_row])
        extends.append(passage[:, 0])
    model.train(training)
    led = lead_loss(torch.cat(units), batches)
    groups = torch.cat([batch.group for batch in batches])
    unit_groups = torch.cat([batch.group[batch.unit_row] for batch in batches])
    evidence = torch.cat([batch.unit_label for batch in batches]) == 1
    right = torch.cat([batch.extends for batch in batches]) == 1
    return {
        "heldLead": round(float(led[0] / led[1]), 4) if led else 0.0,
        "heldUnit": first_right(torch.cat(worth), evidence, unit_groups),
        "heldPassage": first_right(torch.cat(extends), right, groups),
    }


def first_right(scores: Tensor, right: Tensor, groups: Tensor) -> float:
    """In how many groups the highest score is a right one's."""
    numbers = groups.unique()
    return round(sum(bool(right[groups == n][scores[groups == n].argmax()]) for n in numbers) / len(numbers), 4)


def computed(model: JointEncoder, batch: Batch, device: torch.device) -> tuple[Tensor, Tensor]:
    """Passage and token logits in float32; the trunk in bfloat16 on a GPU."""
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        passage, token = model(batch.ids, batch.mask, batch.types)
    return passage.float(), token.float()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--inputs", type=int, default=256, help="of one step, at least")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--longest", type=int, default=Settings.longest)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--average", type=float, default=Settings.average)
    parser.add_argument("--asked", type=int, default=None, metavar="FOLD", help="as of `train`")
    parser.add_argument("--asked-share", type=float, default=ASKED_MIX["asked"], help="of the groups, where it is asked")
    parser.add_argument("--from", dest="start", type=Path, help="exported int8 file to begin at")
    parser.add_argument("--from-run", help="run whose `cooled.pt` to begin at")
    return parser.parse_args()


def main() -> None:
    arguments = parsed()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    folder = cache_folder() / "runs" / arguments.name
    folder.mkdir(parents=True, exist_ok=True)
    if arguments.from_run:
        model = load_checkpoint(cache_folder() / "runs" / arguments.from_run / "cooled.pt")
    else:
        model = first_model(arguments.start, ModelSize())
    model = model.to(device)
    model.drop.p = 0.1
    model.train()
    average = copy.deepcopy(model)
    settings = Settings(rate=arguments.rate, head_rate=2 * arguments.rate, average=arguments.average)
    optim = optimiser(model, settings)
    mix = dict(LARGE_MIX)
    if arguments.asked is not None:
        mix = {"asked": arguments.asked_share, **{name: share * (1 - arguments.asked_share) for name, share in LARGE_MIX.items()}}
    sources = load_sources(arguments.seed, arguments.asked, LARGE_MIX)
    steps = Steps(sources, mix, arguments.inputs, arguments.seed, arguments.longest)
    loader = DataLoader(steps, batch_size=None, num_workers=arguments.workers, prefetch_factor=4 if arguments.workers else None)
    held: list[Batch] = []
    if arguments.asked is not None and arguments.asked >= 0:
        groups = [thinned(group, random.Random(number)) for number, group in enumerate(held_out(arguments.asked))]
        made = micro_batches(groups, Encoder(tokenizer_file()), arguments.longest, PASS_TOKENS)
        held = [moved(batch, device) for batch in made]
    log = (folder / "log.jsonl").open("a", encoding="utf-8")

    def tell(record: dict[str, object]) -> None:
        line = json.dumps({"name": arguments.name, **record})
        log.write(line + "\n")
        log.flush()
        print(line, flush=True)

    shown: dict[str, list[Tensor]] = {}
    inputs, step, looked = 0, 0, 0
    if held:
        tell({"step": 0, **told(average, held, device)})
    began = time.monotonic()
    for made_step in loader:
        share = (time.monotonic() - began) / arguments.seconds
        if share >= 1:
            break
        rate = min(1.0, (step + 1) / settings.warmup) * (1 - share)
        set_rate(optim, rate)
        batches = [moved(batch, device) for batch in unpacked(made_step)]
        loss, of_tasks = step_loss([computed(model, batch, device) for batch in batches], batches)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        optim.zero_grad(set_to_none=True)
        follow(average, model, settings.average, step)
        step += 1
        inputs += sum(len(batch.ids) for batch in batches)
        for name, value in of_tasks.items():
            shown.setdefault(name, []).append(value)
        looks = bool(held) and share * 5 >= looked + 1
        if step % 100 == 0 or looks:
            record: dict[str, object] = {**means(shown)}
            shown = {}
            if looks:
                looked += 1
                record |= told(average, held, device)
            seconds = round(time.monotonic() - began)
            tell({"step": step, "inputs": inputs, "seconds": seconds, "norm": round(float(norm), 2), **record})
    seconds = time.monotonic() - began
    tell({"steps": step, "inputs": inputs, "seconds": round(seconds), **(told(average, held, device) if held else {})})
    state = {name: value.cpu() for name, value in average.state_dict().items()}
    save(folder / "cooled.pt", {"average": state, "size": model.size, "inputs": inputs, "seconds": seconds, "step": step})
    # The processes that make inputs have more in hand than is wanted: they are not waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
