import unittest
from pathlib import Path

from kilnhouse.calibration import Probe, ProbeTable, UnknownProbe
from kilnhouse.schedule import Schedule, Segment, load_schedule

ROOT = Path(__file__).resolve().parents[2]


class ScheduleTest(unittest.TestCase):
    def test_ramp_hold_and_end(self):
        schedule = Schedule("short", (Segment(100, 120, 30), Segment(-60, 60, 0)))
        self.assertEqual(schedule.target_at(0), 20)
        self.assertEqual(schedule.target_at(30), 70)
        self.assertEqual(schedule.target_at(75), 120)
        self.assertEqual(schedule.target_at(120), 90)
        self.assertEqual(schedule.target_at(600), 60)
        self.assertFalse(schedule.is_over(149))
        self.assertTrue(schedule.is_over(150))

    def test_every_schedule_in_config_loads(self):
        folder = ROOT / "config" / "schedules"
        names = sorted(path.stem for path in folder.glob("*.json"))
        self.assertEqual(names, [load_schedule(folder, name).name for name in names])


class CalibrationTest(unittest.TestCase):
    def test_slope_then_offset(self):
        table = ProbeTable({"P-1": Probe("K", 2.0, 1.01, "2024-01-01")})
        self.assertEqual(table.correct("P-1", 1000), 1012.0)

    def test_unknown_probe(self):
        with self.assertRaises(UnknownProbe):
            ProbeTable({}).correct("P-2", 20)
