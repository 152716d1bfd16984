"""Examples from facts of notes and code: one hop, two hops by joining facts, lists, comparisons, yes and no, and the same
questions where the line is not there.

Input: `CACHE/passages/<repository>.jsonl.gz`, one a repository, written by the product (`hoptrail passages DIR`).
"""

from __future__ import annotations

import gzip
import json
import posixpath
import random
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from ..examples import Example, Group, Place, Unit, answering, unanswered
from ..layout import Passage
from ..text import Bm25, normalised, occurrences
from .development import Forbidden, asked_folders
from .facts import CODE, NOTES, Fact, Source, facts_of, last_title, lines_of, name_words, plain, value_kind

#: Facts of one kind that a repository may give, so that no template and no repository floods the rest.
MOST = {
    "table": 160,
    "table-back": 90,
    "field": 110,
    "item": 110,
    "item-back": 60,
    "sentence": 160,
    "sentence-back": 130,
    "cloze": 160,
    "constant": 130,
    "default": 110,
    "throw": 110,
    "throw-back": 60,
    "doc": 100,
    "doc-back": 130,
    "type": 50,
    "extends": 25,
}
#: Python repositories are many and small; they count less.
MANY_SHARE = 0.35
#: Share of repositories (by a hash of the name) that are kept aside as the rules' own held-out set.
HELD_SHARE = 8
LONGEST_WORDS = 170
#: So often a passage may have so many words: half of what the product finds is longer than LONGEST_WORDS.
LONG_SHARE, LONG_WORDS = 0.35, 280
#: A value that says nothing by itself is asked for less often.
DULL_VALUES = {"true", "false", "none", "null", "nil", "0", "1", "", "yes", "no", "object", "exception"}
NOISY_PATH = re.compile(
    r"(^|/)(tests?|spec|specs|__tests__|testing|fixtures?|examples?|bench(marks)?|mocks?)(/|$)|[._-](test|spec)\.|_test\.",
    re.I,
)


def is_held(repository: str) -> bool:
    """Whether a repository is only for measuring."""
    return zlib.crc32(repository.encode()) % 100 < HELD_SHARE


def resolved(target: str, path: str, files: set[str], stems: dict[str, str]) -> str | None:
    """The file that a Markdown link, a path or a wiki link means, if it is one of the repository's."""
    target = target.split("#")[0].split("?")[0].strip()
    if not target or "://" in target or "@" in target:
        return None
    base = "" if target.startswith("/") else posixpath.dirname(path)
    whole = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
    for tried in (whole, f"{whole}.md", f"{whole}/README.md", f"{whole}/index.md", target.lstrip("./")):
        if tried in files:
            return tried
    return stems.get(posixpath.basename(target).lower().removesuffix(".md"))


def read_sources(file: Path, forbidden: Forbidden) -> list[Source]:
    """A repository's passages, with the links between its files resolved."""
    records = []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if "path" not in record or forbidden.has_passage(record["text"]):
                continue
            if record["kind"] in CODE and NOISY_PATH.search(record["path"]):
                continue
            records.append(record)
    files = {record["path"] for record in records}
    named = Counter(posixpath.basename(path).rsplit(".", 1)[0].lower() for path in files)
    stems = {
        stem: path
        for path in files
        if named[stem := posixpath.basename(path).rsplit(".", 1)[0].lower()] == 1 and stem not in ("readme", "index")
    }
    defined: dict[str, list[str]] = defaultdict(list)
    for record in records:
        for link in record.get("links", []):
            if link["kind"] == "define" and record["kind"] in CODE:
                defined[link["target"].split(".")[-1]].append(record["path"])
    found = []
    for record in records:
        links = []
        for link in record.get("links", []):
            path = None
            if link["kind"] in ("markdown", "wikilink", "path"):
                path = resolved(link["target"], record["path"], files, stems)
            elif link["kind"] == "call":
                paths = defined.get(link["target"].split(".")[-1], [])
                path = paths[0] if len(set(paths)) == 1 else None
            if path and path != record["path"]:
                entry = {"path": path, "line": link["line"] - record["startLine"], "kind": link["kind"]}
                links.append({**entry, "target": link["target"].split(".")[-1]})
        found.append(Source(record["path"], record["title"], record["kind"], record["language"], record["text"], links))
    return found


