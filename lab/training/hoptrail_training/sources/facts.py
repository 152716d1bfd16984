"""Facts read out of notes and code by rules: subject, relation, value, and the line that says so.

Input are the product's own passages (`hoptrail passages DIR`): `{path, title, kind, language, text, links}`. A fact carries
question templates with `{s}` for its subject, so that two facts can be joined into a question of two hops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from ..text import sentences

NOTES = ("section", "paragraph", "table", "front-matter")
CODE = ("function", "class", "outline", "code")


@dataclass
class Source:
    """A passage of a repository."""

    path: str
    title: str
    kind: str
    language: str
    text: str
    links: list[dict] = field(default_factory=list)

    @property
    def header(self) -> str:
        return f"{self.path}: {self.title}" if self.title else self.path


@dataclass
class Fact:
    """`start`, `end`: the value's characters; `unit`: those of the lines that say it; `keep`: lines that a crop must not lose
    (a table's head)."""

    source: int
    kind: str
    subject: str
    relation: str
    value: str
    start: int
    end: int
    unit: tuple[int, int]
    templates: list[str]
    statement: str
    keep: tuple[int, int] | None = None


def fact_at(
    index: int,
    source: Source,
    kind: str,
    subject: str,
    relation: str,
    place: tuple[int, int],
    unit: tuple[int, int],
    templates: list[str],
    statement: str,
    keep: tuple[int, int] | None = None,
) -> Fact:
    """A fact whose value stands at a place of the passage."""
    value = source.text[slice(*place)]
    return Fact(index, kind, subject, relation, value, *place, unit, templates, statement, keep)


_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|\[\[([^\]|]*\|)?([^\]]*)\]\]")
_MARKS = re.compile(r"\*{1,3}|`{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|<[^>]+>|\\")


def plain(text: str) -> str:
    """Markdown text without marks: what a person would say."""
    text = _LINK.sub(lambda m: m.group(1) or m.group(3) or "", text)
    return " ".join(_MARKS.sub("", text).split()).strip(" .:;,")


def value_range(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of a cell that is read: the text of a link, without marks around it."""
    piece = text[start:end]
    whole = re.fullmatch(r"\s*[*_`]*\[([^\]]+)\]\([^)]*\)[*_`]*\s*", piece)
    if whole:
        start, end = start + whole.start(1), start + whole.end(1)
    while start < end and text[start] in " \t*_`":
        start += 1
    while end > start and text[end - 1] in " \t*_`.;,":
        end -= 1
    return start, end


def lines_of(text: str) -> list[tuple[int, int]]:
    found, start = [], 0
    for line in text.split("\n"):
        found.append((start, start + len(line)))
        start += len(line) + 1
    return found


def name_words(name: str) -> str:
    """retryDelay, RETRY_DELAY -> retry delay."""
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1 \2", name)
    return " ".join(name.replace("_", " ").replace(".", " ").replace("-", " ").lower().split())


def last_title(source: Source) -> str:
    return plain(source.title.split(" > ")[-1].split(",")[0]) if source.title else ""


def document_name(source: Source) -> str:
    """What people call the document: its title, or its file's name."""
    first = plain(source.title.split(" > ")[0]) if source.title else ""
    stem = source.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if not first or first.lower() in ("readme", "index", stem.lower()):
        parts = source.path.split("/")
        stem = parts[-2] if stem.lower() in ("readme", "index", "_index") and len(parts) > 1 else stem
        first = stem.replace("-", " ").replace("_", " ")
    return first


_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,4}(?:, \d{4})?"
)
_NUMBER = re.compile(r"[$€£]?\d[\d,.]*\s?(?:%|ms|s|kb|mb|gb|bytes|seconds|minutes|hours|days|weeks|months|years)?", re.I)
_PERSON = re.compile(r"@[\w-]+|[A-Z][\w'’.-]+ (?:[A-Z]\. )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?(?: \(@[\w-]+\))?")
_ROLE = re.compile(
    r"owner|lead|chair|author|maintainer|contact|editor|reviewer|approver|who|name|facilitator|responsible|host|sponsor|assignee|member|secretary|champion|director|handle|person",
    re.I,
)


