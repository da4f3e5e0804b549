"""Whole games laid out on a table, moment by moment, to be photographed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import astuple, replace

from companion.games.loknroll.rules import (
    AnyStep,
    Discard,
    Draw,
    Game,
    Impossible,
    Lay,
    LayOpen,
    Phase,
    StartCard,
    State,
)
from companion.games.loknroll.rules.railway.geometry import card_boxes
from companion.games.loknroll.rules.railway.railway import LaidCard, middle_of_track
from companion.games.loknroll.strategy.dealer import Dealer
from companion.games.loknroll.strategy.players import RandomPlayer
from vision.cards import Pose
from vision.cards.area import Area
from vision.rendering import Emma, LyingCard, Scene
from vision.rendering.conditions import draw_hand
from vision.rendering.places import AREA, IMPRECISION, SHOW_SPOT_MM, TABLE_MM

EAGERNESS: Final = 6
"""How much likelier than passing building is: pictures are about railways."""


class Moment(NamedTuple):
    """A moment of a game: what has just happened, the turn (from 0), the table, and where a hand has been at work."""

    why: str
    turn: int
    scene: Scene
    hand_at_mm: tuple[float, float]


class _OffTheTableError(Exception):
    """The railway has left the table; another game has to be tried."""


class PicturedGame(NamedTuple):
    """A game that has been played, and its moments worth a picture."""

    game: Game
    moments: list[Moment]


def pictured_game(start: State, random: Random) -> PicturedGame:
    """A whole game of random players whose initial railway can be laid, and whose railway stays on the table."""
    while True:
        game = Game(start)
        try:
            return PicturedGame(game, list(_moments(game, random)))
        except _OffTheTableError:
            continue
        except Impossible as error:
            if error.code != "start-incomplete":
                raise


def with_hand(moment: Moment, random: Random) -> Scene:
    """The moment's table with a hand in it, where something has just been laid or taken."""
    return replace(moment.scene, hands=(draw_hand(moment.hand_at_mm, random),))


def emma_pose(card: LaidCard, random: Random) -> Pose:
    """Emma on the middle of a card's track, looking along it, as a hand puts her down."""
    if card.entry is None:
        raise ValueError("Emma stands on a card that is entered somehow.")
    x, y, forward = astuple(middle_of_track(card))
    return Pose(x + random.gauss(0, 2.5), y + random.gauss(0, 2.5), forward + random.gauss(0, 6))


class _Table:
    """The railway's cards with serial numbers, as they lie."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.cards: list[LyingCard] = []
        self.emma: Emma | None = None
        self.serial = 0

    def follow(self, state: State) -> None:
        """Lays and takes the cards that have been laid and taken, and moves Emma."""
        while self.cards and not self._is_rear(state.railway.cards[0]):
            self.cards.pop(0)
        for card in state.railway.cards[len(self.cards) :]:
            if card.pose is not None:
                curl = max(0.0, self.random.gauss(0.2, 0.4))
                self.cards.append(LyingCard(card.face.id, card.pose, self.serial, curl_mm=curl))
                self.serial += 1

    def move_emma(self, state: State) -> None:
        """Puts Emma onto her card."""
        if state.emma is not None:
            pose = emma_pose(state.railway.cards[state.emma], self.random)
            self.emma = Emma(pose, self.cards[state.emma].serial, state.emma)

    def scene(self, shown: str | None = None) -> Scene:
        """What lies there now, with a card on the show spot if one is shown."""
        cards = list(self.cards)
        if shown is not None:
            x, y = (place + self.random.gauss(0, 5) for place in SHOW_SPOT_MM)
            pose = Pose(x, y, self.random.choice((0.0, 180.0)) + self.random.gauss(0, 4))
            cards.append(LyingCard(shown, pose, on_show_spot=True))
        return Scene(tuple(cards), self.emma)

    def _is_rear(self, card: LaidCard) -> bool:
        return self.cards[0].pose == card.pose and self.cards[0].face == card.face.id


def _moments(game: Game, random: Random) -> Iterator[Moment]:
    start = game.state
    people = [RandomPlayer(AREA, EAGERNESS) for _ in range(start.setup.mode.persons)]
    dealer = Dealer(game, people, random, area=AREA, imprecision=IMPRECISION)
    table = _Table(random)
    before = start
    for state in dealer.play():
        step = game.steps[-1]
        if isinstance(step, (Lay, StartCard)) and not _on_table(state):
            raise _OffTheTableError
        yield from _moments_of(step, before, state, table)
        before = state


def _on_table(state: State) -> bool:
    railway = state.railway
    table = Area(0, 0, *TABLE_MM)
    return all(table.holds(box, railway.angle_deg) for box in card_boxes(railway))


def _moments_of(step: AnyStep, before: State, state: State, table: _Table) -> Iterator[Moment]:
    """The moments that a step brings: cards shown, cards laid, and the table when a turn is done."""
    shown = _shown(step, before)
    for why, face in shown:
        yield Moment(why, before.turn, table.scene(face), SHOW_SPOT_MM)
    if isinstance(step, Lay):
        # Laid, and nothing moved yet: also where the automaton drives at once.
        laid = before.railway.with_card(state.setup.deck[step.face], step.pose)
        table.follow(replace(before, railway=laid))
        yield Moment("laid", before.turn, table.scene(), _place(table.cards[-1]))
    begun = before.phase is Phase.SETTING_UP and state.phase is Phase.DRAWING
    over = state.phase in {Phase.DRAWING, Phase.LAYING_OPEN, Phase.OVER}
    done = before.phase not in {Phase.SETTING_UP, Phase.LAYING_OPEN} and over
    if begun or done:
        table.follow(state)
        table.move_emma(state)
        scene = table.scene()
        yield Moment("setup" if begun else "turn-done", state.turn, scene, _emmas_place(scene))


def _shown(step: AnyStep, before: State) -> list[tuple[str, str]]:
    match step:
        case Draw(face=str(face)) if before.is_automatons_turn:
            return [("betsy-shows", face)]
        case Discard(face=face):
            return [("chaos-shows", face)]
        case LayOpen(faces=faces):
            return [("hand-shows", face) for face in faces]
    return []


def _place(card: LyingCard) -> tuple[float, float]:
    return card.pose.x_mm, card.pose.y_mm


def _emmas_place(scene: Scene) -> tuple[float, float]:
    return (scene.emma.pose.x_mm, scene.emma.pose.y_mm) if scene.emma else SHOW_SPOT_MM
