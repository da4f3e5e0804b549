"""Before the record: people lay the network and put everything on it, until it can be begun."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.events import Kept, Touched
from companion.games.locomotion.artwork.editor import cell_at
from companion.games.locomotion.artwork.map import state_map
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.play.desk.preparation import Preparation
from companion.games.locomotion.play.phases.puzzle import agree, choose_again, puzzle_title
from companion.games.locomotion.play.trouble import marked_map
from companion.games.locomotion.rules import State
from companion.games.locomotion.settings import with_own
from companion.games.locomotion.table.errors import OF_COLOURS
from companion.games.locomotion.wording import Paints
from companion.screen.screen import Screen
from hardware.buttons import Button


class Preparing:
    """There is no game yet: all is on the table alone."""

    def watch(self, desk: Desk) -> bool:
        """Looks what lies there; by itself only that begins which can begin in one way."""
        preparation = desk.preparation
        if preparation is not None:
            preparation.take()
        if preparation is not None and (desk.is_blind or desk.watch.rest.is_steady(desk.now)):
            preparation.look(desk.watch, is_blind=desk.is_blind, has_own_colours=bool(desk.own.paints))
            if preparation.is_fixed and preparation.start is not None:
                _begin(desk, preparation.start)
                return True
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: it begins as it lies there. DOWN: another suggestion. PASS: alone, another puzzle."""
        preparation = desk.preparation
        if preparation is None:
            return
        match button:
            case Button.ROLL:
                start = _start(desk, preparation)
                if start is not None:
                    _begin(desk, start)
                elif preparation.new_paints:
                    _learn(desk, preparation.new_paints)
                elif not preparation.confirm() and not preparation.show_places():
                    desk.sound("wrong")
            case Button.PASS if desk.puzzles is not None:
                choose_again(desk)
            case Button.DOWN if preparation.suggestion is not None and not preparation.is_fixed:
                lot = 1 + desk.source.randrange(2**31)
                desk.use(with_own(desk.settings, lot=lot))
                preparation.draw_again(lot)
                desk.send(Kept(desk.settings))
            case _:
                pass

    def screen(self, desk: Desk) -> Screen:
        """What to set up; what is still wrong with it; that it can begin."""
        preparation = desk.preparation
        if preparation is None:
            return Screen()
        heading, suggestion = puzzle_title(desk) or desk.word("set-up"), preparation.wanted
        start = _start(desk, preparation)
        another = "" if preparation.suggestion is None or preparation.is_fixed else "↻"
        other = "" if desk.puzzles is None else desk.word("key-list")
        keys = (desk.word("key-begin") if start is not None else "", other, desk.word("key-look"), another, "")
        if preparation.is_drawing and start is None:
            return Screen(heading=heading, main=desk.word("drawing"), keys=keys)
        if desk.is_blind and suggestion is not None:
            return Screen(heading=heading, main=desk.word("set-up-so"), map=state_map(suggestion), keys=keys)
        if start is not None:
            return Screen(heading=heading, main=desk.word("is-ready"), map=state_map(start), keys=keys)
        problem, network = preparation.problem, preparation.network
        if problem is None:
            main = "lay-network" if suggestion is None else "set-up-so"
            picture = None if suggestion is None else state_map(suggestion)
            return Screen(heading=heading, main=desk.word(main), map=picture, keys=keys)
        message, advice = desk.reason(problem)
        picture = None if network is None else marked_map(network, preparation.marks)
        if problem.code in OF_COLOURS and suggestion is not None:
            picture = replace(state_map(suggestion), marked=() if picture is None else picture.marked)
        if preparation.asks:
            keys = (desk.word("key-ok"), *keys[1:])
        return Screen(heading=heading, main=message, lines=(advice,), map=picture, keys=keys)


def _learn(desk: Desk, paints: Paints) -> None:
    """From now on the vehicles have these paints; what was known of others stays."""
    before = desk.own.paints
    numbers = range(max(len(paints), len(before)))
    known = tuple((paints + (None,) * 4)[number] or (before + (None,) * 4)[number] for number in numbers)
    desk.use(with_own(desk.settings, paints=known))
    desk.send(Kept(desk.settings))
    desk.sound("right")


def _begin(desk: Desk, start: State) -> None:
    agree(desk)
    desk.agreement = replace(desk.agreement, paints=desk.own.paints)
    desk.begin(start)
    # Where the eye reads otherwise than people have said it errs.
    desk.accept()
    desk.sound("right")


def _start(desk: Desk, preparation: Preparation) -> State | None:
    """The game that can begin now; what is suggested is set up so where nobody sees what lies there."""
    return preparation.wanted if desk.is_blind and preparation.wanted is not None else preparation.start


def touch(desk: Desk, preparation: Preparation, touched: Touched) -> None:
    """Somebody puts right on a page what lies there."""
    cell, to = cell_at(touched.x_mm, touched.y_mm), cell_at(touched.to_x_mm, touched.to_y_mm)
    if not preparation.touch(touched.tool, cell, to):
        desk.sound("wrong")
