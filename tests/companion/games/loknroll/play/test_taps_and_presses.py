"""Two phones and the buttons at once, in any order: the game is always what its record tells."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.events import Corrected, Event, Pressed, Seen, TakenBack, Tick
from companion.games.game import Present
from companion.games.loknroll.play.recorded_play import RecordedPlay, resumed
from companion.games.loknroll.record.recorded_game import recorded_start, replay, save_recorded
from companion.games.loknroll.rules import Game, Mode, State
from companion.games.settings import Settings
from companion.record.file import read_record
from hardware.buttons import Button
from tests.companion.games.loknroll.play.scripted_table import TableTop, dealt
from vision.cards import Motion, Pose

PHONES: Final = 2
EVENTS: Final = 40

number = st.integers(0, 30)
happening = st.one_of(
    st.tuples(st.just("tap"), st.integers(0, PHONES - 1), number, number),
    st.tuples(st.just("back"), st.integers(0, PHONES - 1)),
    st.tuples(st.just("looks"), st.integers(0, PHONES - 1)),
    st.tuples(st.just("press"), st.sampled_from(Button), st.booleans()),
    st.tuples(st.just("card"), number, number),
    st.tuples(st.just("tidy")),
    st.tuples(st.just("wait"), st.sampled_from((0.5, 4.0))),
    st.tuples(st.just("restart")),
)


class Evening:
    """A game in its midst, two phones that show what they looked at last, and a table under a camera or none."""

    def __init__(self, folder: Path, mode: Mode, seed: int, at: float, *, has_camera: bool) -> None:
        whole = dealt(mode, seed)
        game = Game(whole.states[0])
        for step in whole.steps[: int(at * len(whole.steps))]:
            game.do(step)
        self.path = folder / "game.jsonl"
        save_recorded(self.path, game)
        self.random, self.settings, self.now = Random(seed), Settings(has_camera=has_camera), 0.0
        self.table = TableTop(Random(seed), noise=0.0)
        self.table.shift = Motion()
        self.play: RecordedPlay
        self._sit_down()
        self.phones = [self.play.present()] * PHONES

    def _sit_down(self) -> None:
        self.play = resumed(self.path, self.settings, self.random)
        self._tidy()
        self._wait(4.0)

    @property
    def state(self) -> State:
        return self.play.controller.game.state

    def happens(self, kind: str, *what: object) -> None:
        getattr(self, f"_{kind}")(*what)
        self._check()

    def _handle(self, event: Event) -> None:
        self.play.handle(event)

    def _tap(self, phone: int, card: int, face: int) -> None:
        shown = self.phones[phone]
        if not shown.cards:
            return
        tapped = shown.cards[card % len(shown.cards)]
        faces = self.play.corrections(tapped.card) or [each.id for each in self.play.deck.faces]
        is_there = any((now.card, now.face) == (tapped.card, tapped.face) for now in self.play.present().cards)
        self._asked(Corrected(tapped.card, tapped.face, faces[face % len(faces)]), is_late=not is_there)

    def _back(self, phone: int) -> None:
        shown = self.phones[phone]
        self._asked(TakenBack(shown.moment), is_late=shown.moment != self.play.present().moment)

    def _asked(self, event: Event, *, is_late: bool) -> None:
        before, told = self.path.read_bytes(), self.play.present()
        dialog = self.play.controller.desk.dialog
        self._handle(event)
        if is_late:
            assert self.path.read_bytes() == before
            assert self.play.present() == told
            assert self.play.controller.desk.dialog is dialog

    def _looks(self, phone: int) -> None:
        self.phones[phone] = self.play.present()

    def _press(self, button: Button, held: bool) -> None:
        self._handle(Pressed(button, held))

    def _card(self, face: int, place: int) -> None:
        faces = self.state.setup.deck.faces
        railway = self.state.railway.cards
        pose = railway[-1].pose if railway else None
        there = (pose or Pose(0, 0)).moved(0, -88 * (1 + place % 3), 90 * (place % 4))
        self.table.put(faces[face % len(faces)].id, there)
        self._sees()

    def _tidy(self) -> None:
        self.table.as_in(self.state)
        self._sees()

    def _sees(self) -> None:
        if self.settings.has_camera:
            self._handle(Seen(self.table.reading()))
            self._wait(0.5)
            self._handle(Seen(self.table.reading()))
        self._wait(0.5)

    def _wait(self, seconds: float) -> None:
        self.now += seconds
        self._handle(Tick(self.now))

    def _restart(self) -> None:
        facts = self.play.facts()
        self.play.close()
        self.play = resumed(self.path, self.settings, self.random)
        assert self.play.facts() == facts
        self.now = 0.0
        self._tidy()

    def _check(self) -> None:
        """The record tells the game; what a page is told of it is there, and each card is told once."""
        recording = read_record(self.path)
        game = recorded_start(self.path, recording)
        for _ in replay(self.path, recording, game):
            pass
        assert game.state == self.state
        assert game.steps == self.play.controller.game.steps
        told: Present = self.play.present()
        assert len({card.card for card in told.cards}) == len(told.cards)
        row = [card.face for card in told.cards if card.place is not None]
        assert row == self.play.facts()["railway"]
        clauses = {clause.id for chapter in self.play.rules("en") for clause in chapter.clauses}
        assert told.forbidden in {"", *clauses}


@pytest.mark.long
@given(
    mode=st.sampled_from((Mode.TWO, Mode.BETSY, Mode.SOLO_HARD)),
    seed=st.integers(0, 5),
    at=st.floats(0, 1),
    has_camera=st.booleans(),
    happenings=st.lists(happening, min_size=5, max_size=EVENTS),
)
def test_the_game_is_what_its_record_tells_whoever_taps_or_presses(
    mode: Mode, seed: int, at: float, has_camera: bool, happenings: list[tuple[str, ...]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder), mode, seed, at, has_camera=has_camera)
        try:
            for kind, *what in happenings:
                evening.happens(kind, *what)
        finally:
            evening.play.close()
