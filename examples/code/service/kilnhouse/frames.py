"""The frame: one JSON object a line, the only thing that leaves the service. See docs/wire-format.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict

FRAME_VERSION = 3


class Frame(TypedDict):
    v: int
    seq: int
    at: str
    kiln: str
    c: float
    target: float
    alarms: list[str]


def make_frame(seq: int, at: datetime, kiln: str, celsius: float, target_c: float, codes: Sequence[str]) -> Frame:
    return {
        "v": FRAME_VERSION,
        "seq": seq,
        "at": at.isoformat(),
        "kiln": kiln,
        "c": celsius,
        "target": target_c,
        "alarms": list(codes),
    }


def encode(frame: Frame) -> str:
    """One line without spaces, so that equal frames are equal bytes."""
    return json.dumps(frame, separators=(",", ":"))
