"""Firing schedules: ramps and holds, and the temperature that a kiln should have at a given minute."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

ROOM_C = 20.0


@dataclass(frozen=True)
class Segment:
    rate_c_per_h: float
    target_c: float
    hold_min: float


@dataclass(frozen=True)
class Schedule:
    name: str
    segments: tuple[Segment, ...]

    def target_at(self, minutes: float) -> float:
        """Degrees that the kiln should have after `minutes`; the last target once the schedule is over."""
        current, elapsed = ROOM_C, 0.0
        for segment in self.segments:
            ramp = abs(segment.target_c - current) / abs(segment.rate_c_per_h) * 60
            if minutes < elapsed + ramp:
                return round(current + (minutes - elapsed) / 60 * segment.rate_c_per_h, 1)
            elapsed += ramp
            current = segment.target_c
            if minutes < elapsed + segment.hold_min:
                return current
            elapsed += segment.hold_min
        return current

    def is_over(self, minutes: float) -> bool:
        """True once all ramps and holds are through and the kiln is left to cool."""
        current, total = ROOM_C, 0.0
        for segment in self.segments:
            total += abs(segment.target_c - current) / abs(segment.rate_c_per_h) * 60 + segment.hold_min
            current = segment.target_c
        return minutes >= total


def load_schedule(folder: Path, name: str) -> Schedule:
    raw = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return Schedule(raw["name"], tuple(Segment(**segment) for segment in raw["segments"]))
