"""What is said when something that a stage needs is not there: which thing, and the command that makes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoptrail_training import paths, train, weights


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPTRAIL_TRAINING_CACHE", str(tmp_path))


def test_question_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPTRAIL_DATA", str(tmp_path / "none"))
    with pytest.raises(SystemExit, match="HOPTRAIL_DATA"):
        paths.data_folder()


def test_jar(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="0 jars"):
        weights.only_jar(tmp_path)


def test_no_examples_at_all() -> None:
    with pytest.raises(SystemExit, match="hoptrail_training.data"):
        train.load_sources(1)


def test_some_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import gzip

    (tmp_path / "examples").mkdir()
    with gzip.open(tmp_path / "examples" / "spans.jsonl.gz", "wt") as out:
        out.write("{}\n")
    assert [source.name for source in train.load_sources(1)] == ["spans"]
    assert "chains" in capsys.readouterr().out
