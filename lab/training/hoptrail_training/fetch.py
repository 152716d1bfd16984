"""Stage 2a: the repositories whose notes and code the rules ask about, as passages of the product.

    python -m hoptrail_training.fetch                       # all; what is already there is left alone
    python -m hoptrail_training.fetch redis/ioredis many    # some; `many`: the small Python trees of HOPTRAIL_DATA/code/many
    python -m hoptrail_training.fetch --trees FOLDER        # without a network: FOLDER/<owner+name> hold the files

Each repository is fetched at one commit (`git fetch --depth 1`) into a temporary folder, read by `hoptrail passages`, and written
to CACHE/passages/<owner+name>.jsonl.gz. A file appears there only when it is whole, so the command goes on where it was stopped.
A repository that cannot be had is named at the end, and the exit code is 1; the others are made all the same.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from .paths import REPOSITORY, data_folder, passages_folder, there
from .sources.rules import NOISY_PATH

GITHUB = "https://github.com"
#: Larger files are generated, data, or change logs.
LARGEST = 150_000
PROSE = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".html", ".org")
FIXTURES = {"fixtures", "__fixtures__", "fixture", "testdata", "node_modules", "vendor"}
#: The name that stands for all of `HOPTRAIL_DATA/code/many`.
MANY = "many"

#: Which repositories, and the commit whose passages the figures in the README are from.
COMMITS = {
    "alan-turing-institute/the-turing-way": "318e1b3dafe626eff60d7b20ff83a2d43fad05b0",
    "alphagov/govuk-developer-docs": "972d1b4410ffd165f2f3e889eda30bcf7d1cc6b3",
    "colinhacks/zod": "e516c3baf22615e20934116abebfed6c000222c2",
    "eslint/eslint": "c27bc926e496985eb7911c09eb60914b2e4b5d0f",
    "ethereum/EIPs": "f767a1e8078e17c9b381a91d35a09492189ede1b",
    "foambubble/foam": "9f56a23523ff9eafc9cd770c731f9ee2dafb385f",
    "knative/community": "9a14bdfe12f0cbd50bbc304c250d66c6eb027e15",
    "knex/knex": "e25d54bcb707714a17f5a5744eba5c4246bb4d1d",
    "kubernetes/community": "24e7d8f5409c1a0121394a613746e524f781e044",
    "mochajs/mocha": "e6b9ee773481fd739ae24caeb42f32ac0b010f95",
    "nats-io/nats-server": "1787eee035cf0253c201fa0f05afad92b6f296dc",
    "open-telemetry/community": "9f58973ea0612d28b29704a2042b25c2d9683046",
    "openjs-foundation/cross-project-council": "f7426cbe71a9a40180d6607f7d37e45cd22b4921",
    "prometheus/docs": "c105550aad07161f62d02e305ed09799ec6025fa",
    "redis/go-redis": "216593cc01faa029006266a5f1fc3d5004312ecf",
    "redis/ioredis": "dfd542824dfb7168420f19fdfabe9fe1156efe10",
    "rust-lang/rfcs": "354518a8c9025f40be6f730452c1bfe71a12dc22",
    "sindresorhus/got": "d00d845a0b435365ec73ea5a1fca6e17ee677184",
    "square/okhttp": "1682d9bac8c03dffde2969b0b74d47649d0dbb52",
    "tokio-rs/tokio": "ea91b33ca57ff0581b38e735cc108f831bccbdaa",
    "typeorm/typeorm": "281bfba42a5813b106bcf5ba79bc7f7251bd1e73",
    "uber-go/zap": "5b81b37b81b8e2ed447a6f57991e372ee4fa5c8f",
    "vitejs/vite": "a98c8d95d552c6fa98ab66fb810f5b39ad5abf49",
    "webpack/webpack": "bc3e930f75e3f6ecbdf193a0dedf6067ea3a286b",
}

Passages = Callable[[Path, Path], None]


class NotFetched(Exception):
    """A repository or a tool is not to be had; the text says which, and what to do."""


@dataclass(frozen=True)
class Tree:
    """One set of files to be read: the passage file's name, and how to lay the files into an empty folder."""

    name: str
    lay: Callable[[Path], None]


