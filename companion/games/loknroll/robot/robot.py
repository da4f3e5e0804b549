"""A robot that plays for everybody, from any moment of a game on: it lays cards, moves Emma and presses buttons.

It plays with the cards that are there, whoever has drawn or laid them, and does what the companion asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.game import RobotError
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.about_card import AboutCard
from companion.games.loknroll.play.dialogs.chaos_cards import Combining
from companion.games.loknroll.play.dialogs.which_card import WhichCard
from companion.games.loknroll.play.room import wants_push
from companion.games.loknroll.robot.dealt_cards import DealtCards
from companion.games.loknroll.robot.lying_railway import LyingRailway, way_of
from companion.games.loknroll.robot.pictured_games import EAGERNESS, emma_pose
from companion.games.loknroll.robot.pushing import Pusher
from companion.games.loknroll.rules import AnyStep, Discard, Lay, Pass, Phase, State
from companion.games.loknroll.rules.setting_up import fits_as_start_card, railway_is_ready
from companion.games.loknroll.rules.turn import hands_to_lay_open
from companion.games.loknroll.strategy.automaton import choose_placement, has_room
from companion.games.loknroll.strategy.players import AutomaticPlayer, RandomPlayer
from companion.virtual.hands import Hands
from companion.virtual.pace import PRESS_SECONDS, Pace
from companion.virtual.things import EMMA, Card, HandsError
from hardware.buttons import Button
from vision.cards import Face, Pose
from vision.rendering.places import AREA

_PUSH_SECONDS: Final = 3.2
"""So long the companion is given to find the railway where it has been pushed."""
_TRIES: Final = 20


class _Plan(NamedTuple):
    """What the person whose turn it is wants to do next; None is to roll."""

    step: AnyStep | None


@dataclass
class _Begun:
    """What has been begun since the last step of the game: the plan, the card laid, and when a card was shown.

    When: after how many steps, and with how many cards of a hand laid open.
    """

    plan: _Plan | None = None
    laid: int | None = None
    shown_at: tuple[int, int] | None = None


class Robot:
    """Lays the cards of all persons and of the automaton. ``act`` does the next thing if it is time for it.

    ``presses_made`` are the buttons pressed, each with the phase of the game.
    """

    def __init__(
        self,
        controller: Controller,
        hands: Hands,
        seed: int,
        press: Callable[[Button], None] | None = None,
        *,
        pause_seconds: float = 0.5,
        watching_seconds: float = 0.0,
    ) -> None:
        """``seed`` is for what it chooses. Without ``press`` the buttons are left to the person.

        ``pause_seconds`` pass between two things done; ``watching_seconds`` after a roll before Emma is moved.
        """
        self.presses_made: list[tuple[Phase, Button]] = []
        self._controller = controller
        self._hands = hands
        self._press_button = press
        self._random = Random(seed + 1)
        self._brain: AutomaticPlayer = RandomPlayer(AREA, EAGERNESS)
        self._cards = DealtCards(hands)
        self._railway = LyingRailway(hands, self._cards)
        self._pusher = Pusher(hands, self._railway)
        self._pace = Pace(pause_seconds, watching_seconds)
        self._seen_steps: tuple[AnyStep, ...] | None = None
        self._begun = _Begun()
        self._asked_back: int | None = None
        self._is_emma_doubted = False
        self._railway.adopt(self._desk.state.railway)

    @property
    def hand(self) -> list[Face]:
        """The hand of the person who is to play, as it is now; nothing while the automaton is."""
        state = self._desk.state
        held = [] if state.is_automatons_turn else self._cards.hand(state.active)
        return [state.setup.deck[card.face] for card in held]

    def hand_in_words(self) -> list[str]:
        """The cards of the person who is to play: value and shape."""
        return [f"{face.value} {self._desk.word.shape(face)}" for face in self.hand]

    @property
    def repeats(self) -> int:
        """How much had to be done twice because the companion did not answer."""
        return self._pace.repeats

    @property
    def _desk(self) -> Desk:
        return self._controller.desk

    def act(self, now: float) -> None:
        """Does the next thing at a time in seconds, if there is one; raises RobotError."""
        try:
            self._act(now)
        except HandsError as error:
            raise RobotError(f"The robot's hands cannot do what they want: {error.reason}.") from error

    def _act(self, now: float) -> None:
        self._pace.look_at_clock(now)
        steps = tuple(self._desk.game.steps)
        if steps != self._seen_steps:
            self._follow(steps)
        if not self._pace.is_ready or self._desk.state.phase is Phase.OVER:
            return
        if self._does_something():
            self._pace.has_done()
        elif self._press_button is not None and self._pace.is_tired:
            self._repeat()

    def lay(self, number: int) -> bool:
        """Lays, or shows, a card of the hand (from 0) because the person wants so; says whether it can be."""
        if self._desk.state.phase not in {Phase.ACTING, Phase.BUILDING} or number >= len(self.hand):
            return False
        face = self.hand[number]
        if face.is_track and not self._railway.places(self._desk.state, face):
            return False
        step: AnyStep = Discard(face.id)
        if face.is_track:
            step = Lay(face.id, self._random.choice(self._railway.places(self._desk.state, face)).pose)
        self._take_laid()
        self._begun.plan = _Plan(step)
        self._asked_back = None
        return True

    def _follow(self, steps: tuple[AnyStep, ...]) -> None:
        """The game has gone on, or back."""
        state = self._desk.state
        if len(steps) < len(self._seen_steps or ()):
            self._asked_back = state.turn
        self._seen_steps = steps
        self._railway.learn(state, self._begun.laid)
        self._begun = _Begun()
        self._pusher.forget()
        self._pace.has_been_answered()
        is_needed = state.phase is Phase.ACTING and state.is_automatons_turn
        if not is_needed:
            self._hands.clear()

    def _does_something(self) -> bool:
        desk = self._desk
        story = desk.story
        if story is not None and story.dice and self._pace.is_watching(story.at_seconds):
            return False
        if desk.dialog is not None:
            return self._answers()
        return self._begun.laid is None and (self._tidy(desk.state) or self._pushes() or self._goes_on(desk.state))

    def _answers(self) -> bool:
        """Answers what the game asks; all other dialogs were opened by the person."""
        dialog = self._desk.dialog
        if isinstance(dialog, Combining):
            return self._press(Button.ROLL)
        if isinstance(dialog, WhichCard):
            number = self._begun.laid if self._hands.shown is None else self._hands.shown
            face = next((card.face for lying, card in self._hands.lying.items() if lying == number), "")
            button = dialog.button_for(face)
            # A card that is none of those is taken up, and laid again.
            return button is not None and self._press(button)
        if not isinstance(dialog, AboutCard):
            return False
        # What has not counted yet since it was shown is another card, if it looks like the one before.
        is_another = self._hands.shown is not None and self._begun.shown_at == self._counted_so_far
        return self._press(Button.ROLL if is_another else Button.PASS)

    @property
    def _counted_so_far(self) -> tuple[int, int]:
        """How many steps have been done, and how many cards of a hand have been shown."""
        return len(self._desk.game.steps), len(self._desk.hand)

    def _pushes(self) -> bool:
        """Makes room for the next card, which comes to lie elsewhere then."""
        if not self._pusher.push(self._desk, self.hand):
            return False
        self._begun.plan = None
        self._pace.wait(_PUSH_SECONDS)
        return True

    def _goes_on(self, state: State) -> bool:
        """What the game waits for, on a table that is as it must be."""
        does: dict[Phase, Callable[[State], bool]] = {
            Phase.SETTING_UP: self._set_up,
            Phase.DRAWING: self._draw_openly,
            Phase.ACTING: self._lay_for_automaton if state.is_automatons_turn else self._play,
            Phase.BUILDING: self._play,
            Phase.DISCARDING: self._play,
            Phase.PUTTING: lambda _: self._press(Button.ROLL),
            Phase.LAYING_OPEN: self._lay_open,
        }
        return state.phase in does and does[state.phase](state)

    def _draw_openly(self, state: State) -> bool:
        """A card for the automaton; people draw in secret."""
        return state.is_automatons_turn and self._hands.shown is None and self._show(self._top(state).number)

    def _top(self, state: State) -> Card:
        """The top card of the draw pile; raises RobotError."""
        top = self._cards.top()
        if top is None:
            raise RobotError(f"The draw pile is empty, but the game still counts {state.draw_pile} cards there.")
        return top

    def _tidy(self, state: State) -> bool:
        """Makes the table as the game stands; says whether there was anything to do."""
        if self._cards.provide(self._desk):
            return True
        wanted = {self._railway.number(card) for card in state.railway.cards} | {self._hands.shown}
        gone = [number for number in self._hands.lying if number not in wanted]
        self._hands.take(gone)
        has_lost = self._railway.lay_lost(state)
        return self._move_emma(state) or bool(gone) or has_lost

    def _move_emma(self, state: State) -> bool:
        emma = state.emma
        if emma is None and state.phase is Phase.SETTING_UP and railway_is_ready(state):
            emma = state.setup.edition.emma_starts_on - 1
        if emma is None:
            return False
        card, world = state.railway.cards[emma], self._hands.world
        number = self._railway.number(card)
        lying = self._hands.lying.get(number)
        if lying is None or (world.card_under(EMMA) == number and not self._is_emma_doubted):
            return False
        self._hands.move_figure(EMMA, emma_pose(replace(card, pose=lying.pose), self._random))
        self._is_emma_doubted = False
        return True

    def _set_up(self, state: State) -> bool:
        if railway_is_ready(state):
            return self._press(Button.ROLL)
        if self._hands.shown is not None:
            return False
        top = self._top(state)
        face = state.setup.deck[top.face]
        if not face.is_track or not fits_as_start_card(state, face):
            return self._show(top.number)
        if not state.railway.cards:
            x = AREA.x_mm + AREA.width_mm * self._random.uniform(0.3, 0.6)
            y = AREA.y_mm + AREA.height_mm * self._random.uniform(0.3, 0.7)
            return self._lay(top.number, Pose(x, y, 90.0 * self._random.randrange(4)))
        choice = choose_placement(self._railway.as_it_lies(state), face, AREA)
        return choice is not None and self._lay(top.number, choice.placement.pose)

    def _lay_for_automaton(self, state: State) -> bool:
        if state.drawn is None:
            return False
        if self._desk.own.people_place:
            return self._lay_anywhere_for_automaton(state, state.drawn)
        choice = self._desk.choice
        if choice is None:
            return False
        for place in self._railway.places(state, state.drawn):
            if way_of(place) == way_of(choice.placement):
                self._hands.clear()
                self._lay(self._cards.find(state.drawn.id, state), place.pose)
                # Where no camera sees it somebody says that it lies there.
                return not wants_push(self._desk) or self._press(Button.ROLL)
        return False

    def _lay_anywhere_for_automaton(self, state: State, drawn: Face) -> bool:
        """The automaton's card where people like it: on the table if they can."""
        here, places = self._railway.as_it_lies(state), self._railway.places(state, drawn)
        if not places:
            return False
        good = [place for place in places if has_room(here, drawn, place, AREA)]
        choice = choose_placement(here, drawn, AREA)
        likely = [place for place in places if choice is not None and way_of(place) == way_of(choice.placement)]
        self._hands.clear()
        return self._lay(self._cards.find(drawn.id, state), self._random.choice(good or likely or places).pose)

    def _play(self, state: State) -> bool:
        """A person's turn, as the robot would play it."""
        if self._begun.plan is None:
            self._begun.plan = _Plan(self._next_step(state))
        # Whoever has taken something back wants to do it otherwise: the robot leaves this turn to the person.
        if self._asked_back == state.turn:
            return False
        match self._begun.plan.step:
            case Lay(face=face, pose=Pose() as pose):
                return self._lay(self._cards.find(face, state), pose)
            case Discard(face=face):
                return self._hands.shown is None and self._show(self._cards.find(face, state))
            case Pass():
                return self._press(Button.PASS)
            case None:
                return self._press(Button.ROLL)
        return False

    def _next_step(self, state: State) -> AnyStep | None:
        here, hand = self._railway.as_it_lies(state), self.hand
        for _ in range(_TRIES):
            step = self._brain.next_step(here, hand, self._random)
            if not isinstance(step, Lay):
                return step
            places = self._railway.places(state, state.setup.deck[step.face])
            if any(place.pose == step.pose for place in places):
                return step
        return Pass() if state.phase is Phase.ACTING else None

    def _lay_open(self, state: State) -> bool:
        """Shows the cards of a hand one after the other, each once the one before has counted."""
        player = hands_to_lay_open(state)[0]
        if self._hands.shown is None:
            hand = self._cards.hand(player)
            if len(self._desk.hand) == state.players[player].hand:
                return False
            if not hand:
                raise RobotError(f"{state.setup.names[player]} has fewer cards in the hand than the game counts.")
            return self._show(hand[0].number)
        if self._begun.shown_at != self._counted_so_far:
            self._hands.clear()
            return True
        return False

    def _lay(self, number: int, pose: Pose) -> bool:
        self._hands.lay(number, pose)
        self._begun.laid = number
        return True

    def _show(self, number: int) -> bool:
        self._begun.shown_at = self._counted_so_far
        self._hands.show(number)
        return True

    def _press(self, button: Button) -> bool:
        if self._press_button is None:
            return False
        self.presses_made.append((self._desk.state.phase, button))
        self._pace.wait(PRESS_SECONDS)
        self._press_button(button)
        return True

    def _take_laid(self) -> None:
        if self._begun.laid is not None:
            self._hands.put_back(self._begun.laid)
            self._begun.laid = None

    def _repeat(self) -> None:
        """Takes up what the companion does not answer to, to do it again; raises RobotError after some times."""
        if not self._pace.repeat():
            state = self._desk.state
            raise RobotError(f"The companion does not go on in turn {state.turn + 1}, {state.phase}.")
        self._take_laid()
        if self._hands.shown is not None:
            self._hands.put_back(self._hands.shown)
        self._begun.plan = None
        self._is_emma_doubted = True
