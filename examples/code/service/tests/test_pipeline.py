import unittest
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.request import urlopen

from kilnhouse.alarms import LID, SILENCE, Alarm, AlarmDesk
from kilnhouse.config import ConfigError, load_settings
from kilnhouse.frames import encode
from kilnhouse.kilns import load_kilns
from kilnhouse.pipeline import ScheduleTooHot, fitting_schedule, run_pipeline
from kilnhouse.server import make_server

ROOT = Path(__file__).resolve().parents[2]


class PipelineTest(unittest.TestCase):
    def test_replay_equals_the_recorded_frames(self):
        recorded = (ROOT / "data" / "frames.sample.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual([encode(frame) for frame in run_pipeline(load_settings(ROOT))], recorded)

    def test_server_hands_out_what_is_new(self):
        with make_server(replace(load_settings(ROOT), port=0)) as server:
            thread = Thread(target=server.serve_forever)
            thread.start()
            try:
                base = f"http://127.0.0.1:{server.server_address[1]}"
                total = len(urlopen(f"{base}/frames").read().splitlines())
                self.assertEqual(len(urlopen(f"{base}/frames?after=5").read().splitlines()), total - 5)
                self.assertEqual(urlopen(f"{base}/health").read(), b"ok")
            finally:
                server.shutdown()
                thread.join()

    def test_schedule_above_the_kiln_is_refused(self):
        settings = load_settings(ROOT)
        small = replace(load_kilns(settings.kilns)["birch"], schedule="stoneware")
        with self.assertRaisesRegex(ScheduleTooHot, "stoneware goes to 1240 °C, kiln birch only to 1100 °C"):
            fitting_schedule(small, settings.schedules)

    def test_missing_settings_say_where(self):
        with TemporaryDirectory() as empty, self.assertRaisesRegex(ConfigError, "kilnhouse.toml does not exist"):
            load_settings(Path(empty))


class AlarmDeskTest(unittest.TestCase):
    def setUp(self):
        self.settings = load_settings(ROOT)
        self.desk = AlarmDesk(self.settings.quiet_hours, 20)

    def admit(self, code, clock):
        return self.desk.admit(Alarm(code, "ash", datetime.fromisoformat(f"2024-11-08T{clock}"), ""))

    def test_repeats_are_held_back(self):
        self.assertTrue(self.admit(SILENCE, "12:00"))
        self.assertFalse(self.admit(SILENCE, "12:19"))
        self.assertTrue(self.admit(SILENCE, "12:20"))

    def test_night_lets_danger_through(self):
        self.assertFalse(self.admit(SILENCE, "23:00"))
        self.assertTrue(self.admit(LID, "23:00"))
        self.assertFalse(self.admit(SILENCE, "06:59"))
        self.assertTrue(self.admit(SILENCE, "07:00"))
