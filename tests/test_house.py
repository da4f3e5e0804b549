"""How the house is built: how much a room may hold, and what may be imported where."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, Literal, NamedTuple

import pytest

from companion.games.registry import games

CHECKOUT: Final = Path(__file__).parents[1]
ROOMS: Final = ("companion", "vision", "hardware")
HEAVY: Final = {
    "cv2": "0.2 s here, seconds on a Pi Zero",
    "numpy": "0.1 s, and most of what cv2 and PIL are given",
    "PIL": "0.05 s; nothing but what draws needs it",
    "fpdf": "0.4 s, for deck print alone",
    "fontTools": "0.05 s, for our own cards alone",
    "rich": "0.05 s, for tables and bars in the terminal alone",
    "gpiozero": "0.1 s, and it looks for pins",
    "lgpio": "is there on a Raspberry Pi alone",
    "luma": "0.1 s, for one kind of screen",
    "smbus2": "is there on a Raspberry Pi alone",
    "picamera2": "is there on a Raspberry Pi alone",
    "libcamera": "is there on a Raspberry Pi alone",
    "starlette": "is there with the extra web alone, and 0.1 s",
    "uvicorn": "is there with the extra web alone, and 0.1 s",
}
"""What may be imported in a function, and why: it, and modules of ours that import it."""
LATE: Final = {
    ("companion.__main__", "companion.commands.cli"): "before it is imported Ctrl-C must be listened to",
}
"""What else a module imports in a function, and why."""

LINES: Final = 400
"""That a module may have."""
ENTRIES: Final = dict.fromkeys((*ROOMS, "tests", "systemd"), 16) | {"companion": 14, "vision": 14}
"""That a room may have; the folders in it may all have 16."""

GAMELESS: Final = (
    "companion/device", "companion/web", "companion/screen", "companion/record", "companion/virtual", "companion/texts",
    "companion/teaching", "companion/dice", "hardware", "vision",
)  # fmt: skip
"""Rooms in which no game has a name: another one needs no change there."""
WRITTEN: Final = {".py", ".js", ".css", ".html", ".svg", ".toml", ".json"}

When = Literal["first", "called", "typing"]


class Import(NamedTuple):
    """A module that another one imports, and when: as soon as it is imported itself, or not yet."""

    module: str
    when: When


def modules() -> dict[str, ast.Module]:
    paths = [path for room in ROOMS for path in (CHECKOUT / room).rglob("*.py")]
    return {name_of(path): ast.parse(path.read_text()) for path in paths}


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(CHECKOUT).with_suffix("").parts).removesuffix(".__init__")


def imports_in(node: ast.AST, when: When = "first") -> Iterator[tuple[ast.Import | ast.ImportFrom, When]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, when
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports_in(child, "called")
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from imports_in(child, "typing")
        else:
            yield from imports_in(child, when)


@cache
def imports() -> dict[str, list[Import]]:
    """What each module of ours imports."""
    ours = modules()

    def named(statement: ast.Import | ast.ImportFrom) -> list[str]:
        names = [alias.name for alias in statement.names]
        if isinstance(statement, ast.Import):
            return names
        paths = [f"{statement.module}.{name}" for name in names]
        return [path if path in ours else str(statement.module) for path in paths]

    return {
        name: [Import(module, when) for statement, when in imports_in(tree) for module in named(statement)]
        for name, tree in ours.items()
    }


def is_heavy(module: str) -> bool:
    """Whether importing it imports something heavy."""
    seen: set[str] = set()
    to_see = with_folders(module)
    while to_see:
        name = to_see.pop()
        if name in HEAVY:
            return True
        if name not in seen:
            seen.add(name)
            first = [other for other, when in imports().get(name, []) if when == "first"]
            to_see += [part for other in first for part in with_folders(other)]
    return False


def with_folders(module: str) -> list[str]:
    """A module and the folders around it, which are imported with it."""
    parts = module.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


@pytest.mark.parametrize("room", ENTRIES)
def test_no_folder_is_too_full_to_be_surveyed(room: str) -> None:
    entries: dict[Path, set[str]] = defaultdict(set)
    for path in kept_files(room):
        for entry in (path, *path.parents):
            entries[entry.parent].add(entry.name)
    most = {folder: ENTRIES.get(str(folder), 16) for folder in entries if folder.is_relative_to(room)}
    assert [f"{folder} has {len(entries[folder])}" for folder in most if len(entries[folder]) > most[folder]] == []


@pytest.mark.parametrize("room", ENTRIES)
def test_no_module_is_too_long_to_be_read_at_a_sitting(room: str) -> None:
    lines = {path: len((CHECKOUT / path).read_text().splitlines()) for path in kept_files(room) if path.suffix == ".py"}
    assert [f"{path} has {count}" for path, count in lines.items() if count > LINES] == []


def kept_files(room: str) -> list[Path]:
    """All files of a room but what only programs put there."""
    below = (path.relative_to(CHECKOUT) for path in (CHECKOUT / room).rglob("*") if path.is_file())
    return [path for path in below if not any(part.startswith((".", "__pycache__")) for part in path.parts)]


@pytest.mark.parametrize("room", GAMELESS)
def test_who_runs_games_names_none_of_them(room: str) -> None:
    names = re.compile("|".join(re.escape(name) for game in games() for name in (game.name, game.title)), re.IGNORECASE)
    texts = [path for path in kept_files(room) if path.suffix in WRITTEN]
    assert [str(path) for path in texts if names.search((CHECKOUT / path).read_text())] == []


@pytest.mark.parametrize("room", ROOMS)
def test_functions_import_only_what_is_heavy(room: str) -> None:
    light = [
        f"{name} imports {module}"
        for name, imported in imports().items()
        for module, when in imported
        if name.split(".")[0] == room and when == "called" and not is_heavy(module) and (name, module) not in LATE
    ]
    assert light == []


def test_no_import_closes_a_circle_not_even_a_hidden_one() -> None:
    graph = {name: {module for module, _ in imports()[name]} for name in imports()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))