def value_kind(value: str) -> str:
    if _DATE.fullmatch(value.strip()):
        return "date"
    if _NUMBER.fullmatch(value.strip()):
        return "number"
    if _PERSON.fullmatch(value.strip()):
        return "person"
    return "text"


def relation_templates(relation: str, value: str) -> list[str]:
    """How one asks for a field or a column of a thing."""
    r = relation
    found = [
        f"What is the {r} of {{s}}?",
        f"What {r} does {{s}} have?",
        f"Which {r} is given for {{s}}?",
        f"What's the {r} for {{s}}?",
        f"{r} of {{s}}",
        f"Which {r} goes with {{s}}?",
        f"For {{s}}, what is the {r}?",
        f"Tell me the {r} of {{s}}.",
    ]
    kind = value_kind(value)
    if kind == "date":
        found += [f"When is the {r} of {{s}}?", f"On which date is the {r} of {{s}}?", f"When: {r} of {{s}}?"] * 2
    if kind == "number":
        found += [f"How many {r} for {{s}}?", f"How much is the {r} of {{s}}?", f"How large is the {r} of {{s}}?"]
        if r.endswith("s"):
            found += [f"How many {r} does {{s}} have?", f"How many {r} are there for {{s}}?"] * 2
    if kind == "person" or _ROLE.search(r):
        found += [f"Who is the {r} of {{s}}?", f"Who is {r} for {{s}}?", f"Who is named as {r} of {{s}}?"] * 2
    return found


def table_facts(index: int, source: Source) -> Iterator[Fact]:
    """Cells of Markdown tables: row (first cell) and column (head) -> cell, and back."""
    fact = partial(fact_at, index, source)
    lines = lines_of(source.text)
    for number in range(len(lines) - 2):
        rule = source.text[slice(*lines[number + 1])]
        if not re.fullmatch(r"\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*", rule) or "|" not in rule:
            continue
        heads = [plain(cell[0]) for cell in cells_of(source.text, *lines[number])]
        rows = []
        for start, end in lines[number + 2 :]:
            if "|" not in source.text[start:end]:
                break
            rows.append((cells_of(source.text, start, end), (start, end)))
        keep = (lines[number][0], lines[number + 1][1])
        for cells, unit in rows:
            if len(cells) != len(heads) or len(cells) < 2:
                continue
            subject = plain(cells[0][0])
            if not (2 <= len(subject) <= 60) or not re.search(r"\w{2}", subject):
                continue
            for column in range(1, len(cells)):
                start, end = value_range(source.text, cells[column][1], cells[column][2])
                value = source.text[start:end]
                head = heads[column]
                if not value or len(value) > 90 or not re.search(r"\w", value) or not (2 <= len(head) <= 40):
                    continue
                relation = head if head.isupper() else head[0].lower() + head[1:]
                templates = relation_templates(relation, value)
                where = f" in the {last_title(source)} table" if last_title(source) else ""
                templates += [f"What is the {relation} of {{s}}{where}?"]
                yield fact(
                    "table",
                    subject,
                    relation,
                    (start, end),
                    unit,
                    templates,
                    f"The {relation} of {subject} is {plain(value)}.",
                    keep,
                )
                same = [r for r, _ in rows if len(r) == len(heads) and plain(r[column][0]) == plain(value)]
                if column <= 3 and len(same) == 1 and len(plain(value)) > 2 and heads[0]:
                    first, last = value_range(source.text, cells[0][1], cells[0][2])
                    head0 = heads[0][0].lower() + heads[0][1:]
                    yield fact(
                        "table-back",
                        plain(value),
                        head0,
                        (first, last),
                        unit,
                        [
                            f"Which {head0} has the {relation} {{s}}?",
                            f"Which {head0} has {{s}} as {relation}?",
                            f"Whose {relation} is {{s}}?",
                            f"{{s}} is the {relation} of which {head0}?",
                            f"What {head0} goes with the {relation} {{s}}?",
                            f"Which {head0} is {{s}} the {relation} of?",
                        ],
                        f"{plain(value)} is the {relation} of {subject}.",
                        keep,
                    )


