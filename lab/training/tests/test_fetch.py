"""Fetching training repositories: what is kept of them, going on after a stop, and what is said when something is missing."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from hoptrail_training import fetch


def listed(folder: Path, target: Path) -> None:
    """Stands for the product: one passage a file."""
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    with gzip.open(target, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps({"path": name}) + "\n" for name in names)


def paths_in(file: Path) -> list[str]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["path"] for line in lines]


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository `a/b` with two commits, of which the first is wanted."""
    place = tmp_path / "host" / "a" / "b"
    place.mkdir(parents=True)

    def git(*words: str) -> str:
        named = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(
            ["git", "-C", str(place), *named, *words], check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "--quiet")
    for path in ("README.md", "src/store.ts", "test/store.test.ts", "test/how.md", "fixtures/x.md"):
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_text("text\n")
    (place / "large.md").write_text("x" * (fetch.LARGEST + 1))
    (place / "link.md").symlink_to("README.md")
    git("add", "-A")
    git("commit", "--quiet", "-m", "one")
    first = git("rev-parse", "HEAD")
    (place / "later.md").write_text("text\n")
    git("add", "-A")
    git("commit", "--quiet", "-m", "two")
    monkeypatch.setattr(fetch, "COMMITS", {"a/b": first})
    return tmp_path / "host"


def test_reads_one_commit_without_fixtures_tests_and_large_files(tmp_path: Path, host: Path) -> None:
    missing = fetch.make(fetch.trees(["a/b"], host=host.as_uri()), tmp_path / "passages", listed)
    assert missing == []
    assert paths_in(tmp_path / "passages" / "a+b.jsonl.gz") == ["README.md", "src/store.ts", "test/how.md"]


def test_leaves_alone_what_is_there(tmp_path: Path, host: Path) -> None:
    folder = tmp_path / "passages"
    folder.mkdir()
    (folder / "a+b.jsonl.gz").write_bytes(b"made before")
    assert fetch.make(fetch.trees(["a/b"], host="file:///nowhere"), folder, listed) == []
    assert (folder / "a+b.jsonl.gz").read_bytes() == b"made before"


def test_names_what_cannot_be_had_and_makes_the_others(
    tmp_path: Path, host: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fetch, "COMMITS", {"no/where": "0" * 40, **fetch.COMMITS})
    folder = tmp_path / "passages"
    assert fetch.make(fetch.trees(["no/where", "a/b"], host=host.as_uri()), folder, listed) == ["no+where"]
    assert [file.name for file in folder.iterdir()] == ["a+b.jsonl.gz"]
    assert "not made: file:///" in capsys.readouterr().out


def test_takes_files_that_are_at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "COMMITS", {"a/b": "0" * 40, "c/d": "0" * 40})
    (tmp_path / "trees" / "a+b").mkdir(parents=True)
    (tmp_path / "trees" / "a+b" / "notes.md").write_text("text\n")
    folder = tmp_path / "passages"
    assert fetch.make(fetch.trees(["a/b", "c/d"], tmp_path / "trees"), folder, listed) == ["c+d"]
    assert paths_in(folder / "a+b.jsonl.gz") == ["notes.md"]


def test_says_when_the_product_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOPTRAIL_CLI", str(tmp_path / "cli.cjs"))
    with pytest.raises(fetch.NotFetched, match="npm run build"):
        fetch.product_passages(tmp_path, tmp_path / "x.jsonl.gz")


def test_says_when_the_question_sets_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOPTRAIL_DATA", str(tmp_path))
    assert fetch.make(fetch.trees([fetch.MANY]), tmp_path / "passages", listed) == [fetch.MANY]
    assert "HOPTRAIL_DATA" in capsys.readouterr().out
