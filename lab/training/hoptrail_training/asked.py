"""Questions about folders, as the product finds them (`node --import tsx lab/heads/write-asked.ts`), in folds of folders.

    python -m hoptrail_training.asked measure --run fold0 --fold 0     # what it says of the folders kept aside
    python -m hoptrail_training.asked average --runs fold0 fold1 fold2 --to all
    python -m hoptrail_training.asked folds FILE                       # which folder is in which fold, for `train-units.ts`

What chooses units reads the encoder's word as features. It has to learn them from folders that the encoder never saw, or it
would trust it too much; so an encoder is trained for each fold, and their average is what ships.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import torch

from .batches import Source, collate
from .examples import Example, Group, group_lines, read_groups, unanswered
from .layout import Encoder, Passage
from .loss import unit_logits
from .model import JointEncoder, ModelSize
from .paths import cache_folder, there, tokenizer_file
from .text import occurrences, words
from .weights import exported_model

FOLDS = 3
#: How often a question's right passage is also read without what it says.
NEARLY = 0.4
#: Less than this of a passage is none.
FEWEST_WORDS = 15
#: Wrong passages of a question that are read in one step, others each time.
WRONG = 5
LONGEST = 384


def sets() -> dict[str, tuple[int, Path]]:
    """Fold and file of each folder's questions: notes and code apart, so that every fold has its share of both."""
    folder = there(cache_folder() / "asked", "`node --import tsx lab/heads/write-asked.ts` makes it")
    kinds: dict[str, list[Path]] = {}
    for file in sorted(folder.glob("*.jsonl.gz")):
        kinds.setdefault(next(read_groups(file)).source, []).append(file)
    ordered = [file for kind in sorted(kinds) for file in kinds[kind]]
    return {file.name.removesuffix(".jsonl.gz"): (i % FOLDS, file) for i, file in enumerate(ordered)}


def thinned(group: Group, rng: random.Random) -> Group:
    """The right passages of a question and a few of the wrong ones; now and then a right one without what it says."""
    right = [example for example in group.examples if example.extends]
    wrong = [example for example in group.examples if not example.extends]
    examples = right + rng.sample(wrong, min(WRONG, len(wrong)))
    if right and rng.random() < NEARLY:
        nearly = without_evidence(rng.choice(right))
        examples += [nearly] if nearly else []
    return Group(group.source, group.key, examples, group.listwise)


def without_evidence(example: Example) -> Example | None:
    """A passage about the question that does not answer it: the right one less the units that say the answer. None where these
    are not known, where the rest says the answer, too, or says little."""
    text = example.candidate.text
    cut = sorted((unit.start, unit.end) for unit in example.units if unit.supports)
    said = {text[span.start : span.end] for span in example.spans or [] if not span.header}
    if not cut or not said:
        return None
    kept, end = [], 0
    for start, stop in cut:
        kept.append(text[end:start])
        end = max(end, stop)
    rest = "".join([*kept, text[end:]])
    if len(words(rest)) < FEWEST_WORDS or any(occurrences(rest, answer) for answer in said):
        return None
    return unanswered(example.question, [], Passage(example.candidate.header, rest), spans=[])


class Asked(Source):
    """The questions of all folders but those of one fold."""

    def __init__(self, fold: int, seed: int) -> None:
        self.lines = [line for own, file in sets().values() if own != fold for line in group_lines(file)]
        self.name = "asked"
        self.reseed(seed)

    def at(self, position: int) -> Group:
        return thinned(super().at(position), random.Random(f"{self._seed}:{position}"))


#: What is measured of each question with evidence: the likeliest unit is evidence, one of the first six is; the same of the
#: likeliest passage and of the first four, by `complete`, by `extends`, and as they were found.
MEASURES = ("unit", "units", "passage", "passages", "by extends", "four by extends", "as found", "four as found")