def cells_of(text: str, start: int, end: int) -> list[tuple[str, int, int]]:
    """Cells of a table row as (text, start, end)."""
    row = text[start:end]
    edges = [m.start() for m in re.finditer(r"(?<!\\)\|", row)]
    if not edges:
        return []
    if row[: edges[0]].strip():
        edges.insert(0, -1)
    if row[edges[-1] + 1 :].strip():
        edges.append(len(row))
    found = []
    for left, right in zip(edges, edges[1:], strict=False):
        first, last = left + 1, right
        piece = row[first:last]
        first += len(piece) - len(piece.lstrip())
        last = first + len(piece.strip())
        found.append((row[first:last], start + first, start + last))
    return found


_FIELD = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*([^*:\n]{2,40}):?\*\*[ \t]*:?[ \t]+|([A-Z][A-Za-z][\w /-]{0,28}):[ \t]+)(\S[^\n]{0,140})$",
    re.M,
)
_FRONT = re.compile(r"^([A-Za-z][\w-]{1,30}):[ \t]+(\S[^\n]{0,140})$", re.M)
_DULL = {"http", "https", "note", "warning", "tip", "example", "layout", "e.g", "todo", "important", "toc", "weight"}


def field_facts(index: int, source: Source) -> Iterator[Fact]:
    """`**Key:** value`, `- Key: value`, front matter."""
    fact = partial(fact_at, index, source)
    pattern = _FRONT if source.kind == "front-matter" else _FIELD
    subject = document_name(source)
    part = last_title(source)
    if not (3 <= len(subject) <= 70):
        return
    for match in pattern.finditer(source.text):
        groups = [group for group in match.groups()[:-1] if group]
        key = plain(groups[0].replace("_", " ").replace("-", " ")).lower()
        if key in _DULL or not re.search(r"[a-z]{2}", key):
            continue
        start, end = value_range(source.text, match.start(len(match.groups())), match.end(len(match.groups())))
        if source.text[start : start + 1] in "\"'[" and source.text[end - 1 : end] in "\"']" and end - start > 2:
            start, end = start + 1, end - 1
        value = source.text[start:end]
        if not re.search(r"\w", value) or value.startswith(("http", "|", "{")):
            continue
        templates = relation_templates(key, value)
        about = subject
        if part and part.lower() != subject.lower() and source.kind != "front-matter":
            templates += [f"What is the {key} of {{s}} in {part}?", f"Under {part}, what is the {key} of {{s}}?"]
        yield fact("field", about, key, (start, end), match.span(), templates, f"The {key} of {about} is {plain(value)}.")


_ITEM = re.compile(
    r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(\*\*|__|`)?([^\n*`:]{2,50}?)(?:\*\*|__|`)?[ \t]*(?::(?:\*\*)?|–|—| - )[ \t]*(?:\*\*)?([A-Za-z`\"(\[][^\n]{12,300})$",
    re.M,
)


