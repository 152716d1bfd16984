"""Facts out of notes and code: the value is where the fact says, the question asks for it."""

from __future__ import annotations

import random

from hoptrail_training.sources import rules
from hoptrail_training.sources.facts import Fact, Source, facts_of, name_words, plain

TABLE = """## Keys

| Area | Owner | Since |
|------|-------|-------|
| Mast power | [Ida Holm](people/ida.md) | 2021-03-01 |
| Radio | Bo Lund | 2019-05-06 |
"""

CODE = '''def fetch_page(url, retry_count=3, mode="fast"):
    """Fetch one page and follow its redirects."""
    MAX_DELAY_MS = 500
    if not url:
        raise ValueError("an address is needed here")
    return None
'''


def facts(text: str, kind: str, title: str = "Handbook > Keys") -> dict[tuple[str, str], Fact]:
    source = Source("notes/keys.md", title, kind, "markdown", text)
    found = list(facts_of(0, source))
    for fact in found:
        assert text[fact.start : fact.end] == fact.value
        assert fact.unit[0] <= fact.start and fact.end <= fact.unit[1]
    return {(fact.kind, fact.relation): fact for fact in found if fact.subject != "Radio"}


def test_table_cells() -> None:
    found = facts(TABLE, "section")
    owner = found["table", "owner"]
    assert (owner.subject, owner.value) == ("Mast power", "Ida Holm")
    assert "Who is the owner of {s}?" in owner.templates
    assert TABLE[slice(*owner.unit)].startswith("| Mast power")
    assert found["table", "since"].value == "2021-03-01"


def test_fields() -> None:
    found = facts("**Budget:** 40 000 crowns\n\n- Review date: 2024-01-02\n", "section")
    assert found["field", "budget"].value == "40 000 crowns"
    assert found["field", "review date"].value == "2024-01-02"


def test_code() -> None:
    found = facts(CODE, "function", "fetch_page")
    assert found["default", "default"].value in ("3", "fast")
    assert found["constant", "value"].value == "500"
    assert found["throw", "error"].value == "an address is needed here"
    assert found["doc-back", "function"].value == "fetch_page"


def test_words() -> None:
    assert name_words("retryDelayMS") == "retry delay ms"
    assert plain("**[Ida](a.md)** and `code`") == "Ida and code"


def test_some_passages_are_read_as_long_as_the_product_finds_them() -> None:
    text = "\n".join(f"- part {number}: is of some size" for number in range(100))
    source = Source("parts.md", "Parts", "section", "markdown", text, [])
    lengths = []
    for seed in range(200):
        lines = rules.cropped(source, (10, 20), None, random.Random(seed))
        lengths.append(sum((end - start) // 5 for start, end in lines))
    assert 0.1 < sum(length > rules.LONGEST_WORDS + 6 for length in lengths) / 200 < 0.4
    assert max(lengths) <= rules.LONG_WORDS + 6
