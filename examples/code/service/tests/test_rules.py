import unittest
from datetime import datetime, timedelta

from kilnhouse.config import RuleLimits
from kilnhouse.rules import Sample, Situation, check_lid, check_overshoot, check_silence, check_stall, judge

LIMITS = RuleLimits(overshoot_margin_c=10, stall_minutes=30, stall_rise_c=5, silent_after_s=600, lid_limit_c=150)
NOON = datetime(2024, 11, 8, 12, 0)


def sample(minute=0, celsius=500.0, target_c=500.0, lid_open=False, cooling=False):
    return Sample(NOON + timedelta(minutes=minute), celsius, target_c, lid_open, cooling)


def situation(now, *before):
    return Situation("ash", now, before, LIMITS)


class RulesTest(unittest.TestCase):
    def test_overshoot_starts_above_the_margin(self):
        self.assertIsNone(check_overshoot(situation(sample(celsius=510))))
        self.assertEqual(check_overshoot(situation(sample(celsius=510.1))).code, "K-OVR")

    def test_cooling_kiln_cannot_overshoot(self):
        self.assertIsNone(check_overshoot(situation(sample(celsius=900, cooling=True))))

    def test_stall_needs_a_climbing_schedule(self):
        start = sample(0, 500, 500)
        self.assertEqual(check_stall(situation(sample(30, 502, 550), start)).code, "K-STL")
        self.assertIsNone(check_stall(situation(sample(30, 502, 500), start)))
        self.assertIsNone(check_stall(situation(sample(29, 502, 550), start)))

    def test_silence_is_a_gap(self):
        self.assertIsNone(check_silence(situation(sample(10), sample(0))))
        self.assertEqual(check_silence(situation(sample(11), sample(0))).code, "K-SIL")

    def test_lid_matters_only_when_hot(self):
        self.assertIsNone(check_lid(situation(sample(celsius=150, lid_open=True))))
        self.assertEqual(check_lid(situation(sample(celsius=151, lid_open=True))).code, "K-LID")

    def test_judge_keeps_the_order_of_the_rules(self):
        codes = [alarm.code for alarm in judge(situation(sample(20, 600, 500, lid_open=True), sample(0)))]
        self.assertEqual(codes, ["K-OVR", "K-SIL", "K-LID"])