def item_facts(index: int, source: Source) -> Iterator[Fact]:
    """List items `name: what it is`."""
    fact = partial(fact_at, index, source)
    heading = last_title(source)
    for match in _ITEM.finditer(source.text):
        name = plain(match.group(2))
        if not re.search(r"[A-Za-z]{2}", name) or len(name.split()) > 7 or name.startswith(("-", "[")):
            continue
        first = match.start(3)
        stop = sentences(source.text[first : match.end(3)])
        if not stop:
            continue
        start, end = value_range(source.text, first + stop[0][0], first + stop[0][1])
        value = source.text[start:end]
        described = plain(value)
        if len(described) < 12:
            continue
        yield fact(
            "item",
            name,
            "description",
            (start, end),
            match.span(),
            [
                "What is {s}?",
                "What does {s} do?",
                "What is said about {s}?",
                "What does {s} mean?",
                "How is {s} described?",
                "What is {s} for?",
                f"In {heading or document_name(source)}, what is {{s}}?",
            ],
            f"{name}: {described}.",
        )
        start, end = value_range(source.text, *match.span(2))
        short = " ".join(described.split()[:14])
        kind = heading.lower().rstrip("s") if heading and len(heading.split()) < 4 else "one"
        yield fact(
            "item-back",
            short,
            "name",
            (start, end),
            match.span(),
            [f"Which {kind} is this: {{s}}?", "What is it called: {s}?", f"Which {kind} {{s}}?", "What {s}?"],
            f"{name}: {described}.",
        )


_AUX = re.compile(
    r"^((?:The|A|An|Each|Every|All|Our|This|Any)\s)?([\w@`'’/().-]+(?: [\w@`'’/().-]+){0,5}?) (is|are|was|were|must|should|can|will|may|has|have|uses|requires|provides|contains|supports|returns|owns|maintains|leads|runs) ([^\n]{8,160}?)[.]?$"
)
_PRONOUN = {"it", "this", "that", "they", "there", "we", "you", "he", "she", "these", "those", "i", "which", "if", "when", "what"}


def sentence_facts(index: int, source: Source) -> Iterator[Fact]:
    """Sentences `subject verb rest`: asked for the rest, and for the subject; and for dates and numbers in them."""
    fact = partial(fact_at, index, source)
    fenced = [match.span() for match in re.finditer(r"```.*?(?:```|\Z)", source.text, re.S)]
    for start, end in sentences(source.text):
        text = source.text[start:end]
        if any(first <= start < last for first, last in fenced):
            continue
        lead = re.match(r"(?:[-*+>#]+|\d+[.)])\s+", text)
        if lead:
            start += lead.end()
            text = source.text[start:end]
        if text.startswith(("|", "#", "http", "```", "<", "{", "!")) or len(text) > 260:
            continue
        match = _AUX.match(text)
        words = plain(text).split()
        if match and match.group(2).split()[0].lower() not in _PRONOUN and len(words) > 5:
            article, noun, verb, rest = match.groups("")
            noun_plain = plain(article.lower() + noun if article else noun)
            rest_start, rest_end = value_range(text, *match.span(4))
            clause = re.search(r",\s|;\s| \(|—| – ", text[rest_start:rest_end])
            if clause and clause.start() > 12:
                rest_end = rest_start + clause.start()
            if verb in ("is", "are", "was", "were"):
                ask = [f"What {verb} {{s}}?", f"What {verb} {{s}} exactly?", f"{{s}} {verb} what?"]
                if re.match(r"(?:responsible|used|needed|required|allowed|expected|called|named|stored|located|held)", rest):
                    ask = [f"What {verb} {{s}} {rest.split()[0]} {' '.join(rest.split()[1:2])}?", f"What {verb} {{s}}?"]
            elif verb in ("must", "should", "can", "will", "may"):
                ask = [f"What {verb} {{s}} do?", f"{{s}} {verb} do what?"]
            else:
                base = {"has": "have", "have": "have", "runs": "run", "uses": "use"}.get(verb, verb.rstrip("s"))
                ask = [f"What {'do' if verb == 'have' else 'does'} {{s}} {base}?", f"What is it that {{s}} {verb}?"]
            if rest_end - rest_start > 6:
                yield fact(
                    "sentence", noun_plain, verb, (start + rest_start, start + rest_end), (start, end), ask, plain(text) + "."
                )
            rest_plain = plain(rest)
            if len(rest_plain.split()) >= 4:
                who = (
                    "Who"
                    if _PERSON.search(noun) or re.search(r"team|group|committee|chair|lead|member|owner", noun, re.I)
                    else "What"
                )
                first, last = match.span(2)
                yield fact(
                    "sentence-back",
                    rest_plain,
                    "subject of " + verb,
                    (start + first, start + last),
                    (start, end),
                    [f"{who} {verb} {{s}}?", f"{who} is it that {verb} {{s}}?"],
                    plain(text) + ".",
                )
        yield from cloze_facts(index, source, start, end)


