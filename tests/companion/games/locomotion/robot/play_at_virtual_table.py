"""A robot plays whole games of Locomotion through pins, pixels and the memory of the OLED screen.

In every mode and language, on networks of 9 to 45 pieces, with hands, glare, mugs and coins, a camera that is pushed
now and then, light that flickers, a hand that lies on the table, and a cable that is pulled out. Each game is rehearsed
first with an eye that reads the world without a mistake: what is recorded has to be the same, step for step. Prints for
each game what was pressed, and what had to be done twice. Fails where a game did not end, was recorded otherwise, or
the last screen is not what the driver sent.

What is coupled cannot be seen, and what the companion takes for it is often put right by itself in a later turn. People
say what it was (a *correction*) only where that would never happen, as the rehearsal has shown: in the end each turn is
recorded as it was played. With --strict they say so whenever the screen says something else.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.device.virtual_device import VirtualDevice
from companion.games.game import RobotError
from companion.games.locomotion.rules import Phase
from companion.games.locomotion.settings import BY_LOT, with_own
from companion.games.settings import Settings
from companion.texts.language import LANGUAGES
from companion.virtual.disturbances import USUAL_MISHAPS, LightName
from tests.companion.games.locomotion.robot.whole_games import (
    Played,
    check_end,
    check_turns,
    play_whole_game,
    rehearsed,
)

_LIGHTS: Final[tuple[LightName, ...]] = ("day", "evening", "day", "dusk", "day")
_EVERY_SECONDS: Final = 6.0
"""So much time of the table, 15 pictures of its camera, passes from one disturbance to the next. The loop turns more
often on a busy machine than on an idle one, and would push the camera sixteen times from one picture to another."""
_LAST_SECONDS: Final = 1.2
_MOST_SEEDS: Final = 40


class Plan(NamedTuple):
    """A game to be played."""

    kind: str
    own: dict[str, Any]

    def settings(self, language: str) -> Settings:
        """With what it is played."""
        return with_own(Settings(language=language), network=BY_LOT, **self.own)


PLANS: Final = (
    Plan("die", {"pieces": 9, "colours": 2}),
    Plan("speed", {"pieces": 12, "colours": 2}),
    Plan("solo", {"puzzle_pieces": 8, "colours": 3}),
    Plan("die", {"pieces": 20, "colours": 2, "people": 1, "automatic": ("good",)}),
    Plan("speed", {"pieces": 20, "colours": 2, "people": 1, "automatic": ("greedy",), "piece": "X"}),
    Plan("die", {"pieces": 30, "colours": 2, "people": 3}),
    Plan("solo", {"puzzle_pieces": 13, "colours": 4}),
    Plan("speed", {"pieces": 30, "colours": 2, "people": 2, "automatic": ("good",)}),
    Plan("die", {"pieces": 24, "colours": 2, "piece": "D"}),
    Plan("die", {"pieces": 45, "colours": 2, "people": 4}),
)
"""The kinds of games in turn: each mode, alone, against automatic players, with every piece."""


class Disturbing:
    """From time to time the light changes, a careless hand lies there, the camera is pushed, or a cable is out."""

    def __init__(self) -> None:
        self._begun_at: float | None = None
        self._has_display = True

    def __call__(self, device: VirtualDevice) -> None:
        if device.camera is None:
            return
        if self._begun_at is None:
            self._begun_at = device.clock()
        number, at = divmod(device.clock() - self._begun_at, _EVERY_SECONDS)
        if not number:
            return
        self._disturb(device, int(number), lasts=at < _LAST_SECONDS)

    def _disturb(self, device: VirtualDevice, number: int, *, lasts: bool) -> None:
        now = device.world.disturbances
        kind = number % 4
        wanted = replace(
            now,
            light=_LIGHTS[number % len(_LIGHTS)],
            hand=lasts and kind == 1,
            camera=not (lasts and kind == 3),
            bumps=number // 4,
        )
        device.world.disturb(wanted)
        has_display = not (lasts and kind == 2)
        if has_display != self._has_display:
            device.plug(display=has_display)
            self._has_display = has_display


def play(number: int, seed: int, options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Plays a game; returns its figures, or why it failed."""
    plan, language = PLANS[number % len(PLANS)], LANGUAGES[(number + number // len(PLANS)) % len(LANGUAGES)]
    settings = plan.settings(language)
    for tried in range(seed, seed + _MOST_SEEDS):
        there = folder / f"rehearsed-{tried}"
        rehearsal = rehearsed(there, plan.kind, settings, tried, options.turns, is_strict=options.strict)
        if rehearsal is not None:
            break
    else:
        return {"game": f"{plan.kind} {plan.own}", "failed": "no game comes to its end"}
    began = time.perf_counter()
    figures: dict[str, Any] = {"game": f"{plan.kind} {plan.own} {language}, seed {tried}"}
    try:
        played = play_whole_game(
            folder / "played",
            plan.kind,
            settings,
            tried,
            has_hands=not options.easy,
            size=(options.width, options.width * 3 // 4),
            difficulty="easy" if options.easy else options.difficulty,
            mishaps=None if options.easy else USUAL_MISHAPS,
            on_turn=(lambda _: None) if options.easy else Disturbing(),
            evidence=options.evidence,
            insists=rehearsal.insists,
        )
        figures |= told(played)
        check_turns(played.game, played.robot)
        check_end(played)
        # Alone the robot follows the plan from when it is found on, and that takes some time.
        if plan.kind != "solo":
            assert played.game.steps == rehearsal.bench.play.controller.game.steps, "recorded otherwise than rehearsed"
    except (RobotError, AssertionError) as error:
        figures["failed"] = str(error) or type(error).__name__
    return figures | {"seconds": round(time.perf_counter() - began, 1)}


def told(played: Played) -> dict[str, Any]:
    """The figures of a game that has ended."""
    game, robot = played.game, played.robot
    turns = len(robot.intended)
    pressed = played.presses
    choosing, roll = str(Phase.CHOOSING), "roll"
    return {
        "pieces": len(game.state.setup.network.pieces),
        "turns": game.state.turns,
        "turns of people": turns,
        "presses": sum(pressed.values()),
        "corrections": played.corrections,
        "to roll": pressed[str(Phase.ROLLING), roll],
        "to end a turn and roll": pressed[str(Phase.MOVING), roll],
        "to choose a speed": pressed[choosing, roll],
        "to change it": pressed[choosing, "up"] + pressed[choosing, "down"],
        **played.guesses.figures,
        "contradicted": len(robot.contradicted),
        "repeats": robot.repeats,
        "alerts": len(played.device.alerts),
        "pictures": played.device.camera.pictures,
        "bumps": played.device.camera.bumps,
    }


def games(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """All games, one after the other."""
    for number in range(options.first, options.first + options.games):
        with tempfile.TemporaryDirectory() as folder:
            yield play(number, options.seed + 100 * number, options, Path(folder))


def summary(played: list[dict[str, Any]]) -> None:
    """What all games say together."""
    ended = [figures for figures in played if "turns" in figures]
    total = Counter[str]()
    for figures in ended:
        total.update({key: value for key, value in figures.items() if isinstance(value, int)})
    people = max(1, total["turns of people"])
    presses, corrections = total["presses"] / people, total["corrections"] / people
    seen = {what: count for what, count in total.items() if what.startswith(("right", "never"))}
    print(f"\n{len(played)} games, {sum('failed' in figures for figures in played)} failed; {total['turns']} turns")
    print(f"presses per turn of a person: {presses:.2f}, corrections {corrections:.3f}")
    needed = ("to roll", "to end a turn and roll", "to choose a speed", "to change it")
    print("of these:", ", ".join(f"{what} {total[what] / people:.2f}" for what in needed))
    print(
        "what was coupled in a turn of a person:", ", ".join(f"{what} {count}" for what, count in sorted(seen.items()))
    )
    print(f"done twice: {total['repeats']}; alerts: {total['alerts']}; camera pushed: {total['bumps']} times")


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=40, help="games that take longer are not played")
    parser.add_argument("--easy", action="store_true", help="no hands, nothing lies about, and nothing happens")
    parser.add_argument("--strict", action="store_true", help="every wrong guess is corrected at once")
    parser.add_argument("--difficulty", choices=["easy", "normal", "hard"], default="normal")
    parser.add_argument("--evidence", type=Path, metavar="DIR", help="what was seen when something was done twice")
    parser.add_argument("--width", type=int, default=1640, help="of the pictures, in px (default: %(default)s)")
    options = parser.parse_args()
    played = []
    for figures in games(options):
        print(figures, flush=True)
        played.append(figures)
    summary(played)
    return 1 if any("failed" in figures for figures in played) else 0


if __name__ == "__main__":
    sys.exit(main())
