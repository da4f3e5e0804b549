"""Anything happens at random to every registered game: it never fails, and its record tells all that counted."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import settings as hypothesis_settings
from msgspec.structs import replace

from companion.games.events import (
    Changed,
    Corrected,
    Event,
    Fault,
    Kept,
    Leave,
    Pressed,
    Restored,
    Seen,
    Show,
    Spoken,
    TakenBack,
    Tick,
    Touched,
)
from companion.games.game import Game, Pace, Robot, RobotError
from companion.games.recorded_game import Keep
from companion.games.settings import Change, Settings
from companion.record.file import RecordError, read_record
from companion.screen import HEIGHT, WIDTH, draw
from companion.texts.language import LANGUAGES
from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import EMMA, Place
from companion.virtual.world import World
from hardware.buttons import Button
from tests.companion.games.every_game import GAMES, check_told
from tests.companion.games.locomotion.robot.bench import read
from vision.cards import Pose
from vision.watching.network_reading import NetworkReading, SeenPiece, SeenVehicle
from vision.watching.table_reading import SeenCard, TableReading

SEEDS: Final = hypothesis_settings.default.max_examples // 7
IN_ORDER: Final = 800
"""So many events at most are those of a game in order before anything happens."""
ANYTHING: Final = 120
"""So many events are at random, and as many again after a restart."""
DAMAGES: Final = 4


class Table:
    """The things of a game on a virtual table, and a robot that can play with them."""

    def __init__(self, game: Game, play: Any, random: Random, clock: Callable[[], float]) -> None:
        self.pressed: deque[Event] = deque()
        self.world = World(clock)
        game.lay_out(play, self.world, random.randrange(1000))
        self.faces = sorted({card.face for place in Place for card in self.world.cards(place)})
        self.hands = RobotHands(self.world, random.randrange(1000))
        self._robot: Robot | None = game.robot(play, self.hands, random.randrange(1000), self._press, Pace())

    def _press(self, button: Button) -> None:
        self.pressed.append(Pressed(button))

    def robot_acts(self, now: float) -> None:
        """The robot does the next thing; after anything has happened it may be at a loss, and says so once."""
        try:
            if self._robot is not None:
                self._robot.act(now)
        except RobotError:
            self._robot = None

    @property
    def lying(self) -> tuple[SeenCard, ...]:
        """What a camera sees."""
        return tuple(SeenCard(card.face, card.pose, number) for number, card in self.hands.lying.items())

    @property
    def emma(self) -> int | None:
        """The card on which she stands, if she is played with."""
        return self.world.card_under(EMMA) if EMMA in self._figures else None

    @property
    def network(self) -> NetworkReading | None:
        """The network of dots, if vehicles are played with."""
        return read(self.world).network if self._figures - {EMMA} else None

    @property
    def _figures(self) -> set[int]:
        return {figure.number for figure in self.world.figures}

    def knows(self, expected: Collection[str]) -> bool:
        """Whether the eye can be told this: a face that there is, or what lies and stands in a network."""
        words = {"piece", "vehicle", "paints", "colour", "print"} if self._figures - {EMMA} else set()
        return all(each in self.faces or each.split()[0] in words for each in expected)


class Walk:
    """A game to which anything happens; after each event all is checked that holds for every game."""

    def __init__(self, game: Game, kind: str, folder: Path, seed: int) -> None:
        self.random = random = Random(f"{game.name} {kind} {seed}")
        self.game, self.kind, self.keep = game, kind, Keep(folder / "game.jsonl", folder / "books")
        self.stood: dict[int, Mapping[str, object]] = {}
        """How the game stood when its record had so many bytes."""
        self._now = 0.0
        settings = any_settings(game, kind, random)
        self.play = game.begin(kind, self.keep, settings, None, random)
        self.clauses = {clause.id for chapter in self.play.rules("en") for clause in chapter.clauses}
        self._sit_down()

    def _sit_down(self) -> None:
        self.table = Table(self.game, self.play, self.random, lambda: self._now)

    def goes_in_order(self, events: int) -> None:
        for _ in range(events):
            self.happens(self._robot_plays() if self.play.settings.has_camera else self._fingers())

    def goes_anyhow(self, events: int) -> None:
        """So many events, one mood after the other."""
        moods = [self._fingers, self._robot_plays, self._cards_are_pushed_about, self._eye_errs]
        mood = self._fingers
        for _ in range(events):
            if self.play.settings.has_camera and self.random.random() < 0.05:
                mood = self.random.choice(moods)
            self.happens(mood())

    def happens(self, event: Event) -> None:
        """An event, and what must be so after any."""
        for effect in self.play.handle(event):
            match effect:
                case Show(screen=screen):
                    assert draw(screen, self.play.settings.large).size == (WIDTH, HEIGHT)
                case Kept(settings=settings):
                    assert self.play.settings == settings
                case Leave():
                    self.is_taken_up_again()
        self._check()

    def _check(self) -> None:
        play, facts = self.play, self.play.facts()
        assert json.loads(json.dumps(facts)) == facts
        assert self.table.knows(play.expected_faces)
        assert set(play.held_buttons) <= set(Button)
        assert (play.game, play.kind) == (self.game.name, self.kind)
        assert 1 <= play.seats.persons <= len(play.seats.names)
        assert play.present().forbidden in {"", *self.clauses}
        # What is not in the record does not count; before there is one nothing does but what lies there.
        assert self.is_recorded or not play.is_set_up
        if not self.is_recorded:
            return
        assert self.stood.setdefault(self.keep.record.stat().st_size, facts) == facts

    @property
    def is_recorded(self) -> bool:
        return self.keep.record.exists()

    def is_taken_up_again(self) -> None:
        """It is left, and goes on from its record; without one it is set up again."""
        settings, facts = self.play.settings, self.play.facts()
        self.play.close()
        if not self.is_recorded:
            self.play = self.game.begin(self.kind, self.keep, settings, None, self.random)
            self._sit_down()
            return
        self.play = self.game.resume(self.keep, settings, self.random)
        assert self.play.facts() == facts
        self._sit_down()

    # What may happen

    def _robot_plays(self) -> Event:
        """A game in order: the robot does the next thing, the camera sees it, time passes."""
        if self.table.pressed:
            return self.table.pressed.popleft()
        if self.random.random() < 0.5:
            return self._tick(0.5)
        self.table.robot_acts(self._now)
        return self._seen(hand=False)

    def _fingers(self) -> Event:
        """Any button, shortly or held, and devices that fail and come back."""
        button = self.random.choices(list(Button), [1 if button is Button.BACK else 3 for button in Button])[0]
        device = self.random.choice(("camera", "display", "lights"))
        press, tick = Pressed(button, self.random.random() < 0.2), self._tick(self.random.choice((0.1, 0.5, 4.0)))
        language, change = self.random.choice(LANGUAGES), Change("large", self.random.random() < 0.5)
        rare = (Fault(device, "pull the cable"), Restored(device), Spoken(language), Changed(change), self._phone())
        return self.random.choices([press, tick, *rare], (12, 6, 1, 1, 1, 1, 2))[0]

    def _phone(self) -> Event:
        """Somebody takes back, or taps a card and says which it is, or touches the table."""
        told, random = self.play.present(), self.random
        if told.tools and random.random() < 0.7:
            return Touched(random.choice((*told.tools, "")), *(random.gauss(0, 5) * told.cell_mm for _ in range(4)))
        if not told.cards or random.random() < 0.4:
            return TakenBack(random.choice((told.moment, told.moment, "")))
        card = random.choice(told.cards)
        return Corrected(card.card, card.face, random.choice(self.play.corrections(card.card) or self.table.faces))

    def _cards_are_pushed_about(self) -> Event:
        """Hands do to the table whatever they like."""
        hands, random = self.table.hands, self.random
        lying, pile = list(hands.lying), [card.number for card in self.table.world.cards(Place.PILE)]
        match random.randrange(20):
            case 0 if pile:
                hands.lay(random.choice(pile), self._pose())
            case 1 if pile:
                hands.show(random.choice(pile))
            case 2 if lying:
                hands.take([random.choice(lying)])
            case 3 | 4 if lying:
                hands.push(random.choice((lying, lying[-1:])), random.gauss(0, 30), random.gauss(0, 30))
            case 5:
                self._sit_down()
            case 6 | 7 if self.table.world.figures:
                hands.move_figure(random.choice(self.table.world.figures).number, self._pose())
        return self._fingers() if random.random() < 0.5 else self._seen(hand=random.random() < 0.1)

    def _eye_errs(self) -> Event:
        """Cards are read that are not there, whether the rules expect them or not."""
        random = self.random
        if random.random() < 0.5:
            return self._fingers()
        faces = random.choice((self.table.faces, sorted(self.play.expected_faces) or self.table.faces))
        serials = random.sample(range(20), random.randrange(8))
        cards = tuple(
            SeenCard(random.choice(faces), self._pose(), serial, tuple(random.choices(faces, k=random.randrange(3))))
            for serial in serials
        )
        figure = random.choice([*serials, None])
        network, hand = self._misread(self.table.network), random.random() < 0.2
        return Seen(TableReading(cards, figure, hand=hand, is_still=random.random() < 0.8, network=network))

    def _misread(self, network: NetworkReading | None) -> NetworkReading | None:
        """Some pieces and vehicles are not seen, some are seen where they are not, or as what they are not."""
        random = self.random
        if network is None or random.random() < 0.1:
            return None
        share = random.choice((0.0, 0.1, 0.5))
        cells = [vehicle.dot for vehicle in network.vehicles] + [piece.cell for piece in network.pieces] + [(0, 0)]
        pieces = [piece for piece in network.pieces if random.random() >= share]
        if random.random() < share:
            pieces.append(SeenPiece(random.choice(cells), random.choice("ESWN"), is_sure=random.random() < 0.5))
        vehicles = [
            vehicle
            if random.random() >= share
            else SeenVehicle(random.choice(cells), random.randrange(1, 5), random.random() < 0.5, ((1, True),))
            for vehicle in network.vehicles
            if random.random() >= share / 2
        ]
        hidden = tuple(cell for cell in cells if random.random() < share / 2)
        return NetworkReading(tuple(pieces), tuple(vehicles), hidden, random.choice((0, 0, 0, 1)))

    def _seen(self, *, hand: bool) -> Seen:
        others = tuple(self.random.choices(self.table.faces, k=self.random.choice((0, 0, 1, 2))))
        lying = tuple(replace(card, others=others) for card in self.table.lying)
        return Seen(TableReading(lying, self.table.emma, hand=hand, network=self.table.network))

    def _pose(self) -> Pose:
        return Pose(self.random.uniform(0, 900), self.random.uniform(0, 600), self.random.uniform(0, 360))

    def _tick(self, seconds: float) -> Tick:
        self._now += seconds
        return Tick(self._now)


def any_settings(game: Game, kind: str, random: Random) -> Settings:
    """The people's settings, and some of the game's own with which there is this kind."""
    settings = Settings(random.choice(LANGUAGES), large=random.random() < 0.5, has_camera=random.random() < 0.7)
    for _ in range(random.randrange(4)):
        for option in game.options(settings, None):
            if kind in {offer.kind for offer in game.offers(option.settings, None)}:
                settings = option.settings
    return settings


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize(
    ("game", "kind"),
    [
        pytest.param(game, offer.kind, id=f"{game.name}-{offer.kind}")
        for game in GAMES
        for offer in game.offers(Settings(), None)
    ],
)
def test_anything_may_happen(game: Game, kind: str, seed: int, tmp_path: Path) -> None:
    walk = Walk(game, kind, tmp_path, seed)
    walk.goes_in_order(walk.random.randrange(IN_ORDER))
    walk.goes_anyhow(ANYTHING)
    walk.is_taken_up_again()
    walk.goes_anyhow(ANYTHING)
    walk.is_taken_up_again()
    walk.play.close()
    if not walk.is_recorded:
        return
    check_told(game, walk.keep.record, walk.play)
    check_result_is_kept_once(walk)
    for number in range(DAMAGES):
        check_cut(walk, tmp_path / f"cut-{number}.jsonl")
        check_changed(walk, tmp_path / f"changed-{number}.jsonl")


def check_result_is_kept_once(walk: Walk) -> None:
    def books() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in walk.keep.books.rglob("*")}

    book = walk.game.book
    if book is None:
        return
    book.keep_result(walk.keep)
    once = books()
    book.keep_result(walk.keep)
    assert books() == once


def check_cut(walk: Walk, path: Path) -> None:
    """A record that stops somewhere goes on from its last whole line; in its first line there is no game yet."""
    whole = walk.keep.record.read_bytes()
    length = walk.random.randrange(len(whole))
    path.write_bytes(whole[:length])
    try:
        play = walk.game.resume(Keep(path, walk.keep.books), walk.play.settings, walk.random)
    except RecordError:
        assert length < whole.index(b"\n")
        return
    facts = play.facts()
    play.close()
    assert walk.stood.get(path.stat().st_size, facts) == facts
    assert whole.startswith(path.read_bytes())


def check_changed(walk: Walk, path: Path) -> None:
    """A record in which somebody has changed something is refused, and left alone."""
    changed = bytearray(walk.keep.record.read_bytes())
    at = walk.random.choice([at for at, byte in enumerate(changed) if byte != ord("\n")])
    changed[at] = walk.random.choice([byte for byte in b'0123456789abc", -{}' if byte != changed[at]])
    path.write_bytes(changed)
    with pytest.raises(RecordError):
        walk.game.resume(Keep(path, walk.keep.books), walk.play.settings, walk.random)
    with pytest.raises(RecordError):
        list(walk.game.told(path, read_record(path), "en"))
    assert path.read_bytes() == changed
