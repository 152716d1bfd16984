"""The kilns of the studio: which probe sits in which, and what is being fired."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class Kiln:
    id: str
    label: str
    probe: str
    max_c: float
    schedule: str
    started: datetime

    def minutes_into_firing(self, at: datetime) -> float:
        """Minutes from the start of the firing to `at`; negative before it."""
        return (at - self.started).total_seconds() / 60


def load_kilns(path: Path) -> dict[str, Kiln]:
    """Kilns by id, in the order of the file."""
    entries = json.loads(path.read_text(encoding="utf-8"))["kilns"]
    return {
        entry["id"]: Kiln(**{**entry, "started": datetime.fromisoformat(entry["started"])})
        for entry in entries
    }
