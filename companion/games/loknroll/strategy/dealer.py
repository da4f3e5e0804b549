"""Deals a game to automatic players: holds what nobody may see, and tells the rules only what a table would show.

Shuffles and dice come from the generator that is handed in; the same generator gives the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.loknroll.rules.building import can_be_laid, dice_to_roll
from companion.games.loknroll.rules.errors import Impossible
from companion.games.loknroll.rules.game import Game
from companion.games.loknroll.rules.setting_up import fits_as_start_card, railway_is_ready, starters
from companion.games.loknroll.rules.state import Phase, State
from companion.games.loknroll.rules.steps import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    Lay,
    LayOpen,
    Pass,
    Roll,
    SetAside,
    StartCard,
)
from companion.games.loknroll.strategy.automaton import choose_placement
from companion.games.loknroll.strategy.players import AutomaticPlayer, lay_anywhere
from vision.cards import Face, Pose
from vision.cards.area import Area

if TYPE_CHECKING:
    from random import Random


class Dealer:
    """Plays a game from its set-up to its end."""

    def __init__(
        self,
        game: Game,
        players: Sequence[AutomaticPlayer],
        random: Random,
        *,
        area: Area | None = None,
        imprecision: float = 0.0,
    ) -> None:
        """``players`` are the people, in the order of their names; the automaton plays by itself.

        ``area`` is what the automaton knows of the table. ``imprecision`` is how far hands are off, as the standard
        deviation of a card's place in mm and of its rotation in degrees.
        """
        self.game = game
        self.players = players
        self.random = random
        self.area = area
        self.imprecision = imprecision
        self.draw_pile = list(game.state.setup.deck.cards())
        self.removed: list[Face] = []
        self.hands: list[list[Face]] = [[] for _ in game.state.players]
        random.shuffle(self.draw_pile)

    def play(self) -> Iterator[State]:
        """Plays the whole game; yields the state after each step.

        Raises Impossible where the cards run out before the initial railway is complete.
        """
        while not railway_is_ready(self.game.state):
            yield self._do(self._start_card())
        yield self._do(self._begin())
        while (phase := self.game.state.phase) is not Phase.OVER:
            if phase is Phase.DRAWING:
                yield self._do(self._draw())
            elif phase is Phase.LAYING_OPEN:
                yield self._do(self._lay_open())
            elif self.game.state.is_automatons_turn:
                yield self._do(self._automatons_step())
            else:
                yield self._do(self._persons_step())

    def _do(self, step: AnyStep) -> State:
        if self.imprecision and isinstance(step, (Lay, StartCard)) and step.pose is not None:
            step = replace(step, pose=self._as_laid_by_hand(step.pose))
        return self.game.do(step)

    def _as_laid_by_hand(self, pose: Pose) -> Pose:
        """Off by a little, but not by more than two and a half times that."""
        most = 2.5 * self.imprecision
        x, y, turn = (max(-most, min(most, self.random.gauss(0, self.imprecision))) for _ in range(3))
        return Pose(round(pose.x_mm + x, 2), round(pose.y_mm + y, 2), round(pose.rotation_deg + turn, 2))

    def _start_card(self) -> AnyStep:
        state = self.game.state
        if not self.draw_pile:
            needed = state.setup.edition.start_cards
            raise Impossible("SET2", "start-incomplete", laid=len(state.railway), needed=needed)
        face = self.draw_pile.pop()
        if not face.is_track or not self._fits(face):
            return SetAside(face.id)
        if not state.setup.rails:
            return StartCard(face.id)
        if not state.railway.cards:
            return StartCard(face.id, self._first_pose())
        if self.area is None:
            return StartCard(face.id, lay_anywhere(state, face, self.random).pose)
        choice = choose_placement(state, face, self.area)
        return StartCard(face.id, choice.placement.pose if choice else None)

    def _first_pose(self) -> Pose:
        if self.area is None:
            return Pose(0.0, 0.0)
        x = self.area.x_mm + self.area.width_mm * self.random.uniform(0.3, 0.7)
        y = self.area.y_mm + self.area.height_mm * self.random.uniform(0.3, 0.7)
        return Pose(round(x, 1), round(y, 1), 90.0 * self.random.randrange(4))

    def _fits(self, face: Face) -> bool:
        state = self.game.state
        if state.setup.rails or not state.railway.cards:
            return fits_as_start_card(state, face)
        return can_be_laid(state, face)

    def _begin(self) -> Begin:
        state = self.game.state
        self.draw_pile += state.set_aside
        self.random.shuffle(self.draw_pile)
        edition = state.setup.edition
        count = edition.removed[state.setup.mode]
        self.removed, self.draw_pile = self.draw_pile[:count], self.draw_pile[count:]
        for number, hand in enumerate(self.hands):
            if number != state.setup.automaton:
                hand += [self.draw_pile.pop() for _ in range(edition.hand_cards)]
        reverse = edition.direction == "chosen" and self.random.random() < 0.5
        return Begin(self.random.choice(starters(state)), reverse)

    def _draw(self) -> Draw:
        state, face = self.game.state, self.draw_pile.pop()
        if state.is_automatons_turn:
            return Draw(face.id)
        self.hands[state.active].append(face)
        return Draw()

    def _automatons_step(self) -> AnyStep:
        state = self.game.state
        face = state.drawn
        if face is None or not can_be_laid(state, face):
            return Pass()
        choice = choose_placement(state, face, self.area) if state.setup.rails else None
        return Lay(face.id, choice.placement.pose if choice else None)

    def _persons_step(self) -> AnyStep:
        state = self.game.state
        hand = self.hands[state.active]
        step = self.players[state.active].next_step(state, hand, self.random)
        if step is None:
            die = state.setup.edition.die
            return Roll(tuple(self.random.choice(die) for _ in range(dice_to_roll(state))))
        if isinstance(step, (Lay, Discard)):
            hand.remove(state.setup.deck[step.face])
        return step

    def _lay_open(self) -> LayOpen:
        state = self.game.state
        player = next(number for number, holder in enumerate(state.players) if holder.hand)
        faces = tuple(face.id for face in self.hands[player])
        self.hands[player].clear()
        return LayOpen(player, faces)
