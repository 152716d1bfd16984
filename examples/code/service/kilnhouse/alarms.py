"""Alarm codes and the desk that decides which alarms leave the house."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from .config import QuietHours

OVERSHOOT = "K-OVR"
STALL = "K-STL"
SILENCE = "K-SIL"
LID = "K-LID"


@dataclass(frozen=True)
class Alarm:
    code: str
    kiln: str
    at: datetime
    text: str


class AlarmDesk:
    """Holds back repeats, and at night everything that can wait. See docs/decisions/003-quiet-hours.md."""

    def __init__(self, quiet_hours: QuietHours, repeat_minutes: float) -> None:
        self._quiet_hours = quiet_hours
        self._repeat = timedelta(minutes=repeat_minutes)
        self._last: dict[tuple[str, str], datetime] = {}

    def admit(self, alarm: Alarm) -> bool:
        """True when the alarm goes out now."""
        if self._is_quiet(alarm.at) and alarm.code not in self._quiet_hours.let_through:
            return False
        key = (alarm.kiln, alarm.code)
        last = self._last.get(key)
        if last is not None and alarm.at - last < self._repeat:
            return False
        self._last[key] = alarm.at
        return True

    def _is_quiet(self, at: datetime) -> bool:
        start, end, now = self._quiet_hours.start, self._quiet_hours.end, at.time()
        if start <= end:
            return start <= now < end
        return now >= start or now < end
