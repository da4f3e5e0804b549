"""Before a game: which one is played, by whom and by which rules, or gone on with.

The list is that of one game, at first the one that was begun last; where there are several PASS leads to the next.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.device.between_games.name_entry import NameEntry
from companion.games.events import Changed, Effect, Event, Fault, Kept, Leave, Opened, Pressed, Restored, Show, Spoken
from companion.games.game import Game, Offer
from companion.games.settings import MOST_NAMES, Change, Settings, player_names
from companion.screen.screen import Screen
from companion.texts.faults import FAULTS, fault_line
from companion.texts.language import LANGUAGES, Texts
from hardware.buttons import Button

if TYPE_CHECKING:
    from vision.deck_pictures import DeckPictures

_LEAVING: Final = ("dice", "off")
_T = TypeVar("_T")
_log = logging.getLogger(__name__)


class _Entry(NamedTuple):
    """A line of the list: its name, what it says, and what choosing it brings."""

    name: str
    title: str
    choose: Callable[[], list[Effect]]


class Lobby:
    """Asks what is to be done; is left for ``begin`` (``chosen`` says which game), or for what a line of it says.

    That is ``resume``, ``deck``, ``aim``, ``teach``, ``page``, ``dice`` or ``off``.
    """

    expected_faces: Collection[str] = ()

    def __init__(
        self,
        settings: Settings,
        games: Sequence[Game],
        deck: DeckPictures | None = None,
        *,
        can_resume: bool = False,
        can_aim: bool = False,
        can_teach: bool = False,
        has_page: bool = False,
        has_own_deck: bool = False,
        trouble: str = "",
    ) -> None:
        """``deck`` is another one than the games' own; ``can_resume``: a game has not been finished.

        ``can_aim``: there is a camera that can be aimed; ``can_teach``: it is one that a deck can be taught with;
        ``has_page``: phones at home reach the page; ``has_own_deck``: people have taught one.
        ``trouble`` says what has gone wrong before, as the name of a fault; it is shown until a button is pressed.
        """
        self.settings = settings
        self.chosen: Offer | None = None
        self._games, self._deck = games, deck
        self._can_resume, self._can_aim, self._can_teach = can_resume, can_aim, can_teach
        self._has_page, self._has_own_deck = has_page, has_own_deck
        self._trouble = trouble
        self._playable = self._with_offers()
        self._game = self._last_begun()
        self._seat: int | None = None
        """The chosen one in the list of names, while it is open."""
        self._spelled: NameEntry | None = None
        self._faults: dict[str, str] = {}
        self._entries = self._listed()
        self._at = self._likeliest()
        self._shown: Screen | None = None

    @property
    def held_buttons(self) -> Collection[Button]:
        """The buttons that mean something else when they are held, if only together."""
        return {Button.PASS, Button.BACK} if self._spelled is None else self._spelled.held_buttons

    def handle(self, event: Event) -> list[Effect]:
        """What is to be done about an event; time alone changes nothing here."""
        effects: list[Effect] = []
        match event:
            case Pressed(button=button, held=held):
                effects = self._pressed(button, held=held)
            case Fault(device=device, message=message) if device in FAULTS:
                self._faults[device] = message
            case Restored(device=device):
                self._faults.pop(device, None)
            case Opened(line=line):
                entry = self._found(line)
                effects = [] if entry is None else entry.choose()
            case Spoken(language=language):
                self._use(replace(self.settings, language=language))
            case Changed(change=change):
                effects = self._changed(change)
            case _ if self._shown is not None:
                return []
        if self.screen() != self._shown:
            self._shown = self.screen()
            effects.append(Show(self._shown))
        return effects

    def facts(self) -> Mapping[str, object]:
        """Nothing but where we are."""
        return {"room": "lobby"}

    def _pressed(self, button: Button, *, held: bool) -> list[Effect]:
        if self._trouble:
            self._trouble = ""
        elif self._spelled is not None:
            if self._spelled.press(button, held=held):
                return self._named(self._spelled)
        elif self._seat is not None:
            self._in_names(self._seat, button)
        elif button in {Button.UP, Button.DOWN}:
            self._at = (self._at + _step(button)) % len(self._entries)
        elif button is Button.ROLL:
            return self._entries[self._at].choose()
        elif button is Button.PASS:
            self._turn_to_the_next_game()
        return []

    def _with_offers(self) -> Sequence[Game]:
        """The games of which there is something to be played; all where that is none."""
        return [game for game in self._games if [*of_all([game], self._offers)]] or self._games

    def _last_begun(self) -> Game | None:
        """The game that people have begun last, else the first one; None where there is none."""
        by_name = {game.name: game for game in self._playable}
        begun = [by_name[name] for name, _ in self.settings.begun if name in by_name]
        return next(iter((*begun, *self._playable)), None)

    def _turn_to_the_next_game(self) -> None:
        at = self._playable.index(self._game) if self._game in self._playable else -1
        if self._playable:
            self._game = self._playable[(at + 1) % len(self._playable)]
            self._entries = self._listed()
            self._at = self._likeliest()

    def _likeliest(self) -> int:
        """The line that is chosen at first: what was left goes on, or what was begun last is begun again."""
        kind = "" if self._game is None else dict(self.settings.begun).get(self._game.name, "")
        return next((self.entries.index(name) for name in ("resume", kind) if name in self.entries), 0)

    def _found(self, line: str) -> _Entry | None:
        """The line of this name, of whichever game."""
        lines = (entry for listed in (self._entries, *map(self._listed_of, self._games)) for entry in listed)
        return next((entry for entry in lines if entry.name == line), None)

    def _listed(self) -> list[_Entry]:
        return self._listed_of(self._game)

    def _listed_of(self, game: Game | None) -> list[_Entry]:
        """The list from its top: kinds of the game first, then what can be set, then the ways out."""
        say, now = Texts(self.settings.language), self.settings
        large = say("device.set-large", value=say("device.yes" if now.large else "device.no"))
        language = say("device.set-language", language=say("device.this-language"))
        cards = say("lobby.cards-own" if now.own_deck else "lobby.cards-usual")
        games = [] if game is None else [game]
        can_resume = self._can_resume and game is self._last_begun()
        has_cards = game is not None and bool(game.deck_sizes)
        return [
            *([_Entry("resume", say("lobby.resume"), self._leaves("resume"))] if can_resume else []),
            *of_all(games, self._offers),
            _Entry("names", say("lobby.names"), self._open_names),
            *of_all(games, self._options),
            *([_Entry("deck", cards, self._changes_deck)] if self._has_own_deck and has_cards else []),
            *([_Entry("aim", say("lobby.aim"), self._leaves("aim"))] if self._can_aim else []),
            *([_Entry("teach", say("lobby.teach"), self._leaves("teach"))] if self._can_teach and has_cards else []),
            *([_Entry("page", say("lobby.page"), self._leaves("page"))] if self._has_page else []),
            _Entry("large", large, self._sets(replace(now, large=not now.large))),
            _Entry("language", language, self._sets(replace(now, language=_after(LANGUAGES, now.language)))),
            *(_Entry(to, say(f"device.leave-{to}"), self._leaves(to)) for to in _LEAVING),
        ]

    def _offers(self, game: Game) -> list[_Entry]:
        offers = game.offers(self.settings, self._deck)
        return [_Entry(offer.kind, offer.title, self._begins(offer)) for offer in offers]

    def _options(self, game: Game) -> list[_Entry]:
        options = game.options(self.settings, self._deck)
        return [
            _Entry(f"{game.name}-{number}", option.title, self._sets(option.settings))
            for number, option in enumerate(options, 1)
        ]

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of what is in the list, from its top."""
        return tuple(entry.name for entry in self._entries)

    def _begins(self, offer: Offer) -> Callable[[], list[Effect]]:
        def begin() -> list[Effect]:
            self.chosen = offer
            return [Leave("begin")]

        return begin

    def _sets(self, settings: Settings) -> Callable[[], list[Effect]]:
        """A setting is changed; the list stays at its line, wherever that is then."""

        def change() -> list[Effect]:
            # From the end: a setting may add or remove games, which stand above it.
            from_end = len(self._entries) - self._at
            self._use(settings)
            self._at = len(self._entries) - from_end
            return [Kept(settings)]

        return change

    def _changed(self, change: Change) -> list[Effect]:
        from_end = len(self._entries) - self._at
        self._use(change.of(self.settings))
        self._at = max(len(self._entries) - from_end, 0)
        self._shown = None
        kept = Kept(self.settings)
        return [kept, Leave("deck")] if change.name == "own_deck" else [kept]

    def _changes_deck(self) -> list[Effect]:
        """Other cards bring other games: the list is made anew with them."""
        return [Kept(replace(self.settings, own_deck=not self.settings.own_deck)), Leave("deck")]

    def _use(self, settings: Settings) -> None:
        self.settings = settings
        self._playable = self._with_offers()
        self._entries = self._listed()

    @staticmethod
    def _leaves(to: str) -> Callable[[], list[Effect]]:
        return lambda: [Leave(to)]

    def _open_names(self) -> list[Effect]:
        self._seat = 0
        return []

    def _in_names(self, seat: int, button: Button) -> None:
        if button in {Button.UP, Button.DOWN}:
            self._seat = (seat + _step(button)) % MOST_NAMES
        elif button is Button.ROLL:
            self._spelled = NameEntry(seat + 1, self.settings.seats[seat])
        else:
            self._seat = None

    def _named(self, spelled: NameEntry) -> list[Effect]:
        names = list(self.settings.seats)
        names[spelled.number - 1] = spelled.name
        self._use(replace(self.settings, names=tuple(names)))
        self._spelled = None
        self._seat = spelled.number % MOST_NAMES
        return [Kept(self.settings)]

    def screen(self) -> Screen:
        """The list, or what else is to be seen."""
        say = Texts(self.settings.language)
        if self._trouble:
            keys = (say("device.key-ok"), "", "", "", "")
            lines = (say(f"device.fault-{self._trouble}-help"),)
            return Screen(main=say(f"device.fault-{self._trouble}"), lines=lines, keys=keys, alert=True)
        if self._spelled is not None:
            return self._spelled.screen(say)
        if self._seat is not None:
            keys = (say("device.key-ok"), "", "▲", "▼", say("device.key-back"))
            choices = player_names(self.settings, MOST_NAMES)
            return Screen(heading=say("lobby.names"), choices=choices, chosen=self._seat, keys=keys)
        other = say("lobby.key-game") if len(self._playable) > 1 else ""
        keys = (say("device.key-ok"), other, "▲", "▼", "")
        choices = tuple(entry.title for entry in self._entries)
        faults = [fault_line(say, device, told) for device, told in sorted(self._faults.items())]
        heading = "" if self._game is None else self._game.title
        return Screen(heading=heading, lines=tuple(faults[:1]), choices=choices, chosen=self._at, keys=keys)


def of_all(games: Sequence[Game], ask: Callable[[Game], Sequence[_T]]) -> Iterator[_T]:
    """What each game answers; one that makes a mistake is left out, so that the others can be played."""
    for game in games:
        try:
            yield from ask(game)
        except Exception:  # noqa: BLE001 - whatever it is
            _log.exception("%s is left out: the program has made a mistake", game.title)


def _step(button: Button) -> int:
    return 1 if button is Button.DOWN else -1


def _after(values: Sequence[str], value: str) -> str:
    return values[(values.index(value) + 1) % len(values)]
