"""What people read, in their language: sentences from message files."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

LANGUAGES: Final = ("en", "de", "es")
_DAYS: Final = {"en": "{0.day} {0:%B} {0.year}", "de": "{0.day}.{0.month}.{0.year}", "es": "{0.day}/{0.month}/{0.year}"}
"""How people write a day; the program never asks for another locale, so its months are English."""


class Texts:
    """The sentences of a language. Their keys are paths as ``turn.lays``."""

    def __init__(self, language: str, package: str = "companion.texts") -> None:
        """The package's message file of this language is read once; raises ValueError if it is none of LANGUAGES."""
        if language not in LANGUAGES:
            raise ValueError(f"there are no sentences in {language!r}, only in {', '.join(LANGUAGES)}")
        self.language = language
        self._table = _message_file(package, language)

    def __contains__(self, key: str) -> bool:
        """Whether there is a sentence under this key."""
        section, name = key.split(".")
        return name in self._table.get(section, {})

    def section(self, name: str) -> Mapping[str, str]:
        """All sentences of a section by their names, with nothing filled in."""
        section: Mapping[str, str] = self._table[name]
        return section

    def __call__(self, key: str, **details: object) -> str:
        """The sentence under this key with its details filled in; lists with commas, days as people write them."""
        section, name = key.split(".")
        return self._filled(self._table[section][name], details)

    def counted(self, key: str, **details: object) -> str:
        """The same, in the form for its ``count``: there may be others for 1 (``key-one``) and 0 (``key-none``)."""
        section, name = key.split(".")
        form = {0: f"{name}-none", 1: f"{name}-one"}.get(details.get("count"), name)  # type: ignore[call-overload]
        return self(f"{section}.{form if f'{section}.{form}' in self else name}", **details)

    def _filled(self, sentence: str, details: dict[str, Any]) -> str:
        return sentence.format(**{name: self._word(value) for name, value in details.items()})

    def _word(self, value: object) -> str:
        """What stands in a sentence for a detail."""
        if isinstance(value, date):
            return _DAYS[self.language].format(value)
        return ", ".join(map(self._word, value)) if isinstance(value, (tuple, list)) else str(value)


@cache
def _message_file(package: str, language: str) -> Mapping[str, Any]:
    """The sentences, name by name in their sections. All who tell them share them, so nobody can change them."""
    return _read_only(tomllib.loads((files(package) / "messages" / f"{language}.toml").read_text("utf-8")))


def _read_only(table: dict[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(
        {name: _read_only(entry) if isinstance(entry, dict) else entry for name, entry in table.items()}
    )


def preferred_language() -> str:
    """The language that the environment asks for, English where it is none of ours."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return value[:2] if value[:2] in LANGUAGES else "en"
    return "en"
