"""The process may be killed at any moment: it goes on where it was, with the same dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.at_table.tape import Tape
from companion.games.events import Corrected, Pressed
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.dialogs.corrections import planned
from companion.games.loknroll.play.dialogs.tapping import corrections, table_cards
from companion.games.loknroll.play.dialogs.which_card import WhichCard
from companion.games.loknroll.play.notes import Notes, NotesFile
from companion.games.loknroll.record.notation import dice_in
from companion.games.loknroll.record.recorded_game import resume_recorded, start_recorded
from companion.games.loknroll.rules import (
    AnyStep,
    Discard,
    Draw,
    Game,
    Lay,
    LayOpen,
    Mode,
    Pass,
    Phase,
    Roll,
    StartCard,
    State,
)
from companion.games.settings import Settings
from companion.record.file import RecordError, read_record
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import Fate, Player, dealt, fresh


class PowerCutError(BaseException):
    """The machine stands still."""


class FrailWitness:
    """Passes everything on, and then breaks down once its time has come."""

    def __init__(self, witness: object, lives: int) -> None:
        self.witness = witness
        self.lives = lives

    def _live(self) -> None:
        self.lives -= 1
        if self.lives == 0:
            raise PowerCutError

    def step(self, *what: object) -> None:
        self.witness.step(*what)  # type: ignore[attr-defined]
        self._live()

    def take_back(self, count: int) -> None:
        self.witness.take_back(count)  # type: ignore[attr-defined]
        self._live()


class Device:
    """A companion with a record on a disk that can be switched off and on."""

    def __init__(self, path: Path, mode: Mode, seed: int) -> None:
        self.path = path
        self.fate = Fate()
        game, self.journal = start_recorded(path, fresh(mode))
        self.people = Player(self.controller(game, Tape()), self.fate, Random(seed), noise=0.2)

    def controller(self, game: Game, tape: Tape) -> Controller:
        return Controller(game, Settings(), source=self.fate, tape=tape, notes=self.notes)

    @property
    def notes(self) -> NotesFile:
        """The notes as a restart finds them."""
        return NotesFile(self.path.with_suffix(".notes"))

    def switch_on(self, source: Game) -> None:
        """After a power cut: people look at the screen and go on with what is to be done."""
        self.switch_off_and_on()
        self.people.table.as_in(source.states[len(self.people.game.steps)])
        self.people.look()

    def switch_off_and_on(self) -> None:
        """A power cut, while all lies as it lay."""
        self.journal.close()
        tape = Tape.of_record(read_record(self.path).lines, dice_in)
        resumed = resume_recorded(self.path)
        self.journal = resumed.journal
        old = self.people
        self.people = Player(self.controller(resumed.game, tape), self.fate, Random(1), noise=0.2)
        self.people.table = old.table
        self.fate.coming.clear()


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Callable[..., Device]]:
    made: list[Device] = []

    def make(mode: Mode, seed: int) -> Device:
        made.append(Device(tmp_path / f"{len(made)}.jsonl", mode, seed))
        return made[-1]

    yield make
    for each in made:
        each.journal.close()


def faces_and_dice(game: Game) -> list[list[object]]:
    return [[getattr(step, name, None) for name in ("face", "dice", "faces", "combine")] for step in game.steps]


@pytest.mark.parametrize(("mode", "seed"), [(Mode.SOLO_HARD, 4), (Mode.BETSY, 2), (Mode.THREE, 1)])
def test_killed_hundreds_of_times_the_game_ends_the_same(device: Callable[..., Device], mode: Mode, seed: int) -> None:
    source = dealt(mode, seed)
    random = Random(seed)
    cuts = 0
    for _ in range(3):
        frail = device(mode, seed)
        while frail.people.game.state.phase is not Phase.OVER:
            game = frail.people.game
            game.witness = FrailWitness(game.witness, random.randint(1, 4))
            try:
                frail.people.play(source)
            except PowerCutError:
                cuts += 1
                frail.switch_on(source)
        assert faces_and_dice(frail.people.game) == faces_and_dice(source)
    assert cuts > 30


def test_dice_that_were_taken_back_fall_again_after_a_restart(device: Callable[..., Device]) -> None:
    source = dealt(Mode.TWO, 0)
    companion = device(Mode.TWO, 0)
    at = next(index for index, step in enumerate(source.steps) if isinstance(step, Roll))
    companion.people.play(source, at + 1)
    fallen = companion.people.game.steps[at]
    while len(companion.people.game.steps) > at:
        companion.people.press(Button.BACK, held=True)
    companion.switch_on(source)
    companion.people.handle(Pressed(Button.ROLL))
    assert companion.people.game.steps[at] == fallen
    assert "take-back" in [line["step"] for line in read_record(companion.path).lines]


def is_asked(companion: Device) -> bool:
    return isinstance(companion.people.controller.desk.dialog, WhichCard)


@pytest.mark.parametrize("kind", [StartCard, Draw, Lay, Discard, LayOpen])
def test_a_question_is_asked_again_after_a_power_cut_and_an_answer_is_kept(
    device: Callable[..., Device], kind: type[AnyStep]
) -> None:
    """The card lies there all the time, and is always read as another one first."""
    mode = Mode.BETSY if kind is Draw else Mode.TWO
    source = dealt(mode, 2)
    at = next(
        index
        for index, step in enumerate(source.steps)
        if isinstance(step, kind) and getattr(step, "face", True) and not getattr(step, "combine", False)
    )
    companion = device(mode, 2)
    companion.people.play(source, at)
    top = companion.people.table
    top.as_in(source.states[at])
    companion.people.look(4.0)
    step = source.steps[at]
    face = step.faces[0] if isinstance(step, LayOpen) else step.face  # type: ignore[union-attr]
    number = top.put(face, step.pose) if isinstance(step, (StartCard, Lay)) and step.pose else top.show(face)
    top.cards[number], top.unclear[number] = (other_than(source.states[at], step, face), top.cards[number][1]), (face,)
    for _ in range(2):
        companion.people.look(1.0)
        assert is_asked(companion)
        assert len(companion.people.game.steps) == at
        companion.switch_off_and_on()
    companion.people.look(1.0)
    companion.people.press(Button.UP)
    companion.people.look(1.0)
    done = len(companion.people.game.steps)
    for _ in range(3):
        assert not is_asked(companion)
        assert len(companion.people.game.steps) == done
        if isinstance(step, LayOpen):
            assert companion.people.controller.desk.hand == (face,)
        else:
            assert companion.people.game.steps[at].face == face  # type: ignore[union-attr]
        companion.switch_off_and_on()
        companion.people.look(1.0)


def other_than(state: State, step: AnyStep, face: str) -> str:
    """Another card that could have come in the place of this one, for all that is known."""
    unseen = state.unseen()
    deck = state.setup.deck
    others = [other for other in deck.faces if unseen[other.id] and other.value != deck[face].value]
    others = [other for other in others if (other.kind, other.ports) == (deck[face].kind, deck[face].ports)]
    if isinstance(step, LayOpen):
        return others[0].id
    plain = {"combine": False} if isinstance(step, Discard) else {}
    return next(other.id for other in others if Game(state).can(replace(step, face=other.id, **plain)))


def test_half_a_hand_is_remembered(device: Callable[..., Device]) -> None:
    source = dealt(Mode.TWO, 2)
    at = next(index for index, step in enumerate(source.steps) if isinstance(step, LayOpen))
    companion = device(Mode.TWO, 2)
    companion.people.play(source, at)
    companion.people.table.as_in(source.states[at])
    companion.people.look(4.0)
    step = source.steps[at]
    assert isinstance(step, LayOpen)
    companion.people.table.show(step.faces[0])
    companion.people.look()
    companion.switch_on(source)
    assert companion.people.controller.desk.hand == step.faces[:1]
    companion.people.play(source)
    assert faces_and_dice(companion.people.game) == faces_and_dice(source)


def test_a_correction_that_was_cut_off_is_finished(device: Callable[..., Device]) -> None:
    companion = device(Mode.TWO, 2)
    source = dealt(Mode.TWO, 2)
    companion.people.play(source, 3)
    game = companion.people.game
    redo = (StartCard("track-1-left", game.steps[2].pose),)  # type: ignore[union-attr]
    companion.notes.keep(Notes(redo=redo, redo_from=2))
    game.take_back(1)
    companion.switch_on(source)
    assert len(companion.people.game.steps) == 3
    assert companion.people.game.steps[2] == redo[0]
    assert companion.notes.read().redo == ()


def test_a_card_of_long_ago_is_corrected_wherever_the_power_is_cut(device: Callable[..., Device]) -> None:
    """Either nothing has changed, or all that came later is there again."""
    source = dealt(Mode.TWO, 4)
    at = next(
        index for index, state in enumerate(source.states) if len(state.railway) > 5 and state.phase is Phase.ACTING
    )
    corrected = cuts = 0
    for lives in range(1, 60):
        companion = device(Mode.TWO, 4)
        companion.people.play(source, at)
        game = companion.people.game
        cards, face = next(
            (card, plan)
            for card in table_cards(companion.people.controller.desk)
            if card.place is not None
            for plan in whole_plans(companion, card.card)
        )
        before, game.witness = game.steps, FrailWitness(game.witness, lives)
        try:
            companion.people.handle(Corrected(cards.card, cards.face, face))
        except PowerCutError:
            cuts += 1
            companion.switch_off_and_on()
        steps = companion.people.game.steps
        assert len(steps) == len(before)
        corrected += steps != before
        if game.witness.lives > 0:
            break
    assert corrected == cuts + 1 > 5


def whole_plans(companion: Device, card: int) -> Iterator[str]:
    desk = companion.people.controller.desk
    for face in corrections(desk, card):
        if planned(desk, card, desk.state.setup.deck[face]).refusal is None:
            yield face


def test_a_full_disk_is_told_and_nothing_counts_before_there_is_room(device: Callable[..., Device]) -> None:
    source = dealt(Mode.TWO, 0)
    companion = device(Mode.TWO, 0)
    at = next(index for index, step in enumerate(source.steps) if isinstance(step, Pass))
    companion.people.play(source, at)
    before = companion.people.game.states

    class FullDisk:
        def step(self, *what: object) -> None:
            raise RecordError(companion.path, "cannot be written: No space left on device.")

    game = companion.people.game
    witness, game.witness = game.witness, FullDisk()  # type: ignore[assignment]
    companion.people.press(Button.PASS)
    assert game.states == before
    assert companion.people.screen.alert
    assert "Make room" in " ".join(companion.people.screen.lines)
    game.witness = witness
    companion.people.wait(1.0)
    assert companion.people.screen.alert
    companion.people.press(Button.PASS)
    assert not companion.people.screen.alert
    companion.people.play(source)
    assert faces_and_dice(game) == faces_and_dice(source)