def cloze_facts(index: int, source: Source, start: int, end: int) -> Iterator[Fact]:
    """Sentences with a date, a number or a version: the sentence with a question word in its place."""
    fact = partial(fact_at, index, source)
    text = source.text[start:end]
    for match in re.finditer(
        rf"(?P<date>{_DATE.pattern})|(?P<version>\bv?\d+\.\d+(?:\.\d+)*\b)|(?P<number>(?<![\w.#/-])[$€£]?\d[\d,]*(?:\.\d+)?%?(?![\w./-]))",
        text,
    ):
        kind = match.lastgroup
        after = re.match(r"[ -]([A-Za-z]{3,})", text[match.end() :])
        words = len(plain(text).split())
        if words < 6 or words > 34:
            return
        before, behind = plain(text[: match.start()]), plain(text[match.end() :])
        if kind == "date":
            asks = [f"{before} when {behind}?", f"When: {before} … {behind}?", f"On what date {before} {behind}?"]
        elif kind == "version":
            asks = [f"{before} which version {behind}?", f"Which version: {before} {behind}?"]
        elif after:
            rest = plain(text[match.end() + after.end() :])
            asks = [f"How many {after.group(1)} {before} {rest}?", f"{before} how many {behind}?"]
        else:
            asks = [f"{before} how much {behind}?", f"What number: {before} {behind}?"]
        asks = [" ".join(ask.split()) for ask in asks]
        yield fact(
            "cloze",
            "",
            kind or "number",
            (start + match.start(), start + match.end()),
            (start, end),
            [ask.replace("{", "").replace("}", "") for ask in asks],
            plain(text) + ".",
        )
        return


_LITERAL = r"(?:-?\d[\d_.]*(?:\s*\*\s*\d+)*|\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|`[^`\n$]{1,80}`|true|false|True|False|None|null|nil)"
_ASSIGN = re.compile(
    rf"^[ \t]*(?:(?:export|public|private|protected|internal|static|readonly|final|const|let|var|val|pub|declare)\s+)*(?:(?:int|long|String|boolean|double|float)\s+)?([A-Za-z_][\w.]{{2,40}})\s*(?:\??:\s*[\w<>\[\]|&' ]+?)?\s*(?::=|=|:)\s*({_LITERAL})\s*[,;)]?\s*(?:(?://|\#)[^\n]*)?$",
    re.M,
)
_PARAMETER = re.compile(rf"[(,]\s*(?:\*{{0,2}})([a-z_]\w{{1,30}})\s*(?:\??:\s*[\w\[\], .|]+?)?\s*=\s*({_LITERAL})\s*(?=[,)])")
_THROW = re.compile(
    r"^[ \t]*[^\n]*?(?:throw new (\w+)|raise (\w+)|panic!?|errors\.New|fmt\.Errorf|new (\w*Error)|bail!|IllegalStateException|IllegalArgumentException)\s*\(\s*(?:f|u8)?([`\"'])((?:(?!\4)[^\n\\]|\\.){8,140}?)\4",
    re.M,
)
_EXTENDS = re.compile(
    r"^[ \t]*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(\w+)(?:\s*<[^>]*>)?(?:\s+extends\s+|\()(\w[\w.]*)",
    re.M,
)
_RETURNS = re.compile(r"^[^\n]*\)\s*(?:->|:)\s*([A-Za-z_][\w.<>\[\], |]{2,50}?)\s*[:{]\s*$", re.M)
_DOCSTRING = re.compile(
    r'"""\s*([A-Z][^"\n]{14,200})|/\*\*\s*\n?\s*\*?\s*([A-Z`][^\n*]{14,200})|^[ \t]*//+ ([A-Z]\w+ [^\n]{14,200})', re.M
)
_SIGNATURE = re.compile(
    r"^[ \t]*(?:(?:export|default|public|private|protected|static|async|pub|override|abstract|final|suspend|unsafe|inline)\s+)*(?:def|function\*?|func(?:\s*\([^)]*\))?|fn|fun|class|interface|struct|trait|type)\s+(\w+)",
    re.M,
)


