"""The message files as tests see them, and the code that asks for their sentences."""

import re
import string
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

COMPANION: Final = Path(__file__).parents[3] / "companion"
ROOMS: Final = sorted(str(file.parents[1].relative_to(COMPANION)) for file in COMPANION.rglob("messages/en.toml"))
"""The folders that have messages of their own, as ``games/loknroll``."""
ENGLISH_IS_CODE: Final = {"errors", "steps"}
"""Sections whose English stands in the rules themselves."""


@cache
def message_file(room: str, language: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((COMPANION / room / f"messages/{language}.toml").read_text("utf-8"))


def sentences(room: str, language: str, *sections: str) -> dict[str, str]:
    """The sentences of some sections by their keys, as ``turn.lays``; of all but ENGLISH_IS_CODE if none is named."""
    table = message_file(room, language)
    named = sections or [section for section in table if section not in ENGLISH_IS_CODE]
    return {f"{section}.{name}": sentence for section in named for name, sentence in table[section].items()}


def details(sentence: str) -> set[str]:
    """The names of what is filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def source_of(*places: str) -> str:
    """All that stands in some modules, and in those of some rooms."""
    paths = [path for place in places for path in (COMPANION / place, *(COMPANION / place).rglob("*.py"))]
    return "".join(path.read_text() for path in paths if path.is_file())


def unused(section: str, keys: dict[str, str], source: str) -> list[str]:
    """Those keys of a section that no string of the code is, nor could become, as ``f"mode-{mode}"``."""
    named = set(re.findall(rf'["\'](?:{section}\.)?([a-z0-9-]+)["\']', source))
    families = tuple(re.findall(rf'f["\'](?:{section}\.)?([a-z-]+-)\{{', source))
    names = {re.sub("-(one|none)$", "", key.removeprefix(f"{section}.")) for key in keys}
    return sorted(name for name in names if name not in named and not name.startswith(families))
