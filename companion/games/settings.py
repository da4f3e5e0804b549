"""What people set for themselves; kept from game to game."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from companion.record.occasion import Occasion, can_be_words
from companion.texts.language import LANGUAGES, Texts

MOST_NAMES: Final = 4
LONGEST_NAME: Final = 40
"""Longer ones cannot be shown; with the buttons they are shorter still."""
_BEFORE_GAMES: Final = ""
"""Under this name stands what was kept before each game had a part of its own: any of them may be meant."""

OwnSettings = TypeVar("OwnSettings", bound=msgspec.Struct)


class Settings(msgspec.Struct, frozen=True):
    """The settings of a companion.

    ``has_camera``: there is a camera to wait for; without one every step is entered with the buttons. ``names``: of
    the players in the order of their seats, "" for one that has only a number. ``own_deck``: played with are
    the people's own cards, once they have been taught. ``place``, ``round`` and ``table`` are people's words for where
    they play: the records tell them. ``games`` is the part of each game by its name, as plain data: ``part`` reads it.
    ``begun`` are the games that were begun, the last one first, each once: its name, and the last kind of it.
    """

    language: str = "en"
    large: bool = False
    sounds: bool = True
    has_camera: bool = True
    names: tuple[str, ...] = ()
    own_deck: bool = True
    place: str = ""
    round: str = ""
    table: str = ""
    games: dict[str, dict[str, Any]] = {}
    begun: tuple[tuple[str, str], ...] = ()

    def with_begun(self, game: str, kind: str) -> Settings:
        """The same settings once this kind of a game has been begun."""
        return replace(self, begun=((game, kind), *(each for each in self.begun if each[0] != game)))

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of MOST_NAMES players, "" for those that have only numbers."""
        return (*self.names, *[""] * MOST_NAMES)[:MOST_NAMES]

    @property
    def occasion(self) -> Occasion:
        """Where games are played, as their records tell it."""
        return Occasion(place=self.place, round=self.round, table=self.table)

    def part(self, game: str, kind: type[OwnSettings]) -> OwnSettings:
        """A game's own settings; the usual ones where they cannot be read as that kind."""
        told = {**self.games.get(_BEFORE_GAMES, {}), **self.games.get(game, {})}
        try:
            return msgspec.convert(told, kind)
        except msgspec.ValidationError:
            return kind()

    def with_part(self, game: str, part: msgspec.Struct) -> Settings:
        """The same settings with another part of a game."""
        return replace(self, games={**self.games, game: msgspec.to_builtins(part)})


class Change(msgspec.Struct, frozen=True):
    """One of the settings gets another value, and all others stay as they are: several people may set them at once.

    ``name`` is its name. ``at``: of ``names`` the seat from 0, of ``games`` the game's name; then ``value`` are the
    fields of its part that change.
    """

    name: str
    value: Any
    at: int | str = ""

    def of(self, settings: Settings) -> Settings:
        """These settings once it is made."""
        if self.name == "names":
            names = list(settings.seats)
            names[int(self.at)] = self.value
            return replace(settings, names=tuple(names))
        if self.name == "games":
            game = str(self.at)
            part = {**settings.games.get(game, {}), **self.value}
            return replace(settings, games={**settings.games, game: part})
        return replace(settings, **{self.name: self.value})


def decode_settings(text: bytes) -> Settings:
    """Settings from JSON; raises msgspec.DecodeError. What no setting of the host is called belongs to a game."""
    try:
        told = msgspec.json.decode(text, type=dict[str, Any])
        own = {name: told.pop(name) for name in Settings.__struct_fields__ if name in told}
        settings = msgspec.convert(own, Settings)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from error
    if not all(name.isprintable() and len(name) <= LONGEST_NAME for name in settings.names):
        raise msgspec.ValidationError("a name is none that can be shown")
    if not all(can_be_words(words) for words in settings.occasion):
        raise msgspec.ValidationError("the place, the round or the table cannot be shown")
    return replace(settings, games={_BEFORE_GAMES: told, **settings.games}) if told else settings


def player_names(settings: Settings, count: int) -> tuple[str, ...]:
    """What the first players are called: as they want, or by their numbers."""
    say = Texts(settings.language)
    return tuple(name or say("device.player", number=seat + 1) for seat, name in enumerate(settings.seats[:count]))


def nameless() -> set[str]:
    """What a player is called who has no name, in every language."""
    return {name for language in LANGUAGES for name in player_names(Settings(language), MOST_NAMES)}
