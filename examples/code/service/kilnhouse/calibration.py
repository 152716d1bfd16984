"""Turns what a thermocouple says into degrees that can be believed. See docs/calibration.md."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


class UnknownProbe(KeyError):
    """No entry for this probe in config/probes.json."""


@dataclass(frozen=True)
class Probe:
    type: str
    offset_c: float
    slope: float
    checked: str


class ProbeTable:
    """Corrections by probe id."""

    def __init__(self, probes: dict[str, Probe]) -> None:
        self._probes = probes

    @classmethod
    def load(cls, path: Path) -> ProbeTable:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return cls({probe_id: Probe(**entry) for probe_id, entry in raw.items()})

    def correct(self, probe_id: str, raw_c: float) -> float:
        """Slope first, then offset, rounded to a tenth of a degree."""
        try:
            probe = self._probes[probe_id]
        except KeyError as error:
            raise UnknownProbe(probe_id) from error
        return round(raw_c * probe.slope + probe.offset_c, 1)
