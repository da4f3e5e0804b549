"""What a person types in a game, as steps of the rules."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Final

from companion.games.locomotion.rules import ChooseSpeed, Couple, EndTurn, Run, State, Uncouple, legal_steps
from companion.games.locomotion.rules.state import Phase
from companion.games.locomotion.rules.steps import AnyStep
from companion.games.locomotion.wording import Wording
from companion.texts.harmless import harmless

_LONGEST: Final = 200
"""Of a line that means something."""
_ENGLISH: Final = {
    "couple": "couple c",
    "uncouple": "uncouple u",
    "back": "back b take",
    "end": "end e",
    "quit": "quit q",
}


class LeaveGame(Exception):
    """Nobody wants to go on, or nobody is there any more."""


class Typed:
    """Reads lines: a number of what is offered, a dot, or a word as ``couple 2``."""

    def __init__(self, say: Wording) -> None:
        self._say = say
        self._words = {
            word: meaning
            for meaning, english in _ENGLISH.items()
            for word in (*english.split(), *say(f"terminal.words-{meaning}").split())
        }
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def offered(self, state: State) -> list[AnyStep]:
        """What can be done, in the order of its numbers."""
        return list(legal_steps(state))

    def wish(self, state: State) -> AnyStep | str | None:
        """The step that is wanted, None to take one back, or why the line is neither; raises LeaveGame."""
        print("> ", end="", flush=True)
        line = sys.stdin.readline(_LONGEST)
        if not line:
            raise LeaveGame
        if len(line) == _LONGEST and not line.endswith("\n"):
            while (more := sys.stdin.readline(_LONGEST)) and not more.endswith("\n"):
                pass
            return self._say("terminal.unknown", typed=f"{harmless(line[:20])}…")
        return self._meant(state, line.strip().lower())

    def _meant(self, state: State, line: str) -> AnyStep | str | None:
        meaning = self._words.get(next(iter(line.split()), ""))
        if meaning == "quit":
            raise LeaveGame
        if meaning == "back":
            return None
        if state.phase is Phase.CHOOSING and re.fullmatch("[0-9]", line):
            return ChooseSpeed(int(line))
        return self._step(state, line, meaning)

    def _step(self, state: State, line: str, meaning: str | None) -> AnyStep | str:
        steps = self.offered(state)
        numbers = [int(number) for number in re.findall(r"-?[0-9]{1,4}", line)]
        if re.fullmatch("[0-9]{1,3}", line):
            return (
                steps[int(line) - 1] if 1 <= int(line) <= len(steps) else self._say("terminal.number", most=len(steps))
            )
        if re.fullmatch(r"\(?-?[0-9]{1,4}[ ,]+-?[0-9]{1,4}\)?", line):
            return self._run(steps, (numbers[0], numbers[1]))
        if meaning == "couple":
            return self._couple(state, steps, numbers, line)
        if meaning == "uncouple":
            return self._uncouple(steps, numbers[0] if numbers else 1)
        return EndTurn() if meaning == "end" else self._say("terminal.unknown", typed=harmless(line))

    def _run(self, steps: Sequence[AnyStep], dot: tuple[int, int]) -> AnyStep | str:
        runs = [step for step in steps if isinstance(step, Run) and step.to == dot]
        return self._only(runs) if len(runs) > 1 else runs[0] if runs else Run(dot)

    def _couple(self, state: State, steps: Sequence[AnyStep], numbers: list[int], line: str) -> AnyStep | str:
        """By the colour's number or name; the number may be missing where there is one wagon to couple."""
        colours = {colour: self._say.colour(colour).lower() for colour in state.order}
        named = {number for number, name in colours.items() if name in line.split()} | set(numbers[:1])
        couples = [step for step in steps if isinstance(step, Couple)]
        fitting = [step for step in couples if not named or state.setup.colours[step.wagon] in named]
        if fitting:
            return self._only(fitting)
        return self._say("terminal.no-such-wagon")

    def _uncouple(self, steps: Sequence[AnyStep], count: int) -> AnyStep | str:
        fitting = [step for step in steps if isinstance(step, Uncouple) and step.count == count]
        return self._only(fitting) if fitting else Uncouple(count)

    def _only(self, steps: Sequence[AnyStep]) -> AnyStep | str:
        return steps[0] if len(steps) == 1 else self._say("terminal.which")
