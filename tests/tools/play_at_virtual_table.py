"""A robot plays whole games through pins, pixels and the memory of the OLED screen, in every mode and language.

The pictures are of our own deck, with hands, glare, a pile, mugs and coins, a camera that is pushed now and then, and
light that flickers. Prints for each game what was pressed, what right layings were refused for, and what had to be done
twice because the companion did not answer. Fails where a card was read wrongly, a game did not end, or the last screen
is not what the driver sent.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.games.game import RobotError
from companion.games.loknroll.artwork.drawn_deck import drawn_deck
from companion.games.loknroll.rules import Discard, Lay, Mode, Pass, Phase, Roll, load_edition
from companion.texts.language import LANGUAGES
from companion.virtual.disturbances import USUAL_MISHAPS
from tests.companion.device.whole_games import Played, check_cards, check_end, play_whole_game
from vision.deck_pictures import DeckPictures

_USUAL: Final = {(Phase.BUILDING, "roll"), (Phase.ACTING, "pass"), (Phase.DISCARDING, "pass")}
"""What a turn is made of: all other presses are besides."""


class Plan(NamedTuple):
    """A game to be played."""

    number: int
    mode: Mode
    people_place: bool
    language: str
    seed: int

    @property
    def name(self) -> str:
        """What it is called in the list."""
        place = " (people place)" if self.people_place else ""
        return f"{self.number}: {self.mode}{place} {self.language}, seed {self.seed}"


def plans(options: argparse.Namespace) -> list[Plan]:
    """The games in turn: each mode, and the automaton's also with people who choose where its card lies."""
    ways = [(Mode(mode), False) for mode in options.modes]
    if Mode.BETSY.value in options.modes and not options.automaton_places:
        ways.append((Mode.BETSY, True))
    count = options.games or len(ways) * len(options.languages)
    # After a round of all ways the languages have moved on by one, so that every way comes to be played in each.
    return [
        Plan(
            number,
            *ways[number % len(ways)],
            options.languages[(number + number // len(ways)) % len(options.languages)],
            options.seed + number,
        )
        for number in range(count)
    ]


def play(plan: Plan, pictures: DeckPictures, options: argparse.Namespace) -> dict[str, Any]:
    """Plays a game; returns its figures, or why it failed."""
    began, busy = time.perf_counter(), time.process_time()
    figures: dict[str, Any] = {"game": plan.name}
    with tempfile.TemporaryDirectory() as folder:
        try:
            played = play_whole_game(
                Path(folder),
                pictures,
                plan.mode,
                plan.seed,
                language=plan.language,
                drawn=options.drawn,
                hand_cards=2 if options.drawn else 5,
                has_hands=not options.easy,
                difficulty="easy" if options.easy else options.difficulty,
                mishaps=None if options.easy else USUAL_MISHAPS,
                people_place=plan.people_place,
                size=(options.width, options.width * 3 // 4),
                evidence=options.evidence,
            )
            figures |= told(played)
            check_cards(played)
            check_end(played)
        except (RobotError, AssertionError) as error:
            figures["failed"] = " ".join([str(error) or type(error).__name__, *getattr(error, "__notes__", [])])
    return figures | {
        "seconds": round(time.perf_counter() - began, 1),
        "processor seconds": round(time.process_time() - busy, 1),
    }


def told(played: Played) -> dict[str, Any]:
    """The figures of a game that has ended."""
    steps = Counter(type(step) for step in played.game.steps)
    by_automaton = sum(
        isinstance(step, Pass) and state.is_automatons_turn
        for state, step in zip(played.game.states, played.game.steps, strict=False)
    )
    besides = {f"{phase} {button}": n for (phase, button), n in played.presses.items() if (phase, button) not in _USUAL}
    return {
        "turns": played.game.state.turn + 1,
        "laid": steps[Lay],
        "building turns": steps[Roll],
        "roll": played.presses[Phase.BUILDING, "roll"],
        "passing turns": steps[Pass] - by_automaton,
        "pass": played.presses[Phase.ACTING, "pass"],
        "chaos": steps[Discard],
        "besides": besides,
        "corrections": sum(button not in {"roll", "pass"} for _, button in played.presses.elements()),
        "repeats": played.repeats,
        "alerts": played.device.alerts,
        "pictures": played.device.camera.pictures,
        "bumps": played.device.camera.bumps,
    }


def tell(figures: dict[str, Any]) -> None:
    """A line for a game."""
    if "turns" not in figures:
        print(f"{figures['game']}: FAILED: {figures['failed']} ({figures['seconds']} s)", flush=True)
        return
    print(
        f"{figures['game']}: {figures['turns']} turns, {figures['pictures']} pictures, {figures['bumps']} bumps,"
        f" {figures['seconds']} s ({figures['processor seconds']} s of the processor);"
        f" {figures['roll']} ROLL in {figures['building turns']} building turns,"
        f" {figures['pass']} PASS in {figures['passing turns']} passing turns, besides {figures['besides']};"
        f" corrections {figures['corrections']}, done twice {figures['repeats']}, alerts {figures['alerts']}"
        + (f"; FAILED: {figures['failed']}" if "failed" in figures else ""),
        flush=True,
    )


def summary(games: list[dict[str, Any]]) -> None:
    """What all games say together."""
    ended = [figures for figures in games if "turns" in figures]
    if not ended:
        return

    def total(key: str) -> int:
        return sum(figures[key] for figures in ended)

    besides: Counter[str] = Counter()
    for figures in ended:
        besides.update(figures["besides"])
    print(f"\n{len(games)} games, {sum('failed' in figures for figures in games)} failed; {total('turns')} turns")
    print(f"corrections per game: {total('corrections') / len(ended):.2f}")
    print(f"ROLL per building turn: {total('roll') / max(1, total('building turns')):.3f}")
    print(f"PASS per passing turn: {total('pass') / max(1, total('passing turns')):.3f}")
    print(f"other presses per turn: {sum(besides.values()) / total('turns'):.3f} {dict(besides)}")
    alerts = Counter(alert for figures in ended for alert in figures["alerts"])
    print(f"right layings or tables objected to: {alerts.total()} of {total('laid')} cards laid {dict(alerts)}")
    print(f"done twice by the robot: {total('repeats')}; camera pushed: {total('bumps')} times")
    for key in ("seconds", "processor seconds"):
        print(f"{key} per game: {total(key) / len(ended):.0f}")


def main() -> int:
    """Plays the games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, help="how many; without it each mode is played in each language")
    parser.add_argument("--modes", nargs="*", default=[mode.value for mode in Mode])
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES))
    parser.add_argument("--automaton-places", action="store_true", help="people never choose where its card lies")
    parser.add_argument("--drawn", type=int, help="so many cards are left to draw: a short game")
    parser.add_argument("--seed", type=int, default=1, help="that of the first game; each has the next one")
    parser.add_argument("--easy", action="store_true", help="no hands, nothing lies about, and nothing happens")
    parser.add_argument("--difficulty", choices=["easy", "normal", "hard"], default="normal")
    parser.add_argument(
        "--kept", type=Path, metavar="FILE", help="figures are kept here; games in it are not played again"
    )
    parser.add_argument(
        "--evidence", type=Path, metavar="DIR", help="what was seen when something had to be done twice"
    )
    parser.add_argument("--width", type=int, default=1228, help="of the pictures, in px (default: %(default)s)")
    options = parser.parse_args()
    kept: Path | None = options.kept
    for folder in (options.evidence, kept and kept.parent):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
    games = [json.loads(line) for line in kept.read_text().splitlines()] if kept and kept.exists() else []
    known = {figures["game"] for figures in games}
    pictures = drawn_deck(load_edition("german").deck, 4.0)
    try:
        for plan in plans(options):
            if plan.name in known:
                continue
            figures = play(plan, pictures, options)
            tell(figures)
            games.append(figures)
            if kept:
                with kept.open("a") as file:
                    file.write(json.dumps(figures) + "\n")
    except KeyboardInterrupt:
        print("Stopped.")
    summary(games)
    return 1 if any("failed" in figures for figures in games) else 0


if __name__ == "__main__":
    sys.exit(main())
