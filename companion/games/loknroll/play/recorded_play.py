"""A game of LOK'n'ROLL that is played: its controller, and the journal that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.dice.box import SYSTEM, Source
from companion.games.at_table.tape import Tape
from companion.games.events import Effect, Event
from companion.games.game import Chapter, Present, Seats
from companion.games.loknroll.play.controller import Controller
from companion.games.loknroll.play.dialogs.tapping import corrections, moment, table_cards
from companion.games.loknroll.play.notes import NotesFile
from companion.games.loknroll.record.notation import dice_in
from companion.games.loknroll.record.recorded_game import resume_recorded, start_recorded
from companion.games.loknroll.rulebook.chapters import Table, chapters
from companion.games.loknroll.rules import Game, Phase, Roll, State
from companion.games.loknroll.rules.building import dice_to_roll
from companion.games.loknroll.rules.railway.railway import middle_of_track
from companion.games.loknroll.rules.scoring import scores
from companion.games.loknroll.settings import NAME
from companion.games.loknroll.strategy.odds import odds
from companion.games.recorded import Journal
from companion.games.settings import Settings
from companion.record.occasion import Clock
from hardware.buttons import Button
from vision.cards import Deck, Pose

CurveOf = Callable[[State], Sequence[int]]
"""Tells past results of the solo player whose game it is."""

EMMA: Final = "Emma"
"""The figure of that name."""


class RecordedPlay:
    """A controller whose game is on the disk (``companion.games.game.Play``)."""

    game = NAME

    def __init__(self, controller: Controller, journal: Journal) -> None:
        """``journal`` witnesses the controller's game."""
        self.controller = controller
        self._journal = journal
        self._odds: tuple[State, dict[str, Any] | None] | None = None
        """The odds of the state that was asked for last: a page asks several times a second."""

    @property
    def settings(self) -> Settings:
        return self.controller.settings

    @property
    def expected_faces(self) -> Collection[str]:
        return self.controller.expected_faces

    @property
    def held_buttons(self) -> Collection[Button]:
        return self.controller.held_buttons

    @property
    def kind(self) -> str:
        """The mode."""
        return self._state.setup.mode.value

    @property
    def is_over(self) -> bool:
        """Whether the score sheet is up."""
        return self._state.phase is Phase.OVER

    @property
    def is_set_up(self) -> bool:
        return self._state.phase is not Phase.SETTING_UP

    @property
    def seats(self) -> Seats:
        """The people, and the automaton behind them."""
        setup = self._state.setup
        return Seats(setup.names, setup.mode.persons)

    @property
    def deck(self) -> Deck:
        return self._state.setup.deck

    @property
    def _state(self) -> State:
        return self.controller.game.state

    def handle(self, event: Event) -> list[Effect]:
        return self.controller.handle(event)

    def facts(self) -> Mapping[str, object]:
        """The railway from rear to front, Emma's index, piles, points, cards left and whose turn it is.

        Where places are checked also ``cards`` and ``figures``: how they lie. ``roll`` is the last roll, ``odds`` what
        the one holds that may come now; each None where there is none.
        """
        return {**state_facts(self._state), "roll": last_roll(self.controller.game), "odds": self._odds_now()}

    def _odds_now(self) -> dict[str, Any] | None:
        state = self._state
        if self._odds is None or self._odds[0] is not state:
            self._odds = state, odds_facts(state)
        return self._odds[1]

    def drawing(self, name: str) -> str:  # noqa: ARG002 - as every play is asked
        """None: its deck has pictures of all faces."""
        return ""

    def called(self, language: str) -> Mapping[str, str]:  # noqa: ARG002
        return {}

    def present(self) -> Present:
        """What may be tapped now, and what was forbidden."""
        desk = self.controller.desk
        return Present(moment(desk), desk.disputes.forbidden, table_cards(desk))

    def corrections(self, card: int) -> Sequence[str]:
        """The same faces as the buttons offer."""
        return corrections(self.controller.desk, card)

    def rules(self, language: str) -> Sequence[Chapter]:
        """Those of its edition, deck and mode."""
        setup = self._state.setup
        return chapters(Table(setup.edition, setup.deck, [setup.mode], setup.rails), language)

    def close(self) -> None:
        self._journal.close()


