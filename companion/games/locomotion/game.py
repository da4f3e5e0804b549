"""Locomotion as the companion sees it: all that the host asks of its records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from companion.dice.box import KINDS
from companion.games.locomotion.artwork.lying import drawing, lying
from companion.games.locomotion.artwork.picture import network_svg
from companion.games.locomotion.record.book import SOLO, LocomotionBook
from companion.games.locomotion.record.narration import closing, opening, taking_back, telling
from companion.games.locomotion.record.notation import GAME as NAME
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Game, Mode, Phase, State, points
from companion.games.locomotion.wording import Wording
from companion.games.recorded import Replayed, TakeBack
from companion.games.recorded_game import Line, Moment, Rolled, Summary, by_its_rules
from companion.games.settings import Settings
from companion.games.step import step_name
from companion.record.file import Recording
from companion.record.occasion import occasion_of

_DIE: Final = KINDS["d6"]


class Locomotion:
    """The shunting game by Helge Andersen (``companion.games.recorded_game.RecordedGame``)."""

    name = NAME
    title = "Locomotion"
    book = LocomotionBook()

    def kinds(self, settings: Settings) -> Mapping[str, str]:
        """With the die, with speed cards, and alone."""
        say = Wording(settings.language)
        return {kind: say(f"kinds.{kind}") for kind in (*Mode, SOLO)}

    def told(self, path: Path, recording: Recording, language: str) -> Iterator[Moment]:
        """The story of a game, turn by turn, each step checked against the rules."""
        say = Wording(language)
        return by_its_rules(_told(path, recording, say), say.error)

    def summary(self, path: Path, recording: Recording) -> Summary:
        """Where several play with the points of a tournament (LTRN1); alone there are none."""
        state = RECORDS.played(path, recording).state
        names = state.setup.names
        summary = Summary(state.setup.mode.value, names, len(names), state.phase is Phase.OVER)
        return summary._replace(points=_points(state), winners=_winners(state))

    def rolls(self, recording: Recording) -> Iterator[Rolled]:
        """Those that count: a roll that was taken back had been misread, or is told once more."""
        fallen: list[list[int]] = []
        for line in recording.lines:
            if line["step"] == step_name(TakeBack):
                del fallen[-line["count"] :]
            else:
                fallen.append(line.get("rolls", [line["number"]] if "number" in line else []))
        yield Rolled(_DIE, tuple(number for numbers in fallen for number in numbers))

    def picture(self, path: Path, recording: Recording, moment: int | None = None) -> str:
        """The network with all that stands on it, and the order that is wanted."""
        state = RECORDS.played(path, recording, moment).state
        title = " · ".join(filter(None, (self.title, ", ".join(state.setup.names), *occasion_of(recording.header))))
        return network_svg(state.setup.network, state, title)

    def face(self, path: Path, recording: Recording, name: str) -> str:
        """The network, a coupling, or a vehicle."""
        return drawing(RECORDS.begun(path, recording._replace(lines=[])).state.setup.network, name)


GAME: Final = Locomotion()


def _told(path: Path, recording: Recording, say: Wording) -> Iterator[Moment]:
    game = RECORDS.begun(path, recording)
    setup, before = game.state.setup, game.state
    facts = {"mode": setup.mode.value, "players": setup.names, "pieces": len(setup.network.pieces)}
    yield Moment(list(opening(before, say)), {**facts, "table": _table_facts(before)})
    for played in RECORDS.replay(path, recording, game):
        yield Moment(_lines(played, before, say), {**played.told, "table": _table_facts(game.state)})
        before = game.state
    yield Moment(list(closing(game.state, say)), _end_facts(game.state))


def _lines(played: Replayed[Game], before: State, say: Wording) -> list[Line]:
    after = played.game.state
    if played.taken_back:
        return list(taking_back(after, played.taken_back, say))
    return list(telling(before, played.game.steps[-1], after, say))


def _table_facts(state: State) -> dict[str, Any]:
    rows = [state.stock.row_of(locomotive) for locomotive in state.drawn]
    return {
        "phase": state.phase.value,
        "turn": state.turns,
        "active": state.active,
        "left": state.left,
        "speeds": state.speeds,
        "order": state.order,
        "trains": [[state.setup.colours[wagon] for wagon in row[1:]] for row in rows],
        **lying(state),
    }


def _end_facts(state: State) -> dict[str, Any]:
    return {
        "finished": state.phase is Phase.OVER,
        "turns": state.turns,
        "points": _points(state) or None,
        "winners": _winners(state) or None,
    }


def _points(state: State) -> tuple[int, ...]:
    return points(state) if state.phase is Phase.OVER and state.setup.players > 1 else ()


def _winners(state: State) -> tuple[str, ...]:
    return () if state.winner is None else (state.setup.names[state.winner],)
