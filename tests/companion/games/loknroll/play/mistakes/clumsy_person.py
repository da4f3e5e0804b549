"""A person who plays a known game and errs on the way: what they do wrong, and how they follow what the screen says.

Each mistake is made where it can be made, and put right by nothing but what the screen asks for. What it cost is
counted from the moment at which it was made: seconds and presses until the game stands as it should and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.events import Fault, Restored
from companion.games.loknroll.rules import AnyStep, Draw, Game, Lay, Mode, Pass, Phase, StartCard, State
from companion.games.loknroll.rules.building import legal_placements
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Player, dealt, seat
from vision.cards import Face, Kind, Motion, Pose

PATIENCE_SECONDS: Final = 25.0
"""So long a person looks at the screen for what to do."""


class Cost(NamedTuple):
    """What a mistake cost until the game went on rightly."""

    mistake: str
    seconds: float
    presses: int


class Stuck(AssertionError):
    """The screen did not say what to do, or the game does not stand as it should."""


class ClumsyPerson:
    """Plays a game, makes mistakes, and puts them right."""

    def __init__(self, mode: Mode, seed: int) -> None:
        self.source: Game = dealt(mode, seed)
        self.people: Player = seat(mode, seed, noise=0.0)
        self.people.table.shift = Motion()
        self.random = Random(f"clumsy {seed}")
        self._erred_at = 0.0
        self._pressed_before = 0

    @property
    def state(self) -> State:
        return self.people.game.state

    @property
    def text(self) -> str:
        screen = self.people.screen
        return " ".join((screen.heading, screen.main, *screen.lines))

    def play(self, mistakes: dict[str, Mistake], rest: int = 2) -> Iterator[Cost]:
        """Plays to the end; makes each mistake once, ``rest`` steps apart. Raises Stuck."""
        left, at = dict(mistakes), 0
        while at < len(self.source.steps):
            coming = self.source.steps[at:]
            is_ready = at > 8 and self.state.phase is not Phase.SETTING_UP
            for name, mistake in left.items():
                if is_ready and mistake.may_be_made(self.state, coming):
                    del left[name]
                    yield self._made(name, mistake)
                    if mistake.ends:
                        return
                    break
            at = len(self.people.game.steps)
            self.people.play(self.source, min(at + self.random.randrange(1, rest + 1), len(self.source.steps)))
            at = len(self.people.game.steps)
        if not self.is_as_played():
            raise Stuck("The record is not that of the game that was played.")

    def _made(self, name: str, mistake: Mistake) -> Cost:
        self.people.before, before, count = self.state, self.people.game.steps[-1], len(self.people.game.steps)
        self.people.table.as_in(self.state)
        self.people.look(0.5)
        self.erred()
        mistake.make(self)
        seconds, presses = self.people.now - self._erred_at, len(self.people.pressed) - self._pressed_before
        if not self.is_as_played():
            raise Stuck(f"{name}: another game is recorded: {self.people.game.steps[-3:]}")
        if self.people.game.steps[-1] != before and len(self.people.game.steps) < count:
            raise Stuck(f"{name}: {before} is no more recorded.")
        if self.people.screen.alert:
            raise Stuck(f"{name}: something is still wrong: {self.text}")
        return Cost(name, seconds, presses)

    def is_as_played(self) -> bool:
        """Whether what is recorded is what was played so far: poses are as the camera has them."""
        pairs = zip(self.people.game.steps, self.source.steps, strict=False)
        return all(_without_pose(recorded) == _without_pose(played) for recorded, played in pairs)

    def erred(self) -> None:
        """The mistake has been made: from now on it costs."""
        self._erred_at, self._pressed_before = self.people.now, len(self.people.pressed)

    def told(self, *words: str) -> None:
        """Waits until the screen says one of these; raises Stuck."""
        for _ in range(round(PATIENCE_SECONDS / 0.5)):
            if any(word in self.text for word in words):
                return
            self.people.look(0.5)
        raise Stuck(f"{words}: the screen says {self.text!r}")

    def press(self, button: Button) -> None:
        self.people.press(button)
        self.people.wait(0.2)

    def take_back(self) -> None:
        """Takes back what was not meant: a short press does, or says what to do."""
        self.people.wait(2.0)
        self.erred()
        for _ in range(3):
            self.press(Button.BACK)
            if "Hold" in self.text:
                self.people.press(Button.BACK, held=True)
                self.people.wait(0.2)
            if self.is_as_played():
                break
        self.people.look(1.0)

    def put(self, face: Face, pose: Pose) -> int:
        number = self.people.table.put(face.id, pose)
        self.people.look(0.8)
        return number

    def take(self, number: int) -> None:
        self.people.table.cards.pop(number, None)
        self.people.look(1.0)

    def show(self, face: Face) -> None:
        self.people.table.show(face.id)
        self.people.look(0.8)

    def take_shown(self) -> None:
        self.people.table.clear()
        self.people.look(1.0)

    def layable(self) -> tuple[Face, Pose]:
        return next(layable(self.state))


def _without_pose(step: AnyStep) -> AnyStep:
    return replace(step, pose=None) if isinstance(step, Lay | StartCard) else step


class Mistake(NamedTuple):
    """When it can be made, and how it is made and put right."""

    may_be_made: Callable[[State, list[AnyStep]], bool]
    make: Callable[[ClumsyPerson], None]
    ends: bool = False
    """The game cannot go on as it was known: the dice have been seen, and the same ones will fall."""


def layable(state: State) -> Iterator[tuple[Face, Pose]]:
    """The cards that nobody has seen yet and that could be laid, and where."""
    unseen = state.unseen()
    for face in state.setup.deck.faces:
        if unseen[face.id] and face.kind is Kind.TRACK:
            for placement in legal_placements(state, face):
                yield face, placement.pose


def chaos_cards(state: State) -> list[Face]:
    unseen = state.unseen()
    return [face for face in state.setup.deck.faces if unseen[face.id] and face.kind is Kind.CHAOS]


def acts(state: State, _: list[AnyStep]) -> bool:
    is_under_way = len(state.railway) >= 4 and not state.is_automatons_turn
    return state.phase is Phase.ACTING and is_under_way and any(layable(state))


def draws_for_betsy(state: State, _: list[AnyStep]) -> bool:
    return state.phase is Phase.DRAWING and state.is_automatons_turn and any(layable(state))


def has_laid(state: State, _: list[AnyStep]) -> bool:
    return state.phase is Phase.BUILDING and not state.is_automatons_turn


def lays_on(state: State, coming: list[AnyStep]) -> bool:
    return has_laid(state, coming) and isinstance(coming[0], Lay)


def fits_nowhere(state: State, coming: list[AnyStep]) -> bool:
    is_so = len(coming) > 1 and isinstance(coming[0], Draw) and isinstance(coming[1], Pass)
    return is_so and state.phase is Phase.DRAWING and state.is_automatons_turn


def card_of_the_hand_for_betsy(person: ClumsyPerson) -> None:
    face, pose = person.layable()
    number = person.put(face, pose)
    person.told("Drawn for Betsy")
    person.press(Button.PASS)
    person.told("back into your hand", "onto")
    person.take(number)
    person.told("Draw for Betsy")


def card_of_the_hand_taken_back_at_once(person: ClumsyPerson) -> None:
    face, pose = person.layable()
    number = person.put(face, pose)
    person.told("Drawn for Betsy")
    person.take(number)
    person.told("Draw for Betsy")


def wrong_card_drawn_for_betsy(person: ClumsyPerson) -> None:
    person.show(person.layable()[0])
    person.told("Betsy")
    person.press(Button.BACK)
    person.told("back into your hand", "onto")
    person.take_shown()
    person.told("Draw for Betsy")


def betsys_card_left_lying(person: ClumsyPerson) -> None:
    draw = person.source.steps[len(person.people.game.steps)]
    assert isinstance(draw, Draw)
    assert isinstance(draw.face, str)
    person.people.table.show(draw.face)
    person.people.look(0.8)
    face, pose = [card for card in person.people.table.cards.values() if card[0] == draw.face][-1]
    person.people.table.as_in(person.state)
    number = person.people.table.put(face, pose)
    person.told("into the box")
    person.take(number)


def chaos_shown_and_taken_back(person: ClumsyPerson) -> None:
    person.show(person.random.choice(chaos_cards(person.state)))
    person.told("pile", "Combine", "combine")
    person.press(Button.BACK)
    person.told("back into your hand", "Draw", "take")
    person.take_shown()
    person.people.look(1.0)


def wrong_second_card(person: ClumsyPerson) -> None:
    front = person.state.railway.front.face.value
    unseen = person.state.unseen()
    faces = [face for face in person.state.setup.deck.faces if unseen[face.id] and face.kind is Kind.TRACK]
    wrong = next(face for face in faces if face.value not in {front, front + 1})
    places = legal_placements(person.state, person.state.railway.front.face)
    number = person.put(wrong, places[0].pose if places else Pose(900, 900))
    person.told("Take back", "apart", "take it back")
    person.press(Button.ROLL)
    person.told("Take back", "apart", "take it back")
    person.take(number)


def card_laid_apart(person: ClumsyPerson) -> None:
    face, pose = person.layable()
    number = person.put(face, Pose(pose.x_mm + 300, pose.y_mm + 260, pose.rotation_deg))
    person.told("apart")
    person.take(number)


def emma_knocked_over(person: ClumsyPerson) -> None:
    table, emma = person.people.table, person.state.emma
    assert emma is not None
    others = [card for index, card in enumerate(person.state.railway.cards) if index != emma]
    table.emma = table.number_of(person.random.choice(others))
    person.people.look(1.0)
    person.told("Emma")
    table.as_in(person.state)
    person.people.look(1.0)


def card_of_the_railway_taken(person: ClumsyPerson) -> None:
    table = person.people.table
    table.cards.pop(table.number_of(person.state.railway.cards[0]))
    person.people.look(1.0)
    person.told("Put back")
    table.as_in(person.state)
    person.people.look(1.0)


def railway_pushed(person: ClumsyPerson) -> None:
    person.people.table.push(40, -25, 6)
    person.people.look(2.0)


def rolled_too_early(person: ClumsyPerson) -> None:
    dice = sum(card.face.value for card in person.state.railway.cards[-person.state.laid :])
    person.people.roll((0,) * dice)
    person.take_back()


def passed_by_mistake(person: ClumsyPerson) -> None:
    person.press(Button.PASS)
    person.people.wait(0.5)
    if not person.is_as_played():
        person.take_back()


def rolled_without_a_card(person: ClumsyPerson) -> None:
    person.press(Button.ROLL)
    person.told("Which")
    person.press(Button.BACK)
    person.told("Draw a card")


def light_went_out(person: ClumsyPerson) -> None:
    person.people.handle(Fault("dark"))
    person.told("Too dark")
    person.people.handle(Restored("dark"))
    person.people.look(1.0)


def other_deck_laid(person: ClumsyPerson) -> None:
    person.people.handle(Fault("strange-cards"))
    person.told("Unknown cards")
    person.people.handle(Restored("strange-cards"))
    person.people.look(1.0)


def passes(state: State, coming: list[AnyStep]) -> bool:
    return acts(state, coming) and bool(state.railway.cards) and not isinstance(coming[0], Pass)


MISTAKES: Final = {
    "the light goes out": Mistake(acts, light_went_out),
    "cards of another deck": Mistake(acts, other_deck_laid),
    "Betsy's card fits nowhere and is left lying": Mistake(fits_nowhere, betsys_card_left_lying),
    "a card of the hand laid where Betsy draws, with a press": Mistake(draws_for_betsy, card_of_the_hand_for_betsy),
    "the same, taken back at once": Mistake(draws_for_betsy, card_of_the_hand_taken_back_at_once),
    "a wrong card shown for Betsy": Mistake(draws_for_betsy, wrong_card_drawn_for_betsy),
    "a chaos card shown and taken back": Mistake(
        lambda state, coming: acts(state, coming) and bool(chaos_cards(state)), chaos_shown_and_taken_back
    ),
    "a second card that does not fit, and ROLL": Mistake(lays_on, wrong_second_card),
    "a card laid apart": Mistake(acts, card_laid_apart),
    "Emma put onto another card": Mistake(acts, emma_knocked_over),
    "a card of the railway taken away": Mistake(acts, card_of_the_railway_taken),
    "the railway pushed": Mistake(acts, railway_pushed),
    "ROLL before all cards are laid": Mistake(lays_on, rolled_too_early, ends=True),
    "PASS though a card is to be laid": Mistake(passes, passed_by_mistake),
    "ROLL without a card": Mistake(acts, rolled_without_a_card),
}
