"""Command line: `python3 -m kilnhouse replay` prints all frames, `serve` publishes them over HTTP."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .config import ConfigError, load_settings
from .frames import encode
from .pipeline import run_pipeline
from .server import serve

DEFAULT_ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="kilnhouse")
    parser.add_argument("command", choices=["replay", "serve"])
    parser.add_argument("--root", type=Path, default=DEFAULT_ROOT, help="folder that holds config/ and data/")
    options = parser.parse_args(arguments)
    try:
        settings = load_settings(options.root)
    except ConfigError as error:
        print(f"kilnhouse: {error}", file=sys.stderr)
        return 2
    if options.command == "replay":
        for frame in run_pipeline(settings):
            print(encode(frame))
    else:
        serve(settings)
    return 0


if __name__ == "__main__":
    sys.exit(main())
