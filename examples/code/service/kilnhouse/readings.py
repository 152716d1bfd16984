"""One reading of one probe, as the logger writes it into a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


class ReadingError(Exception):
    """A line of the log cannot be understood."""


@dataclass(frozen=True)
class Reading:
    at: datetime
    kiln: str
    raw_c: float
    lid_open: bool


def read_log(path: Path) -> Iterator[Reading]:
    """Readings in the order of the file; a bad line names itself and stops the reading."""
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), start=2):
            try:
                yield Reading(
                    at=datetime.fromisoformat(row["at"]),
                    kiln=row["kiln"],
                    raw_c=float(row["raw_c"]),
                    lid_open=row["lid"] == "open",
                )
            except (KeyError, ValueError, TypeError) as error:
                raise ReadingError(f"{path.name}, line {number}: {error}") from error
