"""Whole games by what an eye would see: in each mode, with each knob, with automatic players, with power cuts."""

from pathlib import Path
from random import Random

import pytest

from companion.games.locomotion.game import GAME
from companion.games.locomotion.settings import AUTOMATIC
from companion.record.file import read_record
from tests.companion.games.every_game import check_told
from tests.companion.games.locomotion.play.people_at_table import settings_of
from tests.companion.games.locomotion.play.whole_game import WholeGame

KNOBS = (
    {},
    {"reverse_in_turn": False},
    {"gap": "a_dot"},
    {"behind": "back_only"},
    {"reverse_in_turn": False, "gap": "a_dot", "behind": "back_only"},
)


def check_game(folder: Path, kind: str, seed: int, most_turns: int, kills: float, **own: object) -> int:
    """Plays a game and returns how often people had to correct what was taken for it."""
    game = WholeGame(folder, kind, settings_of(lot=seed, **own), seed, player=("greedy", "good")[seed % 2], kills=kills)
    try:
        counted = game.play(most_turns)
        assert counted.turns >= 1
        recording = read_record(game.people.keep.record)
        assert {line["step"] for line in recording.lines} <= {
            *("draw-lots", "roll-off", "roll", "choose-speed", "run", "couple", "uncouple", "end-turn"),
            "take-back",
        }
        check_told(GAME, game.people.keep.record, game.people.play)
        return counted.corrections
    finally:
        game.people.play.close()


@pytest.mark.parametrize("kind", ["die", "speed"])
@pytest.mark.parametrize("automatic", [(), ("greedy",)], ids=["people", "automatic"])
def test_a_game_is_played_to_its_end(kind: str, automatic: tuple[str, ...], tmp_path: Path) -> None:
    check_game(tmp_path, kind, 3, 12, 0.1, automatic=automatic, people=2 - len(automatic))


@pytest.mark.further
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("kind", ["die", "speed"])
def test_games_of_any_kind_are_played_to_their_end(kind: str, seed: int, tmp_path: Path) -> None:
    random = Random(f"{kind} {seed}")
    people = random.randrange(1, 5)
    automatic = tuple(random.choice(AUTOMATIC) for _ in range(random.randrange(max(people == 1, 0), 5 - people)))
    own = {"people": people, "automatic": automatic, "colours": random.choice((2, 3, 4)), "piece": random.choice("TXD")}
    network = random.choice(("pinwheel-with-tail", "key", "two-rings", "by-lot", "crank", "clover", "snowflake"))
    check_game(tmp_path, kind, seed, 30, 0.05, network=network, pieces=12, **own, **random.choice(KNOBS))
