"""The seam between the companion and a game: all that the one knows of the other.

The companion runs devices, the list of games, settings and the virtual table; it feeds a ``Play`` with events and does
what its effects say. A game is a folder beside this file whose ``game.py`` has a ``GAME``; ``registry`` lists them.
What a game says of its records stands in ``recorded_game``: that comes first, and is enough for past games.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.dice.box import Source
from companion.games.events import Effect, Event
from companion.games.recorded_game import Keep, RecordedGame
from companion.games.settings import Settings
from companion.record.file import Recording
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.watching.table_reading import TableReading

if TYPE_CHECKING:
    from companion.virtual.hands import Hands
    from companion.virtual.world import World
    from hardware.camera import Picture
    from vision.cards import Deck, Pose
    from vision.deck_pictures import DeckPictures
    from vision.watching.steady_view import Still


class Handler(Protocol):
    """What a loop feeds: a play, the lobby, the dice table."""

    @property
    def settings(self) -> Settings:
        """The people's settings."""

    @property
    def expected_faces(self) -> Collection[str]:
        """The faces that may be laid or shown now, or what else the game's eyes understand: it helps them."""

    @property
    def held_buttons(self) -> Collection[Button]:
        """The buttons that mean something else when they are held."""

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event."""

    def facts(self) -> Mapping[str, object]:
        """How it stands, for pages and programs: plain data. Where it is no game ``room`` says what it is."""


class Eyes(Protocol):
    """What reads the table of a game."""

    def look(self, picture: Picture, expected: Collection[str], still: Still) -> TableReading:
        """What lies there after this picture (h × w × 3, B, G, R); ``expected`` is what the play expects.

        That are the faces the rules allow, or what else a game of other things tells its own eyes.
        ``still`` takes a larger picture of the same view, if the camera can: it is asked where a face is not clear.
        """

    def forget(self) -> None:
        """Another table comes: nothing of what was seen counts any more."""

    def drawn(self) -> Picture | None:
        """The last picture with what was read drawn in it; None before the first one."""


class Seats(NamedTuple):
    """Who plays: the names of all players, and how many of them, the first ones, are people."""

    names: tuple[str, ...]
    persons: int


class Clause(NamedTuple):
    """A clause of the rules: its id, as errors and records name it, and what it says in a sentence or two."""

    id: str
    text: str


class Chapter(NamedTuple):
    """Clauses of the rules under a heading."""

    title: str
    clauses: Sequence[Clause]


class TableCard(NamedTuple):
    """A card on the table that people may say is another one.

    ``card`` is its number, to be handed back and to tell it from others as long as it lies there; ``face`` the id of
    what it is taken for. ``place`` is its index in the play's row of cards, from the rear, None where it is no part
    of that. ``pose`` is where it lies in the axes of the game, None where nobody knows.
    """

    card: int
    face: str
    place: int | None = None
    pose: Pose | None = None


class Present(NamedTuple):
    """What is so now and need not be so after a restart.

    ``moment`` names how the game stands, to be handed back with ``TakenBack``. ``forbidden`` is the id of the clause
    that forbade what was tried last; "" once something has been accepted since. ``cards`` are those that ``Corrected``
    may name. ``tools`` are those with which the table may be ``Touched``, by their names for ``drawing`` and
    ``called``; they work on square cells of ``cell_mm``, one corner of which is where both axes begin. All that the
    facts tell lies on the table turned clockwise by ``turn_deg`` about the middle of the first cell, as it is shown. A
    ``NetworkMap`` on the screen of the play is drawn in these cells, too: the page points out what the map does.
    """

    moment: str
    forbidden: str = ""
    cards: Sequence[TableCard] = ()
    tools: Sequence[str] = ()
    cell_mm: float = 0.0
    turn_deg: float = 0.0


class Play(Handler, Protocol):
    """A game that is on the disk: what it accepts is in its record before its effects are given back.

    One that has to be set up first need not have its record before ``is_set_up``: until then all is on the table, and
    what people tell beside that in its draft (``companion.record.draft``).
    """

    @property
    def is_over(self) -> bool:
        """Whether it has come to its end."""

    @property
    def game(self) -> str:
        """The game's name."""

    @property
    def kind(self) -> str:
        """What of the game is played, as its offer named it."""

    @property
    def seats(self) -> Seats:
        """Who plays."""

    @property
    def deck(self) -> Deck:
        """The cards that it is played with."""

    @property
    def is_set_up(self) -> bool:
        """Whether the first turn has begun."""

    def facts(self) -> Mapping[str, object]:
        """How it stands, for pages and programs: plain data, the same after a restart.

        ``cards`` and ``figures`` say what lies in the middle, as the table of a ``Moment``. What of them the play draws
        itself has a ``size`` as well, in mm; what is ``marked`` is spoken of.
        """

    def drawing(self, name: str) -> str:
        """A face or a figure with a ``size``, or a tool, as an SVG; "" for any other name. Asked in any thread."""

    def called(self, language: str) -> Mapping[str, str]:
        """What people call the faces and figures with a ``size``, and tools, by their names; asked in any thread."""

    def present(self) -> Present:
        """What a page needs beside the facts; asked in the thread that feeds the play."""

    def corrections(self, card: int) -> Sequence[str]:
        """As which faces a card of ``present`` may be corrected, the likeliest first; asked in that thread too."""

    def rules(self, language: str) -> Sequence[Chapter]:
        """The rules that it is played by, without what cannot come up in it; may be asked in any thread."""

    def close(self) -> None:
        """Lets go of the record."""