def code_facts(index: int, source: Source) -> Iterator[Fact]:
    """Constants, defaults, errors, what a function is for, base classes, types."""
    fact = partial(fact_at, index, source)
    text = source.text
    lines = lines_of(text)

    def line_at(place: int) -> tuple[int, int]:
        return next((line for line in lines if line[0] <= place <= line[1]), (0, len(text)))

    stem = name_words(source.path.rsplit("/", 1)[-1].rsplit(".", 1)[0])
    context = name_words(source.title.split(" > ")[-1]) if source.title else stem
    signature = _SIGNATURE.search(text)
    function = signature.group(1) if signature else ""
    for match in _ASSIGN.finditer(text):
        name = match.group(1).removeprefix("this.").removeprefix("self.")
        spoken = name_words(name)
        start, end = match.span(2)
        if text[start] in "\"'`":
            start, end = start + 1, end - 1
        if len(name) < 4 or not text[start:end].strip():
            continue
        ask = [
            f"What is {name} set to?",
            f"What is the value of {name}?",
            f"What is the {spoken} in {context}?",
            f"What is the {spoken} by default?",
            f"Which value does the {spoken} have?",
            f"What does {context} use as {spoken}?",
            f"What is the {spoken} of {stem} if nothing else is configured?",
            f"To what is the {spoken} set in {stem}?",
        ]
        if re.match(r"-?\d", text[start:end]):
            ask += [
                f"How large is the {spoken}?",
                f"How many {spoken} in {context}?",
                f"How high is the {spoken} in {stem}?",
            ]
        if text[start:end].lower() in ("true", "false"):
            ask = [
                f"Is {spoken} true or false in {context}?",
                f"What is the default of {spoken}?",
                f"What is {name} set to?",
            ]
        yield fact("constant", name, "value", (start, end), line_at(start), ask, f"{name} is set to {text[start:end]}.")
    if function:
        spoken_function = name_words(function)
        head = text[signature.start() : signature.start() + 600]
        close = head.find(")\n") if ")\n" in head else len(head)
        for match in _PARAMETER.finditer(head[: close + 2]):
            start, end = (signature.start() + place for place in match.span(2))
            if text[start] in "\"'`":
                start, end = start + 1, end - 1
            name = match.group(1)
            spoken = name_words(name)
            if not text[start:end].strip():
                continue
            yield fact(
                "default",
                name,
                "default",
                (start, end),
                line_at(start),
                [
                    f"What is the default of {name} in {function}?",
                    f"If no {spoken} is given to {function}, what is used?",
                    f"What does {spoken_function} take for {spoken} when nothing is passed?",
                    f"Which {spoken} does {function} use by default?",
                    f"What is the default {spoken} when you {spoken_function}?",
                ],
                f"The default of {name} in {function} is {text[start:end]}.",
            )
        for match in _DOCSTRING.finditer(text):
            group = next(i for i in (1, 2, 3) if match.group(i))
            start = match.start(group)
            stop = sentences(text[start : match.end(group)])
            if not stop:
                continue
            end = start + stop[0][1]
            sentence = plain(text[start:end])
            words = sentence.split()
            if words[0] == function and len(words) > 3:
                words = words[1:]
            spoken = " ".join([words[0].lower(), *words[1:]])
            first, last = signature.span(1)
            verb = words[0].lower()
            third = verb if verb.endswith("s") else verb + ("es" if verb.endswith(("sh", "ch", "x")) else "s")
            yield fact(
                "doc",
                function,
                "purpose",
                (start, end),
                (start, end),
                [
                    "What does {s} do?",
                    "What is {s} for?",
                    f"What does the function that is to {spoken_function} do?",
                    "What is the purpose of {s}?",
                ],
                f"{function}: {sentence}.",
            )
            yield fact(
                "doc-back",
                spoken,
                "function",
                (first, last),
                line_at(first),
                [
                    f"Which function {third} {' '.join(words[1:])}?",
                    "What is called to {s}?",
                    "Which part of the code is there to {s}?",
                    "Where do we {s}?",
                    "Which function or class is this: {s}?",
                ],
                f"{function}: {sentence}.",
            )
            break
        result = _RETURNS.search(text, signature.start())
        if result and result.start() - signature.start() < 400 and not re.search(r"\b(?:if|not|return|self)\b", result.group(1)):
            start, end = result.span(1)
            yield fact(
                "type",
                function,
                "return type",
                (start, end),
                line_at(start),
                ["What type does {s} return?", "What is the return type of {s}?", f"What does {spoken_function} give back?"],
                f"{function} returns {text[start:end]}.",
            )
    for match in _THROW.finditer(text):
        start, end = match.span(5)
        message = text[start:end]
        unit = line_at(start)
        before = next((text[a:b] for a, b in reversed(lines) if b < unit[0] and text[a:b].strip()), "")
        condition = re.match(r"\s*(?:\}?\s*else\s+)?(?:el)?if\s*\(?(.{4,80}?)\)?\s*[:{]?\s*$", before)
        error = next((match.group(i) for i in (1, 2, 3) if match.group(i)), "error")
        ask = [
            f"What error does {function or context} throw?",
            f"What does the {error} in {context} say?",
            f"With what message does {context} fail?",
            f"Which error message can {function or stem} give?",
        ]
        if condition:
            spoken = name_words(re.sub(r"[^\w.\s]+", " ", condition.group(1).replace("!", "not ")))
            ask += [
                f"What error is raised if {spoken}?",
                f"What message is shown when {spoken} in {context}?",
                f"What happens in {context} if {spoken}?",
            ] * 2
        yield fact("throw", context, "error", (start, end), unit, ask, f"{context} fails with “{message}”.")
        if function:
            first, last = signature.span(1)
            short = " ".join(re.sub(r"\$\{[^}]*\}|%\w|\{[^}]*\}", "", message).split())
            yield fact(
                "throw-back",
                short,
                "function",
                (first, last),
                line_at(first),
                [
                    "Which function throws “{s}”?",
                    "Where does the error “{s}” come from?",
                    "What fails with {s}?",
                    "Which function says {s}?",
                ],
                f"{function} throws “{message}”.",
            )
    for match in _EXTENDS.finditer(text):
        start, end = match.span(2)
        yield fact(
            "extends",
            match.group(1),
            "base class",
            (start, end),
            line_at(start),
            ["Which class does {s} extend?", "What is {s} derived from?", "What is the base class of {s}?"],
            f"{match.group(1)} extends {text[start:end]}.",
        )


def facts_of(index: int, source: Source) -> Iterator[Fact]:
    """All facts of a passage."""
    if source.kind in NOTES:
        yield from table_facts(index, source)
        yield from field_facts(index, source)
        if source.kind != "front-matter":
            yield from item_facts(index, source)
            yield from sentence_facts(index, source)
    elif source.kind in CODE:
        yield from code_facts(index, source)