def run(command: list[str], what: str, out: IO[bytes] | None = None) -> None:
    """Run a program; its last line of complaint goes into the error, what it says into `out`."""
    try:
        done = subprocess.run(command, stdout=out or subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    except FileNotFoundError:
        raise NotFetched(f"{what}: `{command[0]}` is not installed") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise NotFetched(f"{what}: {said[-1] if said else f'exit code {done.returncode}'}")


def fetch_commit(address: str, commit: str, into: Path) -> None:
    """The files of one commit, without history."""
    run(["git", "init", "--quiet", str(into)], f"{address}")
    run(["git", "-C", str(into), "fetch", "--quiet", "--depth", "1", address, commit], f"{address} at {commit[:12]}")
    run(["git", "-C", str(into), "checkout", "--quiet", "--detach", "FETCH_HEAD"], f"{address} at {commit[:12]}")


def unpack(archive: Path, into: Path) -> None:
    with tarfile.open(archive) as opened:
        opened.extractall(into, filter="data")


def left_out(path: str, size: int) -> bool:
    """Whether a file is not read: too large, a fixture, or code of tests. Path relative, with slashes."""
    if size > LARGEST or not FIXTURES.isdisjoint(path.lower().split("/")[:-1]):
        return True
    return not path.lower().endswith(PROSE) and NOISY_PATH.search(path) is not None


def prune(folder: Path) -> None:
    """Remove what is left out, links, and git's own folder."""
    shutil.rmtree(folder / ".git", ignore_errors=True)
    for parent, _, files in os.walk(folder):
        for name in files:
            file = Path(parent) / name
            if file.is_symlink() or left_out(file.relative_to(folder).as_posix(), file.stat().st_size):
                file.unlink()


def product_program() -> Path:
    """The product's command line, as the repository beside this program builds it."""
    program = Path(os.environ.get("HOPTRAIL_CLI") or REPOSITORY / "dist" / "cli.cjs").expanduser()
    if not program.exists():
        advice = f"run `npm ci && npm run build` in {REPOSITORY}, or name a built one in HOPTRAIL_CLI"
        raise NotFetched(f"{program} is not there: {advice}")
    return program


def product_passages(folder: Path, target: Path) -> None:
    """What `hoptrail passages` says of a folder, gzipped."""
    program = product_program()
    beside = target.with_suffix(".part")
    lines = target.with_suffix(".lines")
    try:
        with lines.open("wb") as out:
            run(["node", str(program), "passages", str(folder)], f"{target.name}: `hoptrail passages`", out)
        with lines.open("rb") as found, gzip.open(beside, "wb", compresslevel=3) as packed:
            shutil.copyfileobj(found, packed)
        beside.replace(target)
    finally:
        lines.unlink(missing_ok=True)
        beside.unlink(missing_ok=True)


def trees(names: list[str], at_hand: Path | None = None, host: str = GITHUB) -> Iterator[Tree]:
    """What is to be read for the given names; for none, everything. `at_hand`: a folder with the files of each."""
    for name in names or [*COMMITS, MANY]:
        if name == MANY:
            try:
                folder = there(data_folder() / "code" / "many", "name the folder of question sets in HOPTRAIL_DATA")
            except SystemExit as error:
                yield Tree(MANY, partial(refuse, str(error)))
            else:
                for archive in sorted(folder.glob("*.tar.gz")):
                    yield Tree(f"many-{archive.name.removesuffix('.tar.gz')}", partial(unpack, archive))
        elif name in COMMITS:
            file = name.replace("/", "+")
            fetched = partial(fetch_commit, f"{host}/{name}", COMMITS[name])
            yield Tree(file, partial(copy, at_hand / file) if at_hand else fetched)
        else:
            raise SystemExit(f"{name} is none of: {', '.join([*COMMITS, MANY])}")


def refuse(message: str, _: Path) -> None:
    raise NotFetched(message)


def copy(files: Path, into: Path) -> None:
    if not files.is_dir():
        raise NotFetched(f"{files} is no folder")
    shutil.copytree(files, into, symlinks=True, dirs_exist_ok=True)


def make(wanted: Iterator[Tree], folder: Path, passages: Passages) -> list[str]:
    """Make every passage file that is not there yet; says what could not be made."""
    folder.mkdir(parents=True, exist_ok=True)
    missing = []
    for tree in wanted:
        target = folder / f"{tree.name}.jsonl.gz"
        if target.exists():
            print(f"{tree.name}: is there", flush=True)
            continue
        with tempfile.TemporaryDirectory(prefix="hoptrail-fetch-") as place:
            files = Path(place) / tree.name
            files.mkdir()
            try:
                tree.lay(files)
                prune(files)
                passages(files, target)
                print(f"{tree.name}: {target.stat().st_size / 1e6:.1f} MB of passages", flush=True)
            except NotFetched as error:
                print(f"not made: {error}", flush=True)
                missing.append(tree.name)
    return missing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"owner/name, or {MANY}; default: all")
    parser.add_argument("--trees", type=Path, help="a folder that already holds the files, one folder <owner+name> a repository")
    arguments = parser.parse_args()
    missing = make(trees(arguments.names, arguments.trees), passages_folder(), product_passages)
    if missing:
        raise SystemExit(f"{len(missing)} not made: {', '.join(missing)}. The same command goes on with these only.")


if __name__ == "__main__":
    main()
