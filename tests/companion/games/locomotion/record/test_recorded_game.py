"""Games of Locomotion on the disk."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.locomotion.record import notation
from companion.games.locomotion.record.recorded_game import RECORDS
from companion.games.locomotion.rules import Couple, EndTurn, Game, Phase, Roll, Run, legal_steps
from companion.record.file import RecordError, read_record, write_record
from tests.companion.games.locomotion.rules.networks import LINE, PINWHEEL, game_on
from tests.companion.games.locomotion.rules.test_random_games import new_game


def played(random: Random, game: Game, steps: int) -> None:
    for _ in range(steps):
        legal = list(legal_steps(game.state))
        if not legal:
            return
        moving = [step for step in legal if not isinstance(step, EndTurn)]
        game.do(random.choice(moving or legal))
        if random.random() < 0.1:
            game.take_back(random.randint(1, min(3, len(game.steps))))


@pytest.mark.parametrize("seed", range(20, 28))
def test_a_game_goes_on_where_its_record_ends(tmp_path: Path, seed: int) -> None:
    random, path = Random(seed), tmp_path / "game.jsonl"
    game, journal = RECORDS.start(path, new_game(random))
    played(random, game, 40)
    journal.close()
    resumed = RECORDS.resume(path)
    assert resumed.game.state == game.state
    assert resumed.game.steps == game.steps
    played(random, resumed.game, 20)
    resumed.journal.close()
    again = RECORDS.resume(path)
    assert again.game.state == resumed.game.state
    again.journal.close()


def test_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, journal = RECORDS.start(path, new_game(Random(3)))
    played(Random(4), game, 12)
    journal.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    resumed = RECORDS.resume(path)
    resumed.journal.close()
    assert len(resumed.game.steps) <= len(game.steps)
    assert len(read_record(path).lines) == whole.count(b"\n") - 2


def test_a_game_that_was_played_can_be_saved(tmp_path: Path) -> None:
    game = new_game(Random(5))
    played(Random(6), game, 30)
    # A history forgets what was taken back, so its record does not tell it either.
    RECORDS.save(tmp_path / "game.jsonl", game)
    resumed = RECORDS.resume(tmp_path / "game.jsonl")
    resumed.journal.close()
    assert resumed.game.state == game.state


def test_what_follows_from_a_step_is_told(tmp_path: Path) -> None:
    game = game_on(LINE, [(0, 0), (3, 0)], [[(4, 0), (7, 0)], [(5, 0), (8, 0)]], order=(1, 2))
    for step in (Roll(1), EndTurn(), Roll(2), Couple(2), Couple(4)):
        game.do(step)
    RECORDS.save(tmp_path / "game.jsonl", game)
    recording = read_record(tmp_path / "game.jsonl")
    assert recording.header["game"] == "locomotion"
    assert recording.lines[1] == {"step": "roll-off", "rolls": [6, 1], "then": {"begins": "Ann"}}
    assert recording.lines[-1] == {"turn": 2, "player": "Ben", "step": "couple", "wagon": 4, "then": {"won": "Ben"}}
    assert game.state.phase is Phase.OVER


@pytest.mark.parametrize(
    ("line", "change", "reason"),
    [
        (3, {"player": "Ben"}, "'player'"),
        (3, {"turn": 9}, "'turn'"),
        (3, {"then": {"won": "Ann"}}, "'then'"),
        (3, {"to": [7, 7]}, "no dot at"),
        (3, {"step": "fly"}, "cannot be read"),
        (3, {"to": "there"}, "cannot be read"),
        (2, {"number": 7}, "1 to 6"),
    ],
)
def test_a_line_that_was_tampered_with_is_told(
    tmp_path: Path, line: int, change: dict[str, object], reason: str
) -> None:
    game = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)]])
    for step in (Roll(2), Run((1, 0))):
        game.do(step)
    states = game.states
    lines: list[dict[str, Any]] = [
        notation.line(*moment) for moment in zip(states, game.steps, states[1:], strict=False)
    ]
    lines[line - 1] |= change
    path = tmp_path / "game.jsonl"
    write_record(path, notation.header(game.states[0]), lines)
    with pytest.raises(RecordError, match=reason) as refused:
        RECORDS.resume(path)
    assert refused.value.line == line + 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "loknroll"}, "not of 'locomotion'"),
        ({"pieces": []}, "1 to 45"),
        ({"pieces": [[[0, 0], "E"], [[1, 0], "E"]]}, "Two pieces"),
        ({"piece": {"name": "T", "cells": [], "passages": []}}, "no piece"),
        ({"players": ["A" * 1000]}, "letters"),
        ({"players": []}, "Players: 0"),
        ({"locomotives": [[9, 9]]}, "no dot"),
        ({"knobs": {"gap": "wide"}}, "cannot be read"),
        ({"mode": "fast"}, "cannot be read"),
        ({"wagons": [[[0, 0]]] * 1000}, "2 to 4"),
    ],
)
def test_a_set_up_that_cannot_be_is_told(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    game = game_on(PINWHEEL, [(2, 0)], [[(1, 3)], [(-2, 2)]])
    path = tmp_path / "game.jsonl"
    write_record(path, json.loads(json.dumps(notation.header(game.states[0]) | change)), [])
    with pytest.raises(RecordError, match=reason) as refused:
        RECORDS.resume(path)
    assert refused.value.line == 1
