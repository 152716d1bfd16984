"""Reads config/kilnhouse.toml into typed settings. Every other module takes its numbers from here."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import time
from pathlib import Path


class ConfigError(Exception):
    """The settings file is missing, is not TOML, or lacks a key."""


@dataclass(frozen=True)
class RuleLimits:
    overshoot_margin_c: float
    stall_minutes: float
    stall_rise_c: float
    silent_after_s: float
    lid_limit_c: float


@dataclass(frozen=True)
class QuietHours:
    start: time
    end: time
    let_through: frozenset[str]


@dataclass(frozen=True)
class Settings:
    root: Path
    host: str
    port: int
    keep_frames: int
    readings: Path
    kilns: Path
    probes: Path
    schedules: Path
    limits: RuleLimits
    quiet_hours: QuietHours
    repeat_minutes: float


def load_settings(root: Path) -> Settings:
    """Loads `root`/config/kilnhouse.toml. Paths in it are relative to `root`."""
    path = root / "config" / "kilnhouse.toml"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        quiet = raw["quiet_hours"]
        return Settings(
            root=root,
            host=raw["feed"]["host"],
            port=raw["feed"]["port"],
            keep_frames=raw["feed"]["keep_frames"],
            readings=root / raw["data"]["readings"],
            kilns=root / raw["data"]["kilns"],
            probes=root / raw["data"]["probes"],
            schedules=root / raw["data"]["schedules"],
            limits=RuleLimits(**raw["rules"]),
            quiet_hours=QuietHours(
                start=time.fromisoformat(quiet["from"]),
                end=time.fromisoformat(quiet["until"]),
                let_through=frozenset(quiet["let_through"]),
            ),
            repeat_minutes=raw["alarms"]["repeat_minutes"],
        )
    except FileNotFoundError as error:
        raise ConfigError(f"{path} does not exist; pass --root") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except (KeyError, TypeError) as error:
        raise ConfigError(f"{path} lacks or misspells a key: {error}") from error