def cropped(source: Source, around: tuple[int, int], keep: tuple[int, int] | None, rng: random.Random) -> list[tuple[int, int]]:
    """Lines of a passage around a unit, at most LONGEST_WORDS words or, for LONG_SHARE of them, LONG_WORDS: whole when it is
    short, else at random to both sides."""
    longest = LONG_WORDS if rng.random() < LONG_SHARE else LONGEST_WORDS
    lines = lines_of(source.text)
    sizes = [max(1, len(source.text[a:b]) // 5) for a, b in lines]
    if sum(sizes) <= longest and rng.random() < 0.85:
        return lines
    inside = [i for i, (a, b) in enumerate(lines) if a < around[1] and b > around[0]] or [0]
    chosen = set(range(inside[0], inside[-1] + 1))
    if keep:
        chosen |= {i for i, (a, b) in enumerate(lines) if a < keep[1] and b > keep[0]}
    budget = rng.randint(longest // 3, longest) - sum(sizes[i] for i in chosen)
    low, high = inside[0], inside[-1]
    while budget > 0:
        options = ([low - 1] if low > 0 else []) + ([high + 1] if high < len(lines) - 1 else [])
        if not options:
            break
        pick = rng.choice(options)
        low, high = min(low, pick), max(high, pick)
        chosen.add(pick)
        budget -= sizes[pick]
    return [lines[i] for i in sorted(chosen)]


def rebuild(source: Source, lines: list[tuple[int, int]]) -> tuple[str, dict[int, int]]:
    """Text of the chosen lines, and how far each line (by its start) has moved."""
    text, moved = "", {}
    for start, end in lines:
        moved[start] = len(text)
        text += source.text[start:end] + "\n"
    return text[:-1], moved


def moved_range(moved: dict[int, int], lines: list[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    for first, last in lines:
        if first <= start <= last:
            shift = moved[first] - first
            return start + shift, end + shift
    return None


#: Other words for common ones, so that a question does not always share its words with the line that answers it.
SYNONYMS = {
    "owner": ("person in charge", "one responsible", "who looks after it"),
    "lead": ("head", "person in charge"),
    "maintainer": ("person who looks after it", "keeper"),
    "status": ("state", "stage"),
    "date": ("day",),
    "start": ("beginning", "first day"),
    "end": ("last day", "finish"),
    "created": ("first written", "made"),
    "author": ("writer", "person who wrote it"),
    "description": ("meaning", "explanation"),
    "type": ("kind", "sort"),
    "default": ("value when nothing is configured", "fallback", "value out of the box"),
    "max": ("largest allowed", "upper limit of"),
    "maximum": ("largest allowed", "upper limit of"),
    "min": ("smallest allowed", "lower limit of"),
    "minimum": ("smallest allowed", "least"),
    "timeout": ("time limit", "time to wait before giving up"),
    "delay": ("wait", "pause"),
    "retry": ("repeated attempt", "new try"),
    "retries": ("attempts", "tries"),
    "size": ("amount", "capacity"),
    "limit": ("cap", "most that is allowed"),
    "port": ("network port",),
    "host": ("server", "machine"),
    "name": ("title",),
    "path": ("location", "folder"),
    "dir": ("folder",),
    "directory": ("folder",),
    "file": ("document",),
    "error": ("failure", "exception"),
    "message": ("text", "wording"),
    "purpose": ("job", "use"),
    "function": ("method", "routine"),
    "returns": ("gives back",),
    "return": ("give back",),
    "creates": ("makes", "builds"),
    "create": ("make", "build"),
    "removes": ("deletes", "takes out"),
    "remove": ("delete", "take out"),
    "get": ("fetch", "look up"),
    "gets": ("fetches", "looks up"),
    "check": ("test", "verify"),
    "checks": ("tests", "verifies"),
    "convert": ("turn", "transform"),
    "converts": ("turns", "transforms"),
    "update": ("change", "bring up to date"),
    "required": ("needed", "mandatory"),
    "requires": ("needs",),
    "provides": ("offers", "gives"),
    "use": ("employ", "rely on"),
    "used": ("employed", "relied on"),
    "contains": ("holds", "has in it"),
    "supports": ("can deal with", "handles"),
    "meeting": ("session", "call"),
    "members": ("people",),
    "member": ("person",),
    "team": ("group",),
    "version": ("release",),
    "release": ("version",),
    "example": ("sample",),
    "url": ("address", "link"),
    "email": ("mail address",),
    "level": ("degree",),
    "mode": ("way of working",),
    "enabled": ("turned on", "active"),
    "format": ("form",),
    "key": ("identifier",),
    "count": ("number",),
    "length": ("size",),
    "must": ("has to",),
    "should": ("is meant to", "ought to"),
    "allowed": ("permitted",),
    "run": ("carry out",),
    "list": ("collection",),
    "set": ("configured",),
    "value": ("setting",),
    "throw": ("raise", "give"),
    "throws": ("raises", "gives"),
    "location": ("place", "whereabouts"),
    "role": ("job", "part"),
    "country": ("land", "state"),
    "company": ("firm", "employer"),
    "cost": ("price",),
    "duration": ("length of time", "time it takes"),
}


def reworded(question: str, rng: random.Random) -> str:
    """The question with some common words exchanged, and now and then one left out."""
    found = []
    for word in question.split(" "):
        bare = word.strip("?.,“”").lower()
        if bare in SYNONYMS and rng.random() < 0.6:
            found.append(word.lower().replace(bare, rng.choice(SYNONYMS[bare])))
        elif len(found) > 3 and bare.isalpha() and word.islower() and rng.random() < 0.04:
            continue
        else:
            found.append(word)
    return " ".join(found)


class Repository:
    """Passages and facts of one repository, and its example groups."""

    def __init__(self, name: str, sources: list[Source], kinds: tuple[str, ...], rng: random.Random) -> None:
        self.name = name
        self.sources = sources
        self.rng = rng
        self.pool = [i for i, source in enumerate(sources) if source.kind in kinds]
        self.facts: list[Fact] = []
        for index in self.pool:
            self.facts.extend(facts_of(index, sources[index]))
        self.near = Bm25([f"{sources[i].header} {sources[i].text}" for i in self.pool])
        self.by_relation: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for fact in self.facts:
            self.by_relation[fact.kind, fact.relation].append(fact)

    def chosen(self) -> list[Fact]:
        """A sample of the facts, every kind and relation held to its share; what cannot be asked uniquely is left out."""
        share = MANY_SHARE if self.name.startswith("many-") else 1.0
        values: dict[tuple[str, str, str], set[str]] = defaultdict(set)
        for fact in self.facts:
            values[fact.kind, fact.subject.lower(), fact.relation].add(normalised(fact.value))
        found = []
        taken: Counter[str] = Counter()
        relations: Counter[tuple[str, str]] = Counter()
        texts: Counter[tuple[int, int]] = Counter()
        order = list(self.facts)
        self.rng.shuffle(order)
        for fact in order:
            if taken[fact.kind] >= MOST[fact.kind] * share or relations[fact.kind, fact.relation] >= 40:
                continue
            if fact.kind != "cloze" and len(values[fact.kind, fact.subject.lower(), fact.relation]) > 1:
                continue
            if texts[fact.source, fact.unit[0]] >= 2 or (normalised(fact.value) in DULL_VALUES and self.rng.random() < 0.7):
                continue
            taken[fact.kind] += 1
            relations[fact.kind, fact.relation] += 1
            texts[fact.source, fact.unit[0]] += 1
            found.append(fact)
        return found

    def ask(self, fact: Fact, subject: str | None = None) -> str:
        question = self.rng.choice(fact.templates).replace("{s}", subject or fact.subject)
        question = " ".join(question.split())[:300]
        if self.rng.random() < 0.35:
            question = reworded(question, self.rng)
        if self.rng.random() < 0.15:
            question = question.rstrip("?")
        if self.rng.random() < 0.1:
            question = question.lower()
        return question

    def right(self, fact: Fact, question: str, chain: list[Passage], kind: str = "span") -> Example:
        """The fact's passage as the candidate that completes the chain."""
        source = self.sources[fact.source]
        lines = cropped(source, fact.unit, fact.keep, self.rng)
        text, moved = rebuild(source, lines)
        part = len(chain)
        place = moved_range(moved, lines, fact.start, fact.end)
        units = []
        for first, last in lines:
            if source.text[first:last].strip() and not (fact.keep and fact.keep[0] <= first < fact.keep[1]):
                supports = first < fact.unit[1] and last > fact.unit[0]
                if supports and (fact.unit[0] > first or fact.unit[1] < last):
                    for a, b in ((first, fact.unit[0]), fact.unit, (fact.unit[1], last)):
                        a, b = max(a, first), min(b, last)
                        if source.text[a:b].strip():
                            shift = moved[first] - first
                            units.append(Unit(part, a + shift, b + shift, a >= fact.unit[0] and b <= fact.unit[1]))
                else:
                    units.append(Unit(part, moved[first], moved[first] + last - first, supports))
        spans: list[Place] | None = [Place(part, *place)] if place else None
        if kind in ("yes", "no"):
            spans = []
        return answering(question, chain, Passage(source.header, text), kind, spans, units)

    def bare(self, fact: Fact, question: str, chain: list[Passage]) -> Example | None:
        """The same passage without the lines that say it; None when they are all of it, or the value stands elsewhere too."""
        source = self.sources[fact.source]
        lines = [
            line
            for line in cropped(source, fact.unit, fact.keep, self.rng)
            if not (line[0] < fact.unit[1] and line[1] > fact.unit[0])
        ]
        text = rebuild(source, lines)[0] if lines else ""
        rest = text + "\n" + source.header
        if len(text.split()) < 12 or occurrences(rest, plain(fact.value)) or occurrences(rest, fact.value):
            return None
        return unanswered(question, chain, Passage(source.header, text), spans=[])

    def wrong(self, fact: Fact, question: str, chain: list[Passage], count: int) -> list[Example]:
        """Other passages: the same relation of something else, near by words, of the same file, any."""
        picks: list[int] = []
        same = [other.source for other in self.by_relation[fact.kind, fact.relation] if other.source != fact.source]
        if same and self.rng.random() < 0.5:
            picks.append(self.rng.choice(same))
        ranked = [self.pool[i] for i in self.near.best(question, 8, commonest=0.05)]
        beside = [i for i in (fact.source - 1, fact.source + 1) if 0 <= i < len(self.sources) and i in set(ranked)]
        picks += self.rng.sample(ranked, min(2, len(ranked))) + beside
        picks.append(self.rng.choice(self.pool))
        found: list[Example] = []
        seen = {fact.source}
        asked = plain(fact.value)
        for index in picks:
            source = self.sources[index]
            if index in seen or len(found) >= count:
                continue
            seen.add(index)
            if (
                fact.subject
                and occurrences(source.text, fact.subject)
                and (occurrences(source.text, asked) or occurrences(source.text, fact.value))
            ):
                continue
            lines = lines_of(source.text)
            middle = self.rng.choice(lines)
            text = rebuild(source, cropped(source, middle, None, self.rng))[0]
            empty = not occurrences(text, asked)
            units = [Unit(len(chain), a, b, False) for a, b in lines_of(text) if text[a:b].strip()][:8] if empty else []
            spans: list[Place] | None = [] if empty or value_kind(asked) == "number" else None
            found.append(unanswered(question, chain, Passage(source.header, text), extends=False, spans=spans, units=units))
        return found

    def one_hop(self, fact: Fact) -> Group:
        question = self.ask(fact)
        examples = [self.right(fact, question, [])]
        chance = self.rng.random()
        if chance < 0.45:
            bare = self.bare(fact, question, [])
            if bare:
                examples.append(bare)
        if chance > 0.3:
            examples += self.wrong(fact, question, [], self.rng.choice((1, 1, 2)))
        if fact.kind == "cloze" and self.rng.random() < 0.2:
            examples = examples[:1]
        return Group(f"rules.{fact.kind}", self.name, examples, listwise=True)

    def verdict(self, fact: Fact) -> Group | None:
        """Is the relation of the subject this value? Yes, or with another's value, no."""
        if fact.kind not in ("table", "field", "constant", "default"):
            return None
        others = [o.value for o in self.by_relation[fact.kind, fact.relation] if normalised(o.value) != normalised(fact.value)]
        if not others and fact.kind in ("constant", "default"):
            others = [
                f.value
                for f in self.rng.sample(self.facts, min(40, len(self.facts)))
                if f.kind == fact.kind and value_kind(f.value) == value_kind(fact.value) and f.value != fact.value
            ]
        yes = not others or self.rng.random() < 0.5
        value = plain(fact.value if yes else self.rng.choice(others))
        if fact.kind in ("table", "field"):
            question = self.rng.choice(
                (
                    "Is {v} the {r} of {s}?",
                    "Is the {r} of {s} {v}?",
                    "Does {s} have {v} as {r}?",
                    "Is it true that the {r} of {s} is {v}?",
                )
            )
        else:
            question = self.rng.choice(("Is {s} {v} by default?", "Is {s} set to {v}?", "Does {s} default to {v}?"))
        question = question.replace("{v}", value).replace("{r}", fact.relation).replace("{s}", fact.subject)
        examples = [self.right(fact, question, [], "yes" if yes else "no")]
        if self.rng.random() < 0.5:
            bare = self.bare(fact, question, [])
            if bare:
                examples.append(bare)
        return Group("rules.verdict", self.name, examples)

    def joined(self, limit: int) -> Iterator[Group]:
        """Two hops: a fact whose value is the subject of another fact elsewhere."""
        subjects: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            if fact.subject and fact.kind not in ("item-back", "sentence-back", "doc-back", "throw-back"):
                subjects[normalised(fact.subject)].append(fact)
        firsts = [
            f
            for f in self.facts
            if f.kind in ("table", "field", "table-back", "extends", "type", "constant", "default", "doc-back")
        ]
        self.rng.shuffle(firsts)
        made = 0
        used: Counter[tuple[str, str]] = Counter()
        for first in firsts:
            key = normalised(first.value)
            seconds = [s for s in subjects.get(key, []) if s.source != first.source]
            if not seconds or len(key) < 3 or key in DULL_VALUES or value_kind(first.value) == "number" or made >= limit:
                continue
            second = self.rng.choice(seconds)
            if used[first.kind, second.relation] >= 12 or used["value", key] >= 3:
                continue
            used[first.kind, second.relation] += 1
            used["value", key] += 1
            relation = {"extends": "base class", "constant": "value", "doc-back": "function"}.get(first.kind, first.relation)
            if first.kind == "doc-back":
                middle = f"the function that is there to {first.subject}"
            elif first.kind == "table-back":
                middle = f"the {relation} with {first.subject}"
            else:
                middle = self.rng.choice((f"the {relation} of {first.subject}", f"the {relation} that {first.subject} has"))
            made += 1
            yield from self.two_hops(first, second, self.ask(second, middle), "rules.joined")

    def linked(self, limit: int) -> Iterator[Group]:
        """Two hops over a link between documents: what the page says that is linked to here."""
        by_path: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            if fact.kind in ("field", "table", "sentence", "item", "doc", "constant", "default", "throw"):
                by_path[self.sources[fact.source].path].append(fact)
        starts = [i for i in self.pool if self.sources[i].links]
        self.rng.shuffle(starts)
        made = 0
        for index in starts:
            source = self.sources[index]
            link = self.rng.choice(source.links)
            facts = by_path.get(link["path"])
            lines = lines_of(source.text)
            if not facts or made >= limit or not 0 <= link["line"] < len(lines):
                continue
            second = self.rng.choice(facts)
            unit = lines[link["line"]]
            line = source.text[slice(*unit)]
            said = plain(line).split()
            about = last_title(source) or source.path.rsplit("/", 1)[-1]
            if len(said) < 4 or len(about) < 4:
                continue
            context = " ".join(said[:16]).replace("{", "").replace("}", "")
            if source.kind in CODE:
                called = [f for f in facts if f.subject.split(".")[-1] == link["target"] and f.kind in ("doc", "type", "throw")]
                second = self.rng.choice(called) if called else second
                if called:
                    middle = self.rng.choice(
                        (
                            f"the function that {about} calls for {name_words(link['target'])}",
                            f"what {about} calls for {name_words(link['target'])}",
                        )
                    )
                    question = self.ask(second, middle)
                else:
                    middle = self.rng.choice((f"{about} and what it calls", f"the code behind {about}", f"what {about} uses"))
                    asked = self.ask(second)
                    question = self.rng.choice((f"In {middle}: {asked}", f"{asked.rstrip('?')} in {middle}?"))
            else:
                thing = self.rng.choice(("page", "document", "one", "file"))
                middle = self.rng.choice(
                    (
                        f"the {thing} that {about} points to for “{context}”",
                        f"the {thing} linked from {about} where it says “{context}”",
                        f"the {thing} that {about} refers to ({context})",
                    )
                )
                asked = self.ask(second, middle if second.kind in ("field", "sentence") else None)
                question = asked if middle in asked else f"In {middle}: {asked}"
            made += 1
            first = Fact(index, "link", about, "link", "", unit[0], unit[0], unit, [], "")
            yield from self.two_hops(first, second, question, "rules.linked")

    def two_hops(self, first: Fact, second: Fact, question: str, source: str) -> Iterator[Group]:
        """The group of the first hop and the group of the second."""
        start = self.right(first, question, [])
        start.complete, start.type, start.spans = False, "none", []
        for unit in start.units:
            unit.part = 0
        examples = [start, *self.wrong(first, question, [], 2)]
        if occurrences(start.candidate.text, plain(second.value)):
            start.spans = None
        yield Group(source, self.name, examples, listwise=True)
        chain = [start.candidate]
        end = self.right(second, question, chain)
        end.units += [unit for unit in start.units if unit.supports]
        examples = [end, *self.wrong(second, question, chain, 2)]
        if self.rng.random() < 0.5:
            bare = self.bare(second, question, chain)
            if bare and not occurrences(start.candidate.text, plain(second.value)):
                examples.append(bare)
        if self.rng.random() < 0.3:
            strangers = self.wrong(first, question, [], 1)
            if strangers:
                examples.append(unanswered(question, [strangers[0].candidate], end.candidate, extends=False))
        yield Group(source, self.name, examples, listwise=True)

    def lists(self, limit: int) -> Iterator[Group]:
        """The items under a heading, asked for together."""
        order = [i for i in self.pool if self.sources[i].kind in ("section", "paragraph")]
        self.rng.shuffle(order)
        made = 0
        for index in order:
            source = self.sources[index]
            lines = lines_of(source.text)
            items = [line for line in lines if re.match(r"\s{0,3}(?:[-*+]|\d+[.)])\s+\S", source.text[slice(*line)])]
            heading = last_title(source)
            if made >= limit or not 3 <= len(items) <= 12 or not 3 <= len(heading) <= 50 or len(source.text) > 1500:
                continue
            made += 1
            asks = [
                f"What are the {heading.lower()}?",
                f"Which {heading.lower()} are there?",
                f"List the {heading.lower()}.",
                f"What is listed under {heading}?",
                f"Name everything under {heading}.",
            ]
            if re.search(
                r"member|attend|present|maintainer|chair|lead|owner|contact|author|participant|people|team",
                heading,
                re.I,
            ):
                asks += [
                    f"Who are the {heading.lower()}?",
                    f"Who is listed under {heading}?",
                    f"Who was in {heading}?",
                ] * 2
            question = self.rng.choice(asks)
            units = [
                Unit(0, a, b, (a, b) in items)
                for a, b in lines
                if source.text[a:b].strip() and not source.text[a:b].startswith("#")
            ]
            whole = answering(question, [], Passage(source.header, source.text), "list", None, units)
            fake = Fact(index, "list", heading, "list", heading, 0, 0, (0, 0), [], "")
            yield Group("rules.list", self.name, [whole, *self.wrong(fake, question, [], 1)], listwise=True)

    def comparisons(self, limit: int) -> Iterator[Group]:
        """Which of two has the larger, or the earlier: rows of one table, or the same field of two documents."""
        made = 0
        keys = [key for key, facts in self.by_relation.items() if key[0] in ("table", "field") and len(facts) > 1]
        self.rng.shuffle(keys)
        for key in keys:
            kind, relation = key
            facts = [f for f in self.by_relation[key] if re.fullmatch(r"[\d,.]+|\d{4}-\d{2}-\d{2}", f.value)]
            if len(facts) < 2 or made >= limit:
                continue
            for _ in range(min(4, len(facts) // 2)):
                a, b = self.rng.sample(facts, 2)
                dates = "-" in a.value and "-" in b.value
                if ("-" in a.value) != ("-" in b.value) or a.value == b.value or a.subject.lower() == b.subject.lower():
                    continue
                number = (lambda v: v) if dates else (lambda v: float(re.sub(r"[^\d]", "", v.split(".")[0]) or 0))
                larger = a if number(a.value) > number(b.value) else b
                smaller = b if larger is a else a
                word, winner = self.rng.choice(
                    (("later" if dates else "higher", larger), ("earlier" if dates else "lower", smaller))
                )
                question = self.rng.choice(
                    (
                        f"Which has the {word} {relation}, {a.subject} or {b.subject}?",
                        f"{a.subject} or {b.subject}: whose {relation} is {word}?",
                    )
                )
                made += 1
                if a.source == b.source:
                    one = self.right(a, question, [])
                    if plain(b.value) not in plain(one.candidate.text):
                        continue
                    parts, examples = [one.candidate], [one]
                else:
                    chain = [self.right(a, question, []).candidate]
                    one = self.right(b, question, chain)
                    parts, examples = [*chain, one.candidate], [one, *self.wrong(b, question, chain, 1)]
                one.type, one.units = "comparison", []
                places = [
                    Place(part, *found, header=header)
                    for part, passage in enumerate(parts)
                    for header in (False, True)
                    for found in occurrences(passage.header if header else passage.text, winner.subject)[:2]
                ]
                one.spans = places or None
                yield Group("rules.comparison", self.name, examples, listwise=len(examples) > 1)

    def groups(self) -> Iterator[Group]:
        facts = self.chosen()
        share = MANY_SHARE if self.name.startswith("many-") else 1.0
        for fact in facts:
            yield self.one_hop(fact)
            if self.rng.random() < 0.1:
                group = self.verdict(fact)
                if group:
                    yield group
        hops = 70 if self.pool and self.sources[self.pool[0]].kind in CODE else 130
        yield from self.joined(int(hops * share * share))
        yield from self.linked(int(hops * share * share))
        yield from self.lists(int(60 * share))
        yield from self.comparisons(int(40 * share))


def swapped(statement: str, fact: Fact, others: list[str], rng: random.Random) -> str | None:
    """The statement with another value, a negation, or a changed number."""
    value = plain(fact.value)
    choice = rng.random()
    if choice < 0.55 and value in statement:
        fit = [o for o in others if value_kind(o) == value_kind(value) and normalised(o) != normalised(value)]
        if value_kind(value) == "number" and (not fit or rng.random() < 0.5):
            digits = re.search(r"\d+", value)
            if digits:
                new = str(max(1, int(digits.group()) * rng.choice((2, 3, 10)) + rng.choice((0, 1, 5))))
                return statement.replace(value, value.replace(digits.group(), new, 1), 1)
        if fit:
            return statement.replace(value, plain(rng.choice(fit)), 1)
    for verb in (" is ", " are ", " must ", " should ", " can ", " will ", " was ", " returns ", " extends "):
        if verb in statement:
            negated = {" returns ": " does not return ", " extends ": " does not extend "}.get(verb, verb + "not ")
            return statement.replace(verb, negated, 1)
    return None


def entail_groups(repository: Repository, limit: int) -> Iterator[Group]:
    """Statements over the passage that says them, over one that does not, and statements changed."""
    rng = repository.rng
    facts = repository.chosen()
    rng.shuffle(facts)
    for fact in facts[:limit]:
        statement = " ".join(fact.statement.split())
        if len(statement) < 12 or len(statement) > 260:
            continue
        if rng.random() < 0.5 and ", " in statement and fact.kind in ("sentence", "sentence-back", "cloze"):
            statement = statement.split(", ")[0].rstrip(".") + "."
        right = repository.right(fact, statement, [])
        others = [o.value for o in repository.by_relation[fact.kind, fact.relation]]

        def as_claim(example: Example, supported: bool, said: str) -> Example:
            return Example(said, [], example.candidate, entail=supported, units=example.units if supported else [])

        examples = [as_claim(right, True, statement)]
        changed = swapped(statement, fact, others, rng)
        if changed and changed != statement:
            examples.append(as_claim(right, False, changed))
        if rng.random() < 0.6:
            other = repository.bare(fact, statement, []) if rng.random() < 0.5 else None
            elsewhere = [other] if other else repository.wrong(fact, statement, [], 1)
            examples += [as_claim(example, False, statement) for example in elsewhere]
        yield Group("rules.entail", repository.name, examples)


def repositories(folder: Path, forbidden: Forbidden, held: bool) -> Iterator[tuple[str, list[Source]]]:
    """Those that are held out or the others; none of either that `lab/questions` asks about."""
    files = sorted(folder.glob("*.jsonl.gz"))
    if not files:
        raise SystemExit(f"no passages in {folder}: `python -m hoptrail_training.fetch` makes them")
    asked = asked_folders()
    for file in files:
        name = file.name.removesuffix(".jsonl.gz")
        if name not in asked and is_held(name) == held:
            sources = read_sources(file, forbidden)
            if sources:
                yield name, sources


def rule_groups(folder: Path, forbidden: Forbidden, kinds: tuple[str, ...], seed: int, held: bool = False) -> Iterator[Group]:
    for name, sources in repositories(folder, forbidden, held):
        rng = random.Random(f"{seed}:{name}")
        repository = Repository(name, sources, kinds, rng)
        if repository.pool:
            for group in repository.groups():
                if not any(forbidden.has_question(example.question) for example in group.examples):
                    yield group


def statement_groups(folder: Path, forbidden: Forbidden, seed: int, held: bool = False) -> Iterator[Group]:
    for name, sources in repositories(folder, forbidden, held):
        for kinds in (NOTES, CODE):
            repository = Repository(name, sources, kinds, random.Random(f"{seed}:entail:{name}"))
            if repository.pool:
                yield from entail_groups(repository, 60 if name.startswith("many-") else 260)
