"""From log to frames. A reading is read, corrected, compared, judged and framed, in this order."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path

from .alarms import AlarmDesk
from .calibration import ProbeTable
from .config import Settings
from .frames import Frame, make_frame
from .kilns import Kiln, load_kilns
from .readings import read_log
from .rules import Sample, Situation, judge
from .schedule import Schedule, load_schedule

# Samples kept per kiln for the rules: three hours at one reading in five minutes.
HISTORY_SAMPLES = 36


class ScheduleTooHot(Exception):
    """A schedule asks for more than its kiln can bear."""


def fitting_schedule(kiln: Kiln, folder: Path) -> Schedule:
    """The kiln's schedule; refuses one that would ruin the kiln."""
    schedule = load_schedule(folder, kiln.schedule)
    highest = max(segment.target_c for segment in schedule.segments)
    if highest > kiln.max_c:
        raise ScheduleTooHot(f"{schedule.name} goes to {highest} °C, kiln {kiln.id} only to {kiln.max_c} °C")
    return schedule


def run_pipeline(settings: Settings) -> Iterator[Frame]:
    """One frame for each reading, in the order of the log."""
    kilns = load_kilns(settings.kilns)
    probes = ProbeTable.load(settings.probes)
    schedules = {kiln.id: fitting_schedule(kiln, settings.schedules) for kiln in kilns.values()}
    desk = AlarmDesk(settings.quiet_hours, settings.repeat_minutes)
    history: defaultdict[str, deque[Sample]] = defaultdict(lambda: deque(maxlen=HISTORY_SAMPLES))

    for seq, reading in enumerate(read_log(settings.readings), start=1):
        kiln, schedule = kilns[reading.kiln], schedules[reading.kiln]
        minutes = kiln.minutes_into_firing(reading.at)
        sample = Sample(
            at=reading.at,
            celsius=probes.correct(kiln.probe, reading.raw_c),
            target_c=schedule.target_at(minutes),
            lid_open=reading.lid_open,
            cooling=schedule.is_over(minutes),
        )
        situation = Situation(kiln.id, sample, tuple(history[kiln.id]), settings.limits)
        codes = [alarm.code for alarm in judge(situation) if desk.admit(alarm)]
        history[kiln.id].append(sample)
        yield make_frame(seq, sample.at, kiln.id, sample.celsius, sample.target_c, codes)
