"""The companion from being switched on to being switched off: the list of games, games, the dice, and again.

The device, the page and the terminal run one and the same session; they differ in the devices that it is given.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from companion.device.appliance import Appliance
from companion.device.between_games.aiming import Aiming
from companion.device.between_games.dice_table import DiceTable
from companion.device.between_games.goodbye import goodbye, leave_on
from companion.device.between_games.lobby import Lobby, of_all
from companion.device.between_games.page_address import PageAddress
from companion.device.decks import Decks
from companion.device.last_game import LastGame, Order
from companion.device.threads.camera_watch import EyeOnDemand
from companion.device.visitors import Doorman
from companion.dice.box import SYSTEM, Source
from companion.games.events import Changed, Effect, Event, Leave, Show
from companion.games.game import Chapter, Eyes, Game, Handler, Offer, Option, Play
from companion.record.calendar_date import date_now
from companion.record.file import RecordError
from companion.record.occasion import Clock
from companion.record.whole_file import is_read_only
from companion.teaching.lesson import Lesson
from companion.texts.faults import trouble_of
from companion.texts.harmless import shortened
from companion.texts.language import Texts
from vision.cards import CARD_MM

if TYPE_CHECKING:
    from companion.device.settings_file import SettingsFile
    from companion.device.visitors import Visitors
    from companion.games.settings import Change, Settings
    from companion.teaching.own_deck import OwnDeck
    from hardware.camera import Picture
    from hardware.devices import Devices
    from vision.deck_pictures import DeckPictures

_AFTER_A_FAULT_SECONDS: Final = 1.0
"""So long the list of games is left alone where showing it went wrong, before it is shown again."""
_OWN_DECK: Final = "own"
"""The name of a deck that was taught here, in records."""
_log = logging.getLogger(__name__)


class Session:
    """What stays from game to game: devices, settings, the deck, and the folder of games.

    ``post``, ``is_behind``, ``change``, ``order``, ``stop`` and ``begin_anew`` may be called from any thread, all else
    from the one that runs.
    """

    def __init__(
        self,
        devices: Devices,
        kept: SettingsFile,
        folder: Path,
        games: Sequence[Game],
        deck: DeckPictures | None = None,
        *,
        counts: Callable[[], bool] = lambda: True,
        began: Callable[[Game, Play], None] | None = None,
        on_turn: Callable[[], None] | None = None,
        failed: Callable[[str], None] = lambda _: None,
        mirrors: Collection[Callable[[Effect], None]] = (),
        clock: Callable[[], float] = time.monotonic,
        date: Callable[[], str] = date_now,
        source: Source = SYSTEM,
        news: Collection[str] = (),
        teaches: Callable[[], None] | None = lambda: None,
        visitors: Visitors | None = None,
        page: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        """``deck`` is another one than the games' own and the people's, ``source`` the chance of dice and lots.

        ``counts`` is asked whether the result of the recorded game is anybody's. ``began`` is called before a play
        begins or goes on; ``on_turn`` once a turn of the loop, many times a second, whatever is shown; ``failed`` when
        what was played had to be left because something went wrong, with the name of the fault. ``mirrors`` are told
        every effect, as a page is. ``Loop`` says what these must not do. ``news`` are faults that were found before:
        they are told with the first screen. ``teaches`` is called before a deck is taught; None where none can be.
        ``visitors`` are asked for who knocks, on a page; ``page`` for the addresses where phones at home find it.
        """
        self.devices = devices
        self.handler: Handler | None = None
        """What runs now: the list of games, a game, the dice, aiming, or teaching."""
        self._visitors, self._page = visitors, page
        self._watchers = [] if on_turn is None else [on_turn]
        self._looks: Eyes | None = None
        self._game: Game | None = None
        self.play: Play | None = None
        """The game that is on the devices now; None between games."""
        self._kept, self._games = kept, games
        self._decks = Decks(kept, folder, deck)
        self._counts, self._began, self._failed = counts, began, failed
        self._mirrors, self._teaches = list(mirrors), teaches
        self._clock, self._source = clock, source
        self._last = LastGame(folder, Clock(clock, date), games)
        self._appliance: Appliance | None = None
        self._stops = threading.Event()
        self._ordered: Order | None = None
        self._changes: queue.SimpleQueue[Change] = queue.SimpleQueue()
        self.begins_anew = False
        """Whether it was ended so that whoever runs it begins another one, which reads everything again."""
        self.eye: EyeOnDemand | None = None
        """What reads the table of the game that is played, or was last; None without a camera."""
        self._eyes: dict[str, EyeOnDemand] = {}
        self._trouble = ""
        damaged = {"settings": kept.were_damaged, "deck": self._decks.own.was_damaged}
        self._news = [*news, *(fault for fault, is_damaged in damaged.items() if is_damaged)]

    def mirror(self, told: Callable[[Effect], None], turned: Callable[[], None]) -> None:
        """Once it runs ``told`` hears every effect too, and ``turned`` is called once a turn; called before ``run``."""
        self._mirrors.append(told)
        self._watchers.append(turned)

    def post(self, event: Event) -> None:
        """Something has happened, as a press on a page."""
        if self._appliance is not None:
            self._appliance.loop.post(event)

    @property
    def is_behind(self) -> bool:
        """Whether so much has happened that a page should post nothing more for now."""
        return self._appliance is not None and self._appliance.loop.is_behind

    def change(self, change: Change) -> None:
        """One of the settings gets another value, soon: by what runs, or by what runs next."""
        self._changes.put(change)

    def order(self, order: Order) -> None:
        """Leaves what runs, soon, and begins this game."""
        self._ordered = order

    def stop(self) -> None:
        """Ends what runs, soon. The game stands in its record."""
        self._stops.set()
        if self._appliance is not None:
            self._appliance.loop.wake()

    def begin_anew(self) -> None:
        """Ends what runs, soon: something was loaded that counts from the next start on."""
        self.begins_anew = True
        self.stop()

    @property
    def is_ordered(self) -> bool:
        """Whether a game is wanted that has not begun yet."""
        return self._ordered is not None

    @property
    def settings(self) -> Settings:
        """What people have set."""
        return self._kept.settings

    @property
    def record(self) -> Path:
        """The record of the game that is played, or was last."""
        return self._last.record

    def pictures(self, game: Game) -> DeckPictures:
        """The deck that a game is played with; slow at first."""
        return self._decks.pictures(game)

    def pictures_on_the_table(self) -> DeckPictures | None:
        """The deck of the game that is played, or was last; slow at first."""
        game = self._game
        return None if game is None else self.pictures(game)

    def drawn(self) -> Picture | None:
        """The last picture that was looked at, with what was seen drawn in it; None where there is none."""
        looks = self._looks
        return None if looks is None else looks.drawn()

    def rules(self, language: str) -> list[tuple[str, Sequence[Chapter]]]:
        """The rules of the game that is played, or else of each, with its title."""
        play = self.play
        if play is not None:
            return [(game.title, play.rules(language)) for game in self._games if game.name == play.game]
        settings = replace(self.settings, language=language)
        return list(of_all(self._games, lambda game: [(game.title, game.rules(settings, self._decks.wanted))]))

    def offers(self, language: str) -> list[Offer]:
        """What can be played, in a language."""
        # The page may speak another language than the device.
        settings = replace(self.settings, language=language)
        return list(of_all(self._games, lambda game: game.offers(settings, self._decks.wanted)))

    def options(self, language: str) -> list[tuple[Game, Sequence[Option]]]:
        """What each game has to be set before it begins, in a language."""
        settings = replace(self.settings, language=language)
        return list(of_all(self._games, lambda game: [(game, game.options(settings, self._decks.wanted))]))

    @property
    def own_deck(self) -> OwnDeck | None:
        """The people's own deck, taught or not yet; None where games are played with another one that was given."""
        return self._decks.own if self._decks.given is None else None

    def run(self) -> bool:
        """Runs until it is stopped, or switched off by the people, which it returns. A game that was left goes on.

        Nothing that goes wrong in a game ends it: it is logged and said, and the list of games comes again.
        """
        leave = self._guarded(self._first)
        while not self._stops.is_set() and (leave is None or leave.to != "off"):
            # Taken before it is begun: one that goes wrong is not tried again and again.
            order, self._ordered = self._ordered, None
            leave = self._guarded(self._lobby if order is None else partial(self._begun, order))
        is_off = leave is not None and leave.to == "off"
        last = goodbye(Texts(self.settings.language), "unplug" if is_off else "anew" if self.begins_anew else "stopped")
        # No loop runs any more that would tell them.
        for mirror in self._mirrors:
            mirror(Show(last))
        leave_on(self.devices.display, last)
        return is_off

    def left(self) -> Order | None:
        """The game that was left before its end, if there is one that can go on."""
        return self._last.left()

    def can_resume(self) -> bool:
        """Whether a game was left before its end."""
        return self.left() is not None

    def _first(self) -> Leave | None:
        try:
            left = None if self.is_ordered else self._last.checked_left()
        except (RecordError, OSError) as error:
            print(shortened(error), file=sys.stderr, flush=True)
            self._trouble = "left"
            if isinstance(error, RecordError) and error.is_of_content:
                self._last.put_aside()
            return None
        return None if left is None else self._resumed(left)

    def _guarded(self, runs: Callable[[], Leave | None]) -> Leave | None:
        try:
            return runs()
        except (RecordError, OSError) as error:
            print(shortened(error), file=sys.stderr, flush=True)
            self._trouble = trouble_of(error)
        except Exception:  # noqa: BLE001 - no mistake in a game may end the companion
            _log.exception("what was played is left: the program has made a mistake")
            # What goes wrong at once would go wrong again and again.
            self._stops.wait(_AFTER_A_FAULT_SECONDS)
            self._trouble = "program"
        self._failed(self._trouble)
        return None

    def _lobby(self) -> Leave | None:
        """The list of games, and what is chosen there."""
        if self._counts():
            self._last.keep_result()
        trouble, self._trouble = self._trouble, ""
        lobby = Lobby(
            self.settings,
            self._games,
            self._decks.wanted,
            can_resume=self.can_resume(),
            can_aim=self.devices.camera is not None,
            can_teach=self._can_teach(),
            has_page=self._page is not None,
            has_own_deck=self._decks.has_choice,
            trouble=trouble,
        )
        leave = self._on_devices(lobby, None)
        if leave is None or leave.to == "off":
            return leave
        if leave.to == "deck":
            return None
        others = {"dice": self._diced, "aim": self._aimed, "teach": self._taught, "page": self._page_found}
        if leave.to in others:
            return others[leave.to]()
        if lobby.chosen is None:
            return self._resumed(self.left())
        return self._begun(Order(lobby.chosen.game, lobby.chosen.kind))

    def _diced(self) -> Leave | None:
        """The dice box."""
        return self._on_devices(DiceTable(self.settings), None)

    def _page_found(self) -> Leave | None:
        """Where the page is found."""
        return self._on_devices(PageAddress(self.settings, self._page or tuple), None)

    def _aimed(self) -> Leave | None:
        """The camera is aimed and focused, in words."""
        from companion.doctor.aiming_eyes import AimingEyes

        wanted = self._decks.wanted
        eyes = AimingEyes(CARD_MM if wanted is None else wanted.deck.card_mm)
        return self._on_devices(Aiming(self.settings, eyes), eyes)

    def _can_teach(self) -> bool:
        """Whether a deck can be taught, and games are then played with it."""
        return self._teaches is not None and self.devices.camera is not None and self._decks.given is None

    def _taught(self) -> Leave | None:
        """A deck is taught, or a part of it; once it is whole, new games are played with it."""
        from companion.teaching.teaching import Teaching
        from companion.teaching.teaching_eyes import TeachingEyes

        if self._teaches is not None:
            self._teaches()
        # A small computer has no memory for what knows the old deck beside what gets to know another one.
        self._eyes.clear()
        self.eye = None
        lesson = Lesson(self._last.keep.books / "lesson")
        eyes = TeachingEyes(lesson, _OWN_DECK)
        sizes = {size for game in self._games for size in game.deck_sizes}
        leave = self._on_devices(Teaching(self.settings, lesson, eyes, sizes, self._decks.own.keep), eyes)
        if leave is not None and leave.to == "taught":
            self._kept.keep(replace(self.settings, own_deck=True))
        return leave

    def _begun(self, order: Order) -> Leave | None:
        """A new game; the record of the game before goes to the others. Raises RecordError and OSError."""
        if self._counts():
            self._last.keep_result()
        self._last.put_away()
        keep, deck = self._last.keep, self._decks.wanted
        return self._played(order, lambda game: game.begin(order.kind, keep, self._settings(), deck, self._source))

    def _resumed(self, order: Order | None) -> Leave | None:
        """The game that was left; raises RecordError and OSError."""
        if order is None:
            raise RecordError(self.record, "no game goes on from it.")
        return self._played(order, lambda game: game.resume(self._last.keep, self._settings(), self._source))

    def _played(self, order: Order, make: Callable[[Game], Play]) -> Leave | None:
        """A game on the devices; who leaves it for the dice comes back to it."""
        self._kept.keep(self.settings.with_begun(*order))
        self._game = game = next(game for game in self._games if game.name == order.game)
        play = make(game)
        try:
            with self._decks.played_with(play.deck):
                if self._began is not None:
                    self._began(game, play)
                self.play = play
                leave = self._on_devices(play, self._eye_for(game))
        finally:
            self.play = None
            play.close()
        if leave is not None and leave.to == "again":
            self._ordered = order
        if leave is None or leave.to != "dice" or (leave := self._diced()) is None or leave.to == "off":
            return leave
        # What keeps it was closed meanwhile: it goes on as it would after a restart.
        return self._resumed(order) if self._last.game() is not None else self._begun(order)

    def _on_devices(self, handler: Handler, eye: Eyes | None) -> Leave | None:
        self.handler, self._looks = handler, eye
        self._appliance = Appliance(
            handler if self._visitors is None else Doorman(handler, self._visitors),
            self.devices,
            eye,
            keep=self._kept.keep,
            mirrors=self._mirrors,
            clock=self._clock,
            on_turn=self._turned,
            news=[*self._news, *(["read-only"] if is_read_only(self._last.keep.books) else [])],
        )
        self._news = []
        return self._appliance.run(lambda: self._stops.is_set() or self.is_ordered)

    def _turned(self) -> None:
        # Here and not where they come from: what is posted while one thing ends and the next begins would be lost.
        while self._appliance is not None and not self._changes.empty():
            self._appliance.loop.post(Changed(self._changes.get()))
        for watcher in self._watchers:
            watcher()

    def _settings(self) -> Settings:
        """Without a camera every step is entered with the buttons."""
        return replace(self.settings, has_camera=self.devices.camera is not None)

    def _eye_for(self, game: Game) -> EyeOnDemand | None:
        """The eye for a game, made once: getting to know a deck takes seconds."""
        if self.devices.camera is None:
            return None
        if game.name not in self._eyes:
            self._eyes[game.name] = EyeOnDemand(lambda: self.pictures(game), game.eyes)
        self.eye = self._eyes[game.name]
        # What lay on the table of the last game must not be taken for cards of this one.
        self.eye.forget()
        return self.eye
