"""The settings that people have changed, kept over a restart."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.games.settings import Settings, decode_settings
from companion.record.whole_file import write_whole
from companion.texts.language import LANGUAGES, preferred_language


class SettingsFile:
    """Settings in a file: the old ones or the new ones, never a part."""

    def __init__(self, path: Path) -> None:
        """Damaged settings, or none, are the usual ones in the machine's language: nobody can be asked before."""
        self.path = path
        try:
            kept = decode_settings(path.read_bytes())
        except (OSError, msgspec.DecodeError):
            kept = Settings(language="")
        self.settings = kept if kept.language in LANGUAGES else replace(kept, language=preferred_language())

    def keep(self, settings: Settings) -> None:
        """Keeps these; on a full disk they last until the power is cut."""
        self.settings = settings
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, msgspec.json.encode(settings))
