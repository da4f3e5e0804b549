"""A robot that plays at the virtual table: it lays cards, moves Emma and presses buttons, as people do.

It knows the hands and the shuffled deck, which the companion does not, and does what the companion asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.another import Another
from companion.games.loknroll.play.phases.discarding import Combining
from companion.games.loknroll.play.room import wants_push
from companion.games.loknroll.robot.dealt_cards import DealtCards, dealt_cards
from companion.games.loknroll.robot.lying_railway import LyingRailway, RobotTable, way_of
from companion.games.loknroll.robot.pictured_games import EAGERNESS
from companion.games.loknroll.robot.pushing import best_push, inset, stays_in
from companion.games.loknroll.rules import AnyStep, Discard, Lay, Pass, Phase, State
from companion.games.loknroll.rules.setting_up import fits_as_start_card, railway_is_ready
from companion.games.loknroll.rules.turn import hands_to_lay_open
from companion.games.loknroll.strategy.automaton import choose_placement, has_room
from companion.games.loknroll.strategy.players import AutomaticPlayer, RandomPlayer
from hardware.buttons import Button
from vision.cards import Face, Pose
from vision.rendering.places import AREA

PRESS_SECONDS: Final = 2.0
"""So long a button is given until it is let go and has done something."""
PATIENCE_SECONDS: Final = 12.0
"""After so long without an answer of the companion, the robot does what it did once more."""
_SITTING_DOWN_SECONDS: Final = 2.0
"""So long the camera sees the table before the first card is laid."""
_PUSH_SECONDS: Final = 3.2
"""So long the companion is given to find the railway where it has been pushed."""
_MOST_PUSHES: Final = 2
"""Who has pushed in vain so often lays nevertheless, and says that it lies right."""
_FARTHER_MM: Final = 80.0
"""Who has pushed in vain pushes so much farther from the border."""
_TRIES: Final = 20
_MOST_REPEATS: Final = 5


class RobotError(Exception):
    """The companion does not go on; the message says at what."""


class Robot:
    """Lays the cards of all persons and of the automaton. ``act`` does the next thing if it is time for it.

    ``presses_made`` are the buttons pressed, each with the phase of the game; ``repeats`` counts what had to be done
    twice because the companion did not answer.
    """

    def __init__(
        self,
        controller: Controller,
        table: RobotTable,
        seed: int,
        press: Callable[[Button], None] | None = None,
        *,
        pause_seconds: float = 0.5,
        watching_seconds: float = 0.0,
    ) -> None:
        """``seed`` shuffled the deck. Without ``press`` the buttons are left to the person.

        ``pause_seconds`` pass between two things done; ``watching_seconds`` after a roll before Emma is moved.
        """
        self.presses_made: list[tuple[Phase, Button]] = []
        self.repeats = 0
        self._controller = controller
        self._table = table
        self._seed = seed
        self._press_button = press
        self._pause = pause_seconds
        self._watching = watching_seconds
        self._random = Random(seed + 1)
        self._brain: AutomaticPlayer = RandomPlayer(AREA, EAGERNESS)
        self._railway = LyingRailway(table)
        self._laid: int | None = None
        self._plan: tuple[int, AnyStep | None] | None = None
        self._asked_back: int | None = None
        self._seen_steps: tuple[AnyStep, ...] = ()
        self._dealt: DealtCards | None = None
        self._counted = -1
        self._now = 0.0
        self._ready_at: float | None = None
        self._progress_at = 0.0
        self._stuck = 0
        self._pushed: tuple[int, int] = (-1, 0)
        self._cramped: tuple[int, bool] = (-1, False)
        self._shown_at: tuple[int, int] = (-1, -1)

    @property
    def hand(self) -> list[Face]:
        """The hand of the person who is to play; nothing while the automaton is."""
        state = self._desk.state
        return [] if self._dealt is None or state.is_automatons_turn else list(self._dealt.hands[state.active])

    @property
    def _desk(self) -> Desk:
        return self._controller.desk

    @property
    def _cards(self) -> DealtCards:
        if self._dealt is None:
            self._dealt = self._hidden_cards()
        return self._dealt

    def _hidden_cards(self) -> DealtCards:
        """The draw pile and the hands, as they follow from the seed and the steps."""
        return dealt_cards(self._desk.game, self._seed)

    def act(self, now: float) -> None:
        """Does the next thing at a time in seconds, if there is one; raises RobotError."""
        self._now = now
        steps = tuple(self._desk.game.steps)
        if steps != self._seen_steps or self._dealt is None:
            self._follow(steps, now)
        if self._ready_at is None:
            self._ready_at = self._progress_at = now + _SITTING_DOWN_SECONDS
        if now < self._ready_at or self._desk.state.phase is Phase.OVER:
            return
        if self._does_something(now):
            self._ready_at = max(self._ready_at, now + self._pause)
            self._progress_at = now
        elif self._press_button is not None and now - self._progress_at > PATIENCE_SECONDS:
            self._progress_at = now
            self._repeat()

    def lay(self, number: int) -> bool:
        """Lays, or shows, a card of the hand (from 0) because the person wants so; says whether it can be."""
        if self._desk.state.phase not in {Phase.ACTING, Phase.BUILDING} or number >= len(self.hand):
            return False
        face = self.hand[number]
        if face.is_track and not self._railway.places(self._desk.state, face):
            return False
        step = (
            Lay(face.id, self._random.choice(self._railway.places(self._desk.state, face)).pose)
            if face.is_track
            else Discard(face.id)
        )
        self._take_laid()
        self._plan = (len(self._seen_steps), step)
        self._asked_back = None
        return True

    def _follow(self, steps: tuple[AnyStep, ...], now: float) -> None:
        """The game has gone on, or back."""
        if len(steps) < len(self._seen_steps):
            self._asked_back = self._desk.state.turn
        state = self._desk.state
        self._seen_steps, self._dealt, self._plan = steps, self._hidden_cards(), None
        self._railway.learn(state.railway, self._laid)
        self._laid, self._counted, self._stuck, self._progress_at = None, -1, 0, now
        is_needed = state.phase is Phase.ACTING and state.is_automatons_turn
        if not is_needed and self._table.shown is not None:
            self._table.clear()

    def _does_something(self, now: float) -> bool:
        desk = self._desk
        story = desk.story
        if story is not None and story.dice and now - story.at_seconds < self._watching:
            return False
        if desk.dialog is not None:
            return self._answers()
        return self._laid is None and (self._tidy(desk.state) or self._pushes(desk.state) or self._goes_on(desk.state))

    def _answers(self) -> bool:
        """Answers what the game asks; all other dialogs were opened by the person."""
        dialog = self._desk.dialog
        if isinstance(dialog, Combining):
            return self._press(Button.ROLL)
        if not isinstance(dialog, Another):
            return False
        # What has not counted yet since it was shown is another card, if it looks like the one before.
        is_another = self._table.shown is not None and self._shown_at == self._counted_so_far
        return self._press(Button.ROLL if is_another else Button.PASS)

    @property
    def _counted_so_far(self) -> tuple[int, int]:
        """How many steps have been done, and how many cards of a hand have been shown."""
        return len(self._desk.game.steps), len(self._desk.hand)

    def _pushes(self, state: State) -> bool:
        """Pushes the railway to the middle where the screen asks for it, or where the next card has no room."""
        at, times = self._pushed if self._pushed[0] == len(self._seen_steps) else (len(self._seen_steps), 0)
        is_asked = wants_push(self._desk)
        if times >= _MOST_PUSHES or not (is_asked or (times == 0 and self._is_cramped(state))):
            return False
        here, drawn, choice = self._railway.as_it_lies(state), state.drawn, self._desk.choice
        place = None
        if drawn is not None and choice is not None:
            ways = [way for way in self._railway.places(state, drawn) if way_of(way) == way_of(choice.placement)]
            place = (drawn, ways[0].pose) if ways else None
        numbers = [self._railway.number(card) for card in state.railway.cards]
        push = best_push(here, place, inset(AREA, times * _FARTHER_MM))
        if not is_asked and not stays_in(here.railway, push, AREA):
            self._cramped = (at, False)
            return False
        self._table.push(numbers, *push)
        self._pushed, self._plan, self._ready_at = (at, times + 1), None, self._now + _PUSH_SECONDS
        return True

    def _is_cramped(self, state: State) -> bool:
        """Whether the next card can be laid, but only where there is no room on the table; looked at once a step."""
        choice = self._desk.choice
        if state.phase is not Phase.ACTING or (state.is_automatons_turn and choice is None):
            return False
        if self._cramped[0] != len(self._seen_steps):
            here = self._railway.as_it_lies(state)
            faces = self.hand if state.drawn is None else [state.drawn]
            ways = [(face, way) for face in faces if face.is_track for way in self._railway.places(state, face)]
            if choice is not None and not self._desk.settings.people_place:
                ways = [(face, way) for face, way in ways if way_of(way) == way_of(choice.placement)]
            is_so = bool(ways) and not any(has_room(here, face, way, AREA) for face, way in ways)
            self._cramped = (len(self._seen_steps), is_so)
        return self._cramped[1]

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
        return state.is_automatons_turn and self._table.shown is None and self._show(self._cards.pile[-1].id)

    def _tidy(self, state: State) -> bool:
        """Makes the table as the game stands; says whether there was anything to do."""
        wanted = {self._railway.number(card) for card in state.railway.cards}
        gone = [number for number in self._table.cards if number != self._table.shown and number not in wanted]
        if gone:
            self._table.take(gone)
        has_lost = self._railway.lay_lost(state.railway)
        return self._move_emma(state) or bool(gone) or has_lost

    def _move_emma(self, state: State) -> bool:
        emma = state.emma
        if emma is None and state.phase is Phase.SETTING_UP and railway_is_ready(state):
            emma = state.setup.edition.emma_starts_on - 1
        if emma is None:
            return False
        card = self._railway.as_it_lies(state).railway.cards[emma]
        number = self._railway.number(state.railway.cards[emma])
        if self._table.emma is not None and self._table.emma.serial == number:
            return False
        self._table.move_emma(card, number)
        return True

    def _set_up(self, state: State) -> bool:
        if railway_is_ready(state):
            return self._press(Button.ROLL)
        if self._table.shown is not None:
            return False
        face = self._cards.pile[-1]
        if not face.is_track or not fits_as_start_card(state, face):
            return self._show(face.id)
        if not state.railway.cards:
            x = AREA.x_mm + AREA.width_mm * self._random.uniform(0.3, 0.6)
            y = AREA.y_mm + AREA.height_mm * self._random.uniform(0.3, 0.7)
            return self._lay(face.id, Pose(x, y, 90.0 * self._random.randrange(4)))
        choice = choose_placement(self._railway.as_it_lies(state), face, AREA)
        return choice is not None and self._lay(face.id, choice.placement.pose)

    def _lay_for_automaton(self, state: State) -> bool:
        if state.drawn is None:
            return False
        if self._desk.settings.people_place:
            return self._lay_anywhere_for_automaton(state, state.drawn)
        choice = self._desk.choice
        if choice is None:
            return False
        for place in self._railway.places(state, state.drawn):
            if way_of(place) == way_of(choice.placement):
                self._table.clear()
                self._lay(state.drawn.id, place.pose)
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
        self._table.clear()
        return self._lay(drawn.id, self._random.choice(good or likely or places).pose)

    def _play(self, state: State) -> bool:
        """A person's turn, as the robot would play it."""
        if self._plan is None or self._plan[0] != len(self._seen_steps):
            self._plan = (len(self._seen_steps), self._next_step(state))
        if self._asked_back == state.turn:
            return False
        match self._plan[1]:
            case Lay(face=face, pose=Pose() as pose):
                return self._lay(face, pose)
            case Discard(face=face):
                return self._table.shown is None and self._show(face)
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
        hand, shown = self._cards.hands[hands_to_lay_open(state)[0]], len(self._desk.hand)
        if self._table.shown is None and shown < len(hand):
            self._counted = shown
            return self._show(hand[shown].id)
        if self._table.shown is not None and self._counted != shown:
            self._table.clear()
            return True
        return False

    def _lay(self, face: str, pose: Pose) -> bool:
        self._laid = self._table.lay(face, pose)
        return True

    def _show(self, face: str) -> bool:
        self._shown_at = self._counted_so_far
        self._table.show(face)
        return True

    def _press(self, button: Button) -> bool:
        if self._press_button is None:
            return False
        self.presses_made.append((self._desk.state.phase, button))
        self._ready_at = self._now + PRESS_SECONDS
        self._press_button(button)
        return True

    def _take_laid(self) -> None:
        if self._laid is not None:
            self._table.take([self._laid])
            self._laid = None

    def _repeat(self) -> None:
        """Takes up what the companion does not answer to, to do it again; raises RobotError after some times."""
        self.repeats += 1
        self._stuck += 1
        if self._stuck > _MOST_REPEATS:
            state = self._desk.state
            raise RobotError(f"The companion does not go on in turn {state.turn + 1}, {state.phase}.")
        self._take_laid()
        self._table.clear()
        self._table.emma = None
        self._plan = None
