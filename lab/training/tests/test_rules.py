"""Which repositories the rules make examples of, what they leave out, and how two facts become two hops."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

from hoptrail_training.examples import Group
from hoptrail_training.sources.development import Forbidden, asked_folders
from hoptrail_training.sources.rules import NOTES, Repository, read_sources, repositories

SETS = ("musique", "hotpotqa", "2wikimultihopqa", "multihop-rag", "multihop-rag.corpus")
LONG = "The ferry to Narvik waits for the tug at the northern gate of the lock."


def development(folder: Path) -> Forbidden:
    folder.mkdir()
    for file in SETS:
        (folder / f"{file}.jsonl").touch()
    return Forbidden(folder)


def repository(folder: Path, pages: dict[str, str], links: dict[str, list[dict[str, object]]] | None = None) -> Repository:
    """Notes, one passage a page, of a repository that nobody asks about."""
    file = folder / "owner+name.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as out:
        for path, text in pages.items():
            passage = {"id": path, "path": path, "title": path.removesuffix(".md").capitalize(), "text": text, "kind": "section"}
            lines = {
                "startLine": 1,
                "endLine": text.count("\n") + 1,
                "language": "markdown",
                "links": (links or {}).get(path, []),
            }
            out.write(json.dumps({**passage, **lines}) + "\n")
    return Repository("owner+name", read_sources(file, development(folder / "data")), NOTES, random.Random(3))


def chained(groups: list[Group]) -> set[tuple[str, str]]:
    """Pages of each chain of two that answers: the one before, and the one that does."""
    return {
        (example.chain[-1].header.split(":")[0], example.candidate.header.split(":")[0])
        for group in groups
        for example in group.examples
        if example.chain and example.complete
    }


def test_questions_and_passages_of_a_development_set_are_known_however_they_are_written(tmp_path: Path) -> None:
    forbidden = development(tmp_path / "data")
    assert not forbidden.has_question("Who keeps the hut?") and not forbidden.has_passage(LONG)
    pages = [{"title": "Narvik", "text": LONG}, {"title": "Short", "text": "A short one."}]
    entry = {"question": "Who keeps the hut?", "passages": pages}
    (tmp_path / "data" / "musique.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    forbidden = Forbidden(tmp_path / "data")
    assert forbidden.has_question("who keeps  the HUT") and not forbidden.has_question("Who keeps the tug?")
    assert forbidden.has_passage(LONG.upper()) and not forbidden.has_passage("A short one.")


def test_no_repository_that_is_asked_about(tmp_path: Path) -> None:
    passage = {"path": "a.md", "title": "Huts", "text": "Huts have bunks.", "startLine": 1, "endLine": 1, "language": "markdown"}
    for name in ("sindresorhus+got", "openjs-foundation+cross-project-council", "eslint+eslint"):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.write(json.dumps({**passage, "id": name, "kind": "section", "links": []}) + "\n")
    forbidden = development(tmp_path / "data")
    found = [name for held in (False, True) for name, _ in repositories(tmp_path, forbidden, held)]
    assert found == ["eslint+eslint"]
    assert {"sindresorhus+got", "openjs-foundation+cross-project-council"} <= asked_folders()


PAGES = {
    "mast.md": "**Supplier:** Halden Cells\n**Height:** 12 m\n\nThe mast stands above the northern gate and looks over the lock.",
    "halden.md": "# Halden Cells\n\n| Name | Keeper |\n|---|---|\n| Halden Cells | Hamish Adeyemi |\n| Tern Ropes | Mara Lind |",
    "rope.md": "Rope is bought in Tallinn, as the keeper at the northern gate has known for years.",
}


def test_a_fact_whose_value_is_the_subject_of_another_elsewhere_is_two_hops(tmp_path: Path) -> None:
    assert chained(list(repository(tmp_path, PAGES).joined(5))) == {("mast.md", "halden.md")}


def test_a_link_leads_to_what_its_page_says(tmp_path: Path) -> None:
    link = {"kind": "wikilink", "target": "halden", "line": 4, "path": "halden.md"}
    groups = list(repository(tmp_path, PAGES, {"mast.md": [link]}).linked(5))
    assert chained(groups) == {("mast.md", "halden.md")}
    assert all(group.source == "rules.linked" for group in groups)
