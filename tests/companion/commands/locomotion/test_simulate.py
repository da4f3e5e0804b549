"""Many games between automatic players."""

import json
from typing import Any

import pytest

from companion.commands.cli import main
from companion.commands.locomotion.game_arguments import network_for
from companion.commands.locomotion.simulate import interval
from companion.games.locomotion.networks.shape import shape_of
from companion.games.locomotion.rules import Network

SMALL = "locomotion simulate --network pinwheel-with-tail --colours 2 --seed 5 --turns 20 --language en"


def told(capsys: pytest.CaptureFixture[str], arguments: str) -> dict[str, Any]:
    assert main([*SMALL.split(), *arguments.split(), "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_who_looks_ahead_wins_more_often_and_all_games_count(capsys: pytest.CaptureFixture[str]) -> None:
    answer = told(capsys, "--games 6 --players good,random --processes 2")
    good, random = answer["players"]
    assert good["wins"] > random["wins"]
    assert good["wins"] + random["wins"] + answer["undecided"] == 6 == len(answer["games"])
    assert good["low"] < good["share"] < good["high"] or good["share"] in {0, 1}
    assert good["longest"] >= good["seconds"] > 0


def test_the_same_seed_plays_the_same_games_whatever_the_processes(capsys: pytest.CaptureFixture[str]) -> None:
    one, two = (told(capsys, f"--games 4 --players greedy,random --processes {count}")["games"] for count in (1, 2))
    assert one == two


def test_what_is_broken_off_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = f"{SMALL} --games 2 --players random,random --turns 1 --processes 1"
    assert main(arguments.split()) == 0
    assert "2 games were stopped after 1 turns; nobody won them." in capsys.readouterr().out


def test_the_interval_is_wilsons() -> None:
    assert interval(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "status", "reason"),
    [
        (
            "--network pinwheel --colours 4 --players good,good,good",
            1,
            "15 Fahrzeuge haben auf 12 Punkten keinen Platz",
        ),
        ("--piece X", 2, "--piece gilt nur"),
        ("--network pinwheel --pieces 4", 2, "nicht beides"),
    ],
)
def test_what_cannot_be_is_told_in_the_language_asked_for(
    capsys: pytest.CaptureFixture[str], arguments: str, status: int, reason: str
) -> None:
    words = f"locomotion simulate {arguments} --games 1 --processes 1 --language de"
    assert main(words.split()) == status
    told = capsys.readouterr().err
    assert reason in told
    assert told.count("\n") == 1


def test_players_that_there_are_not_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*SMALL.split(), "--players", "good,better"])
    assert "good,random" in capsys.readouterr().err


@pytest.mark.parametrize("players", [2, 3, 4])
def test_by_default_there_are_ways_round_for_all_trains(players: int) -> None:
    """Half as many as vehicles, and no dot that cuts off more than one other."""
    network = network_for(players, 4)
    assert 2 * shape_of(network).loops >= 5 * players
    assert all(cut_off(network, dot) <= 1 for dot in range(len(network.dots)))


def cut_off(network: Network, dot: int) -> int:
    """How many dots can no longer be reached from most of the others where something stands on this one."""
    left, largest = set(range(len(network.dots))) - {dot}, 0
    count = len(left)
    while left:
        part = [left.pop()]
        for here in part:
            beside = {other for other in network.neighbours[here] if other is not None} & left
            part += beside
            left -= beside
        largest = max(largest, len(part))
    return count - largest
