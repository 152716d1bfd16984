"""The rules that turn a corrected reading into alarms. Each takes a Situation and answers an Alarm or None."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from .alarms import LID, OVERSHOOT, SILENCE, STALL, Alarm
from .config import RuleLimits


@dataclass(frozen=True)
class Sample:
    at: datetime
    celsius: float
    target_c: float
    lid_open: bool
    cooling: bool


@dataclass(frozen=True)
class Situation:
    kiln: str
    now: Sample
    before: Sequence[Sample]
    limits: RuleLimits


def check_overshoot(situation: Situation) -> Alarm | None:
    """Too hot: above the schedule by more than `overshoot_margin_c`. Not while the kiln cools by itself."""
    now = situation.now
    if now.cooling or now.celsius <= now.target_c + situation.limits.overshoot_margin_c:
        return None
    return Alarm(OVERSHOOT, situation.kiln, now.at, f"{now.celsius} where {now.target_c} was asked for")


def check_stall(situation: Situation) -> Alarm | None:
    """Not climbing although the schedule is: a tired element or a tripped fuse."""
    now, limits = situation.now, situation.limits
    past = [s for s in situation.before if (now.at - s.at).total_seconds() >= limits.stall_minutes * 60]
    if not past or now.cooling:
        return None
    then = past[-1]
    asked, risen = now.target_c - then.target_c, now.celsius - then.celsius
    if asked <= limits.stall_rise_c or risen >= limits.stall_rise_c:
        return None
    return Alarm(STALL, situation.kiln, now.at, f"rose {risen:.1f} where {asked:.1f} was asked for")


def check_silence(situation: Situation) -> Alarm | None:
    """The probe said nothing for too long before this reading."""
    if not situation.before:
        return None
    gap = (situation.now.at - situation.before[-1].at).total_seconds()
    if gap <= situation.limits.silent_after_s:
        return None
    return Alarm(SILENCE, situation.kiln, situation.now.at, f"no reading for {gap:.0f} s")


def check_lid(situation: Situation) -> Alarm | None:
    """Somebody opens a hot kiln."""
    now = situation.now
    if not now.lid_open or now.celsius <= situation.limits.lid_limit_c:
        return None
    return Alarm(LID, situation.kiln, now.at, f"lid open at {now.celsius}")


Rule = Callable[[Situation], Alarm | None]

RULES: tuple[Rule, ...] = (check_overshoot, check_stall, check_silence, check_lid)


def judge(situation: Situation) -> list[Alarm]:
    """All alarms that this situation raises, in the order of RULES."""
    return [alarm for rule in RULES if (alarm := rule(situation)) is not None]
