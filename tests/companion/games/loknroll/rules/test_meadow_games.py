"""Whole games that other people's programs have played and laid out in millimetres, through our rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games.loknroll.rules import (
    Begin,
    Discard,
    Draw,
    EndTurn,
    Game,
    Lay,
    LayOpen,
    Mode,
    Pass,
    Phase,
    Put,
    Roll,
    StartCard,
    State,
    load_edition,
    result,
    set_up,
)
from vision.cards import Pose
from vision.files import read_deck

SHARED = Path(__file__).parents[6] / "shared"
GAMES = ["meadow-betsy", "meadow-two", "meadow-hard"]

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the pictured games in ../shared are not here")


def start(scenes: list[Any], log: list[Any], mode: Mode, *, rails: bool) -> Game:
    names = [f"player {number + 1}" for number in range(mode.persons)]
    game = Game(set_up(load_edition("german"), read_deck(SHARED / "decks/meadow"), mode, names, rails=rails))
    for card in scenes[0]["cards"]:
        game.do(StartCard(card["face"], Pose(card["x"], card["y"], card["rot"]) if rails else None))
    game.do(Begin(log[0]["player"]))
    return game


def laid_poses(scenes: list[Any], turn: int, count: int) -> list[Pose]:
    scene = [scene for scene in scenes if scene["why"] == "laid" and scene["turn"] == turn][-1]
    return [Pose(card["x"], card["y"], card["rot"]) for card in scene["cards"][-count:]]


def play_turn(game: Game, entry: dict[str, Any], poses: list[Pose]) -> None:
    automatic = game.state.is_automatons_turn
    game.do(Draw(entry["drawn"] if automatic else None))
    combined = iter(entry["combined"])
    match entry["action"]:
        case "build":
            for face, pose in zip(entry["cards"], poses, strict=True):
                game.do(Lay(face, pose))
            if not automatic:
                game.do(Roll(tuple(entry["dice"])))
            drive = game.state.outcome
            assert drive.missing == entry["missing"]
            assert drive.moved + drive.missing == entry["steps"]
        case "pass":
            game.do(Pass())
        case "chaos" if not automatic:
            for face in entry["cards"]:
                game.do(Discard(face, next(combined)))
            game.do(EndTurn())
    if not automatic:
        for face in entry.get("penalties", ()):
            game.do(Put(face, next(combined)))


def check_table(state: State, entry: dict[str, Any]) -> None:
    assert [face.id for face in state.railway.faces] == entry["railway"]
    assert state.emma == entry["emma"]
    assert state.draw_pile == entry["draw_left"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("rails", [True, False], ids=["rails", "list"])
def test_every_turn_ends_as_in_the_pictured_game(name: str, rails: bool) -> None:
    told = json.loads((SHARED / "frames" / name / "game.json").read_text())
    game = start(told["scenes"], told["log"], Mode(told["mode"]), rails=rails)
    for turn, entry in enumerate(told["log"]):
        assert game.state.active == entry["player"]
        count = len(entry.get("cards", ())) if entry["action"] == "build" else 0
        poses = laid_poses(told["scenes"], turn, count) if count and rails else [None] * count
        play_turn(game, entry, poses)
        check_table(game.state, entry)
    lay_hands_open(game, told)
    assert [[face.id for face in player.pile] for player in game.state.players] == told["piles"]
    scores = result(game.state).scores
    assert [score.cards for score in scores] == told["counts"]
    points = [score.points for score in scores]
    if game.state.setup.automaton is not None:  # the told points are values, the automaton's result is its cards
        points[1] = sum(face.value for face in game.state.players[1].pile)
    assert points == told["points"]


def lay_hands_open(game: Game, told: dict[str, Any]) -> None:
    for number, player in enumerate(game.state.players):
        if player.hand:
            game.do(LayOpen(number, tuple(told["piles"][number][-player.hand :])))
    assert game.state.phase is Phase.OVER
