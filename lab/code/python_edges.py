"""Prints what jedi makes of the calls and imports of a Python project, for check-references.ts:

    pip install jedi==0.19.2
    python lab/code/python_edges.py DIR > edges.json
    node --import tsx lab/code/check-references.ts DIR --edges edges.json

One JSON object: {"calls": {"file:line name": "file name" or null}, "imports": the same}. null is a place that leads out
of the project, or to a value without a name of its own (a parameter, a local). Places of which jedi knows nothing are
left out: they say neither right nor wrong.
"""

import ast
import json
import sys
from pathlib import Path

import jedi

KINDS = {"function", "class", "property"}


def is_own(name: jedi.api.classes.Name, root: Path) -> bool:
    path = name.module_path
    if path is None or not path.is_relative_to(root):
        return False
    if name.type == "statement":  # a constant or variable of a module
        parent = name.parent()
        return parent is not None and parent.type == "module"
    return name.type in KINDS


def add_target(edges: dict, place: str, script: jedi.Script, line: int, column: int, root: Path) -> None:
    """Adds where the name at a place leads; columns are of characters, from 0."""
    try:
        found = script.goto(line, column, follow_imports=True)
    except Exception:  # jedi fails on some code: no verdict
        return
    own = next((name for name in found if is_own(name, root)), None)
    if own is not None:
        edges[place] = f"{own.module_path.relative_to(root).as_posix()} {own.name}"
    elif found:
        edges[place] = None


def character(text: list[str], line: int, offset: int) -> int:
    """ast counts bytes, jedi characters."""
    return len(text[line - 1].encode()[:offset].decode(errors="ignore"))


def edges_of(file: Path, root: Path, project: jedi.Project) -> tuple[dict, dict]:
    source = file.read_text(encoding="utf-8")
    text = source.splitlines()
    script = jedi.Script(source, path=file, project=project)
    shown = file.relative_to(root).as_posix()
    calls: dict[str, str | None] = {}
    imports: dict[str, str | None] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            func = node.func
            name = func.id if isinstance(func, ast.Name) else func.attr
            line = func.end_lineno or func.lineno
            column = character(text, line, func.end_col_offset or 0) - len(name)
            add_target(calls, f"{shown}:{line} {name}", script, line, column, root)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name != "*":
                    column = character(text, alias.lineno, alias.col_offset)
                    place = f"{shown}:{node.lineno} {alias.name}"
                    add_target(imports, place, script, alias.lineno, column, root)
    return calls, imports


def main() -> None:
    root = Path(sys.argv[1]).resolve()
    sources = [str(path) for path in (root / "src", root) if path.is_dir()]
    project = jedi.Project(root, added_sys_path=sources)
    calls: dict[str, str | None] = {}
    imports: dict[str, str | None] = {}
    for file in sorted(root.rglob("*.py")):
        try:
            more_calls, more_imports = edges_of(file, root, project)
        except (SyntaxError, UnicodeDecodeError):
            continue
        calls |= more_calls
        imports |= more_imports
    json.dump({"calls": calls, "imports": imports}, sys.stdout)


if __name__ == "__main__":
    main()
