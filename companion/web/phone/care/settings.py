"""The settings on the page: each is changed alone, in the thread that plays, as with the buttons."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from companion.games.settings import LONGEST_NAME, MOST_NAMES, Change
from companion.record.occasion import LONGEST_WORDS, can_be_words
from companion.texts.language import LANGUAGES
from companion.web.phone.care.uploads import language_of, refused
from companion.web.phone.door import as_json, not_understood, read_body

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.device.session import Session

_PATIENCE_SECONDS: Final = 5.0
_POLL_SECONDS: Final = 0.02
_SWITCHES: Final = ("large", "sounds", "own_deck")
_WORDS: Final = ("place", "round", "table")


class _Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A setting gets a value; ``at`` is the seat of a name.

    Of ``games`` a line of a game's own settings is chosen: its title as it was read on the page, ``at`` the game.
    """

    name: Annotated[str, msgspec.Meta(max_length=20)]
    value: bool | Annotated[str, msgspec.Meta(max_length=200)]
    at: Annotated[int, msgspec.Meta(ge=0, lt=MOST_NAMES)] | Annotated[str, msgspec.Meta(max_length=40)] = 0


class SettingsOnPage:
    """Tells and changes the settings."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def tell(self, request: Request) -> Response:
        """All of them, and what each game has to be set."""
        now, own = self._session.settings, self._session.own_deck
        options = await asyncio.to_thread(self._session.options, language_of(request))
        return as_json(
            {
                "language": now.language,
                "large": now.large,
                "sounds": now.sounds,
                "own_deck": now.own_deck if own is not None and own.pictures is not None else None,
                "names": now.seats,
                **now.occasion.fields(),
                "longest": {"name": LONGEST_NAME, "words": LONGEST_WORDS},
                "games": [
                    {"game": game.name, "title": game.title, "options": [option.title for option in lines]}
                    for game, lines in options
                ],
            }
        )

    async def change(self, request: Request) -> Response:
        """One of them; answers once it counts."""
        wanted = await read_body(request, _Wanted)
        change = None if wanted is None else await self._change(wanted, language_of(request))
        if change is None:
            return not_understood()
        self._session.change(change)
        end = time.monotonic() + _PATIENCE_SECONDS
        while (now := self._session.settings) != change.of(now):
            if time.monotonic() > end:
                return refused(language_of(request), "later")
            await asyncio.sleep(_POLL_SECONDS)
        return await self.tell(request)

    async def _change(self, wanted: _Wanted, language: str) -> Change | None:
        name, value, at = wanted.name, wanted.value, wanted.at
        if isinstance(value, bool):
            return Change(name, value) if name in _SWITCHES else None
        if name == "games":
            return await asyncio.to_thread(self._chosen, str(at), value, language)
        if name == "language":
            return Change(name, value) if value in LANGUAGES else None
        words = " ".join(value.split())
        if name == "names":
            is_name = isinstance(at, int) and words.isprintable() and len(words) <= LONGEST_NAME
            return Change(name, words, at) if is_name else None
        return Change(name, words) if name in _WORDS and can_be_words(words) else None

    def _chosen(self, wanted: str, title: str, language: str) -> Change | None:
        """Of a game's part only what the option changes; None where the page has shown what is no longer so."""
        now = self._session.settings.games.get(wanted, {})
        for game, options in self._session.options(language):
            for option in options:
                if (game.name, option.title) == (wanted, title):
                    then: Mapping[str, Any] = option.settings.games.get(wanted, {})
                    changed = {name: value for name, value in then.items() if name not in now or now[name] != value}
                    return Change("games", changed, wanted)
        return None
