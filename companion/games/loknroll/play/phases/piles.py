"""Penalty cards: in which order they are put down, and which combine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import Put, State
from companion.games.loknroll.strategy.best_order import best_order
from companion.games.loknroll.strategy.players import coming
from companion.screen.screen import Screen
from hardware.buttons import Button


class Option(NamedTuple):
    """A way to go on: the cards that are put down, in this order."""

    puts: tuple[Put, ...]


def options(state: State) -> list[Option]:
    """All cards in the best order first; then each card alone, combined where that is possible, and not."""
    best = best_order(state.player.pile, state.taken, coming(state))
    found = [Option(tuple(Put(put.face.id, put.combine) for put in best.puttings))]
    top = state.player.top
    for face in dict.fromkeys(state.taken):
        if top is not None and top.value == face.value:
            found.append(Option((Put(face.id, combine=True),)))
        found.append(Option((Put(face.id),)))
    return [option for index, option in enumerate(found) if option not in found[:index]]


class Piles:
    """PUTTING: the penalty cards of a turn go onto the pile."""

    def __init__(self) -> None:
        """The best order is offered first."""
        self._chosen = 0
        self._is_choosing = False

    def watch(self, desk: Desk) -> bool:
        """Puts cards down by itself where there is no choice."""
        choices = options(desk.state)
        if len(choices) > 1 and not desk.own.puts_by_itself:
            return False
        self._put(desk, choices[0])
        return True

    def _put(self, desk: Desk, option: Option) -> None:
        self._chosen = 0
        self._is_choosing = False
        for put in option.puts:
            desk.do(put)

    def press(self, desk: Desk, button: Button) -> None:
        """ROLL: so be it."""
        choices = options(desk.state)
        match button:
            case Button.ROLL:
                self._put(desk, choices[min(self._chosen, len(choices) - 1)])
            case Button.UP | Button.DOWN:
                self._is_choosing = True
                self._chosen = (self._chosen + (1 if button is Button.DOWN else -1)) % len(choices)
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """What Emma did, what is taken, and what is proposed; with UP and DOWN all that can be done."""
        keys = (desk.word("key-ok"), "", "▲", "▼", desk.word("key-back"))
        names = told_apart(desk, options(desk.state))
        if not self._is_choosing:
            told = desk.story.screen(keys) if desk.story else Screen()
            lines = (*told.lines, desk.word("proposal", cards=names[0]))
            return Screen(heading=told.heading or desk.name, main=told.main, lines=lines, keys=keys)
        top = desk.state.player.top
        pile = desk.word("pile-top", card=top.value) if top else desk.word("pile-empty")
        heading = desk.word("heading", player=desk.name, left=pile)
        chosen = min(self._chosen, len(names) - 1)
        return Screen(heading=heading, choices=names, chosen=chosen, keys=keys)


def told_apart(desk: Desk, ways: Sequence[Option]) -> tuple[str, ...]:
    """The names of what can be done; where two are alike, with what is on the card."""
    names = [option_name(desk, option) for option in ways]
    return tuple(
        name if names.count(name) == 1 else f"{name} ({_shapes(desk, option)})"
        for name, option in zip(names, ways, strict=True)
    )


def _shapes(desk: Desk, option: Option) -> str:
    return ", ".join(desk.word.shape(desk.state.setup.deck[put.face]) for put in option.puts)


def option_name(desk: Desk, option: Option) -> str:
    """What is put down in which order; a plus stands before a card that combines with the one before it."""
    faces = [desk.word.face(desk.state.setup.deck[put.face]) for put in option.puts]
    if len(faces) == 1:
        return desk.word("put-combined" if option.puts[0].combine else "put", cards=faces)
    parts = [f"+ {face}" if put.combine else face for face, put in zip(faces, option.puts, strict=True)]
    return desk.word("put", cards=parts)
