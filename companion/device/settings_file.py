"""The settings that people have changed, kept over a restart."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.games.settings import Settings, decode_settings
from companion.record.whole_file import put_aside, read_whole, write_whole
from companion.texts.language import LANGUAGES, preferred_language


class SettingsFile:
    """Settings in a file: the old ones or the new ones, never a part."""

    def __init__(self, path: Path) -> None:
        """Damaged settings, or none, are the usual ones in the machine's language: nobody can be asked before.

        The damaged ones are put aside under another name.
        """
        self.path = path
        self.were_damaged = False
        try:
            kept = decode_settings(read_whole(path))
        except FileNotFoundError:
            kept = Settings(language="")
        except (OSError, msgspec.DecodeError):
            kept = Settings(language="")
            self.were_damaged = True
            with contextlib.suppress(OSError):
                put_aside(path)
        self.settings = kept if kept.language in LANGUAGES else replace(kept, language=preferred_language())

    def keep(self, settings: Settings) -> None:
        """Keeps these; on a full disk they last until the power is cut."""
        self.settings = settings
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, msgspec.json.encode(settings))
