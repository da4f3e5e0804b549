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
    """A setting gets a value; ``at`` is the seat of a name."""

    name: Annotated[str, msgspec.Meta(max_length=20)]
    value: bool | Annotated[str, msgspec.Meta(max_length=60)]
    at: Annotated[int, msgspec.Meta(ge=0, lt=MOST_NAMES)] = 0


class _Chosen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a game's own settings is chosen, as it was read on the page."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    option: Annotated[str, msgspec.Meta(max_length=200)]


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
        wanted = await read_body(request, _Wanted | _Chosen)  # type: ignore[arg-type]
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

    async def _change(self, wanted: _Wanted | _Chosen, language: str) -> Change | None:
        if isinstance(wanted, _Chosen):
            return await asyncio.to_thread(self._chosen, wanted, language)
        name, value = wanted.name, wanted.value
        if name in _SWITCHES:
            return Change(name, value) if isinstance(value, bool) else None
        if not isinstance(value, str):
            return None
        if name == "language":
            return Change(name, value) if value in LANGUAGES else None
        value = " ".join(value.split())
        if name == "names":
            return Change(name, value, wanted.at) if value.isprintable() and len(value) <= LONGEST_NAME else None
        return Change(name, value) if name in _WORDS and can_be_words(value) else None

    def _chosen(self, wanted: _Chosen, language: str) -> Change | None:
        """Of a game's part only what the option changes; None where the page has shown what is no longer so."""
        now = self._session.settings.games.get(wanted.game, {})
        for game, options in self._session.options(language):
            for option in options:
                if (game.name, option.title) == (wanted.game, wanted.option):
                    then: Mapping[str, Any] = option.settings.games.get(game.name, {})
                    changed = {name: value for name, value in then.items() if name not in now or now[name] != value}
                    return Change("games", changed, game.name)
        return None