@torch.no_grad()
def score(model: JointEncoder, groups: Sequence[Group], encoder: Encoder) -> list[tuple[float, ...]]:
    """MEASURES of each question of which anything was found."""
    found = []
    for group in groups:
        if not any(example.extends for example in group.examples):
            continue
        units: list[tuple[float, bool]] = []
        passages: list[tuple[float, float, bool]] = []
        for example in group.examples:
            one = encoder.encode(example.question, example.chain, example.candidate, LONGEST)
            batch = collate([(0, True, example, one)])
            passage_logits, token_logits = model(batch.ids, batch.mask, batch.types)
            complete = torch.nn.functional.logsigmoid(passage_logits[0, 1])
            passages.append((float(complete), float(passage_logits[0, 0]), bool(example.extends)))
            support = unit_logits(token_logits, batch.unit_of, len(batch.unit_label))
            worth = torch.nn.functional.logsigmoid(support) + complete
            units += [(float(value), bool(label)) for value, label in zip(worth, batch.unit_label, strict=True)]
        best = [right for _, right in sorted(units, key=lambda unit: -unit[0])]
        orders = [
            [passage[2] for passage in sorted(passages, key=lambda passage: -passage[0])],
            [passage[2] for passage in sorted(passages, key=lambda passage: -passage[1])],
            [passage[2] for passage in passages],
        ]
        shares = [float(share) for order in orders for share in (order[0], any(order[:4]))]
        found.append((float(best[0]), float(any(best[:6])), *shares))
    return found


def average(runs: Sequence[str], to: str) -> None:
    """Write a checkpoint with the mean of the runs' weights; they must have begun at the same ones."""
    states = [torch.load(cache_folder() / "runs" / run / "cooled.pt", weights_only=False, map_location="cpu") for run in runs]
    mean = {name: torch.stack([state["average"][name] for state in states]).mean(0) for name in states[0]["average"]}
    folder = cache_folder() / "runs" / to
    folder.mkdir(parents=True, exist_ok=True)
    totals = {name: sum(state[name] for state in states) for name in ("inputs", "seconds")}
    torch.save({"average": mean, "size": states[0]["size"], **totals}, folder / "cooled.pt")


def measure(model: JointEncoder, fold: int, each: int) -> None:
    """Print, notes and code apart, how well a fold's units and passages are told, without any other feature."""
    model.eval()
    encoder = Encoder(tokenizer_file())
    by_kind: dict[str, list[tuple[float, ...]]] = {}
    for own, file in sets().values():
        if own != fold:
            continue
        groups = list(read_groups(file))[::each]
        by_kind.setdefault(groups[0].source, []).extend(score(model, groups, encoder))
    for kind, rows in by_kind.items():
        means = [sum(values) / len(rows) for values in zip(*rows, strict=True)]
        told = ", ".join(f"{name} {mean:.3f}" for name, mean in zip(MEASURES, means, strict=True))
        print(f"{kind}: {len(rows)} questions; {told}")


def main() -> None:
    from .predict import load_checkpoint

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measured = commands.add_parser("measure")
    measured.add_argument("--run", default="fold0")
    measured.add_argument("--checkpoint", default="cooled.pt")
    measured.add_argument("--fold", type=int, required=True)
    measured.add_argument("--from", dest="start", type=Path, help="an exported file in place of a checkpoint")
    measured.add_argument("--each", type=int, default=1, help="every so-manieth question")
    averaged = commands.add_parser("average")
    averaged.add_argument("--runs", nargs="+", required=True)
    averaged.add_argument("--to", default="all")
    told = commands.add_parser("folds")
    told.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "average":
        average(arguments.runs, arguments.to)
    elif arguments.command == "folds":
        arguments.file.write_text(json.dumps({name: fold for name, (fold, _) in sets().items()}, indent=1), encoding="utf-8")
    elif arguments.start:
        measure(exported_model(arguments.start, ModelSize()), arguments.fold, arguments.each)
    else:
        checkpoint = cache_folder() / "runs" / arguments.run / arguments.checkpoint
        measure(load_checkpoint(checkpoint), arguments.fold, arguments.each)


if __name__ == "__main__":
    main()