def state_facts(state: State) -> dict[str, Any]:
    """A state as plain data, faces by their ids."""
    return {
        "mode": state.setup.mode.value,
        "phase": state.phase.value,
        "turn": state.turn + 1,
        "active": state.active,
        "railway": [face.id for face in state.railway.faces],
        "emma": state.emma,
        "draw_pile": state.draw_pile,
        "hands": [player.hand for player in state.players],
        "piles": [[face.id for face in player.pile] for player in state.players],
        "points": [score.points for score in scores(state)],
        **lying(state),
    }


def lying(state: State) -> dict[str, Any]:
    """Where the cards lie from rear to front, and Emma, in mm and degrees; nothing where places are not checked."""
    if not state.setup.rails:
        return {}
    cards = [(card.face.id, card.pose) for card in state.railway.cards if card.pose is not None]
    stands = [] if state.emma is None else [(EMMA, middle_of_track(state.railway.cards[state.emma]))]
    return {
        "cards": [{"face": face, **_place(pose)} for face, pose in cards],
        "figures": [{"name": name, **_place(pose)} for name, pose in stands],
    }


def _place(pose: Pose) -> dict[str, float]:
    rounded = pose.rounded()
    return {"x": rounded.x_mm, "y": rounded.y_mm, "turn": rounded.rotation_deg % 360}


def last_roll(game: Game) -> dict[str, Any] | None:
    """Who rolled last (a seat), the wheels on each die, and what came of it; faces of penalty cards by their ids."""
    for at in range(len(game.steps) - 1, -1, -1):
        step = game.steps[at]
        if isinstance(step, Roll):
            outcome = game.states[at + 1].outcome
            return {
                "player": game.states[at].active,
                "dice": list(step.dice),
                "moved": outcome.moved,
                "missing": outcome.missing,
                "taken": [face.id for face in outcome.taken],
            }
    return None


def odds_facts(state: State) -> dict[str, Any] | None:
    """What the dice hold for the cards laid in this turn; None before one is laid.

    The chances are exact but for what a floating point number cannot hold: the dice are fair, and all else lies open.
    ``cards``, ``points`` and ``pile_change`` are averages of ``companion.games.loknroll.strategy.odds.Odds``, of the
    ``outcomes`` their numbers.
    """
    if state.phase is not Phase.BUILDING or state.emma is None:
        return None
    dice = dice_to_roll(state)
    held = odds(state.railway, state.emma, state.setup.edition.die, dice, state.player.pile)
    return {
        "dice": dice,
        "derailing": float(held.derailing),
        "cards": float(held.expected_cards),
        "points": float(held.expected_points),
        "pile_change": float(held.expected_pile_change),
        "outcomes": [{**msgspec.structs.asdict(chance), "chance": float(chance.chance)} for chance in held.chances],
    }


def begun(
    path: Path,
    start: State,
    settings: Settings,
    source: Source = SYSTEM,
    curve_of: CurveOf = lambda _: (),
    *,
    clock: Clock | None = None,
) -> RecordedPlay:
    """A new game with its record and notes. Raises RecordError."""
    game, journal = start_recorded(path, start, settings.occasion, clock)
    curve = curve_of(start)
    return RecordedPlay(Controller(game, settings, source=source, notes=notes_beside(path), curve=curve), journal)


def resumed(
    path: Path,
    settings: Settings,
    source: Source = SYSTEM,
    curve_of: CurveOf = lambda _: (),
    *,
    clock: Clock | None = None,
) -> RecordedPlay:
    """A recorded game where it stood, with the dice that it knows; raises RecordError."""
    game, journal, recording = resume_recorded(path, clock)
    try:
        tape, curve = Tape.of_record(recording.lines, dice_in), curve_of(game.state)
        notes = notes_beside(path)
        return RecordedPlay(Controller(game, settings, source=source, tape=tape, notes=notes, curve=curve), journal)
    except Exception:
        journal.close()
        raise


def notes_beside(path: Path) -> NotesFile:
    """The notes of the game that is recorded in this file."""
    return NotesFile(path.with_suffix(".notes"))
