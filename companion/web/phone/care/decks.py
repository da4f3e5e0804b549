"""Saves and loads the deck that people have taught."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from starlette.responses import FileResponse, Response

from companion.games.settings import Change
from companion.texts.harmless import shortened
from companion.web.phone.care.uploads import UploadError, language_of, refused
from companion.web.phone.door import as_json
from vision.cards import DeckError
from vision.files import LARGEST_ARCHIVE_BYTES

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.device.session import Session
    from companion.teaching.own_deck import OwnDeck
    from companion.web.phone.care.uploads import Uploads

_BETWEEN_GAMES: Final = ("lobby", "dice")
"""Rooms of what runs, as its facts call them."""
_log = logging.getLogger(__name__)


class Decks:
    """The people's own deck."""

    def __init__(self, session: Session, uploads: Uploads) -> None:
        self._session, self._uploads = session, uploads

    async def tell(self, _: Request) -> Response:
        """How many cards it has, 0 where there is none; and whether one can be taken."""
        own = self._session.own_deck
        pictures = None if own is None else own.pictures
        return as_json(
            {
                "cards": 0 if pictures is None else pictures.deck.size,
                "takes": own is not None,
                "most": min(LARGEST_ARCHIVE_BYTES, self._uploads.free_bytes),
            }
        )

    async def save(self, request: Request) -> Response:
        """The file as it lies there."""
        own = self._session.own_deck
        if own is None or own.pictures is None or not own.path.is_file():
            return refused(language_of(request), "no-deck")
        return FileResponse(own.path, media_type="application/zip", filename="deck.zip")

    async def load(self, request: Request) -> Response:
        """A deck becomes the own one; new games are played with it."""
        language = language_of(request)
        try:
            self._check()
            async with self._uploads.received(request, LARGEST_ARCHIVE_BYTES) as file:
                # Somebody may have begun a game meanwhile.
                own = self._check()
                sizes = {size for game, _ in self._session.options(language) for size in game.deck_sizes}
                await asyncio.to_thread(own.take, file, sizes)
        except UploadError as error:
            return refused(language, error.reason)
        except DeckError as error:
            _log.warning("no deck is taken: %s", shortened(error))
            return refused(language, "deck")
        except OSError:
            return refused(language, "kept")
        self._session.change(Change("own_deck", value=True))
        return await self.tell(request)

    def _check(self) -> OwnDeck:
        """The deck that may become another one; raises UploadError.

        While a game is played or a deck is taught it may not: both know the one that is there.
        """
        own, handler = self._session.own_deck, self._session.handler
        if own is None:
            raise UploadError("deck-given")
        if self._session.play is not None or handler is None or handler.facts().get("room") not in _BETWEEN_GAMES:
            raise UploadError("played")
        return own
