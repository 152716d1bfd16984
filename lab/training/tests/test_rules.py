"""Which repositories the rules make examples of."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from hoptrail_training.sources.development import Forbidden, asked_folders
from hoptrail_training.sources.rules import repositories


def test_no_repository_that_is_asked_about(tmp_path: Path) -> None:
    passage = {"path": "a.md", "title": "Huts", "text": "Huts have bunks.", "startLine": 1, "endLine": 1, "language": "markdown"}
    for name in ("sindresorhus+got", "openjs-foundation+cross-project-council", "eslint+eslint"):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.write(json.dumps({**passage, "id": name, "kind": "section", "links": []}) + "\n")
    (tmp_path / "data").mkdir()
    for file in ("musique", "hotpotqa", "2wikimultihopqa", "multihop-rag", "multihop-rag.corpus"):
        (tmp_path / "data" / f"{file}.jsonl").touch()
    forbidden = Forbidden(tmp_path / "data")
    found = [name for held in (False, True) for name, _ in repositories(tmp_path, forbidden, held)]
    assert found == ["eslint+eslint"]
    assert {"sindresorhus+got", "openjs-foundation+cross-project-council"} <= asked_folders()