class Offer(NamedTuple):
    """A line of the lobby: what can be played. ``kind`` is the game's own word for it."""

    game: str
    kind: str
    title: str


class Standing(NamedTuple):
    """How a recorded game stands: what of the game it is, as its offer named it, and whether it is over."""

    kind: str
    is_over: bool


class Option(NamedTuple):
    """A line of a game's own settings: what it says, and the settings once it has been chosen."""

    title: str
    settings: Settings


class Pace(NamedTuple):
    """How fast a robot plays: seconds between two things done, and after a roll before it moves on."""

    pause_seconds: float = 0.0
    watching_seconds: float = 0.0


class RobotError(Exception):
    """The robot cannot go on; the message says at what."""


class Robot(Protocol):
    """Plays by itself at a virtual table, for everybody."""

    def act(self, now: float) -> None:
        """Does the next thing at a time in seconds, if there is one; raises RobotError."""

    def hand_in_words(self) -> Sequence[str]:
        """The cards of the person who is to play, as the game calls them."""

    def lay(self, number: int) -> bool:
        """Lays, or shows, a card of that hand (from 0) because the person wants so; says whether it can be."""


class Game(RecordedGame, Protocol):
    """A game that can be played. Nothing of it needs a device, a clock or chance of its own."""

    # At a real table

    def offers(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Offer]:
        """The lines of the lobby, below the game's title, with this deck or else the game's own."""

    def rules(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Chapter]:
        """The rules of the next game in the language of the settings, whatever its kind."""

    def options(self, settings: Settings, deck: DeckPictures | None) -> Sequence[Option]:
        """Its own lines of the settings before a game."""

    @property
    def deck_sizes(self) -> Collection[int]:
        """With a deck of so many cards it can be played."""

    def pictures(self, settings: Settings, played: Deck | None = None) -> DeckPictures:
        """Its own deck, drawn: slow at first; of the next game, or of the one that is ``played`` with this deck."""

    def eyes(self, pictures: DeckPictures) -> Eyes:
        """What reads a table with this deck: slow, it gets to know the faces."""

    def begin(self, kind: str, keep: Keep, settings: Settings, deck: DeckPictures | None, source: Source) -> Play:
        """A new game of an offer's kind; raises RecordError, and ValueError for a kind that is none."""

    def resume(self, keep: Keep, settings: Settings, source: Source) -> Play:
        """The game where its record ends, or as its draft tells it; raises RecordError."""

    def standing(self, path: Path, recording: Recording) -> Standing:
        """How the game of a record stands, without going on with it; raises RecordError."""

    def gallery(self, language: str) -> Iterator[tuple[str, Screen]]:
        """Every screen that people can meet, with a name."""

    # At a virtual table

    def lay_out(self, play: Play, world: World, seed: int) -> None:
        """Puts the things of a game into an empty world as the game stands."""

    def deal(self, play: Play, world: World) -> None:
        """Deals what the rules deal now; raises HandsError."""

    def robot(self, play: Play, hands: Hands, seed: int, press: Callable[[Button], None] | None, pace: Pace) -> Robot:
        """Who plays it by itself with these hands; without ``press`` the buttons are left to the person."""
