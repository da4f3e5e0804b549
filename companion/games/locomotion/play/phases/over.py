"""The end: who has won; alone, how few steps would have done; of a tournament, how it stands."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.events import Leave
from companion.games.locomotion.play.desk import Desk
from companion.games.locomotion.rules import Tournament, after_game
from companion.screen.screen import Screen
from hardware.buttons import Button


class Over:
    """OVER."""

    def watch(self, desk: Desk) -> bool:
        """Nothing more happens; after a game for one the fewest steps are looked for, where nobody knows them."""
        if _is_alone(desk) and desk.agreement.least is None:
            desk.advice.search((desk.game.states[1],))
        return False

    def press(self, desk: Desk, button: Button, *, held: bool) -> None:  # noqa: ARG002 - held or not, it is the same
        """ROLL: a new game, in a tournament the next one. PASS: alone, the same once more."""
        if button is Button.ROLL:
            desk.send(Leave("again" if _goes_on(desk) else "new-game"))
        elif button is Button.PASS and _is_alone(desk):
            desk.send(Leave("again"))

    def screen(self, desk: Desk) -> Screen:
        """The result."""
        again = desk.word("key-again") if _is_alone(desk) else ""
        new = desk.word("key-next" if _goes_on(desk) else "key-new")
        keys = (new, again, desk.word("key-look"), "", desk.word("key-back"))
        if _is_alone(desk):
            return replace(_alone(desk), keys=keys)
        state = desk.state
        winner = "" if state.winner is None else state.setup.names[state.winner]
        lines = _tournament_lines(desk) or (desk.word("in-turns", turns=state.turns, steps=state.steps),)
        return Screen(heading=desk.word("result"), main=desk.word("wins", player=winner), lines=lines, keys=keys)


def _is_alone(desk: Desk) -> bool:
    return desk.state.setup.players == 1


def _alone(desk: Desk) -> Screen:
    state, before = desk.state, desk.past.steps(desk.game)
    heading = desk.word("solo-result", count=state.turns)
    curve = (*before, state.steps) if before else ()
    return Screen(
        heading=heading,
        main=desk.word("solo-steps", count=state.steps),
        lines=(_least_line(desk),),
        curve=curve,
    )


def _least_line(desk: Desk) -> str:
    """The fewest steps, or how few could still do."""
    steps, start = desk.state.steps, desk.game.states[1]
    outlook = desk.advice.of((start,))
    least = desk.agreement.least or (outlook.least if outlook.is_proven else None)
    if least is not None:
        return desk.word("solo-best") if steps <= least else desk.word("solo-least", count=least)
    if outlook.steps is not None and outlook.steps < steps:
        return desk.word("solo-fewer-known", count=outlook.steps)
    searching = desk.advice.is_searching((start,))
    return desk.word("solo-searching" if searching else "solo-bound", count=max(1, outlook.least))


def _tournament(desk: Desk) -> Tournament | None:
    """How the tournament stands with this game; None where it belongs to none."""
    agreed = desk.agreement.tournament
    if agreed is None:
        return None
    before = desk.past.standing(agreed, desk.state.setup.names)
    return None if before.is_over else after_game(before, desk.state)  # over: what another program has written


def _goes_on(desk: Desk) -> bool:
    """Whether another game of the tournament comes next."""
    now = _tournament(desk)
    return now is not None and not now.is_over


def _tournament_lines(desk: Desk) -> tuple[str, ...]:
    """How the tournament stands with this game; after its last one who has won it."""
    now, names = _tournament(desk), desk.state.setup.names
    if now is None:
        return ()
    played = desk.word("tournament-game", number=len(now.results), count=now.games)
    totals = desk.word("tournament-points", points=[f"{names[at]}: {now.totals[at]}" for at in _best_first(now)])
    if now.is_over:
        winners = [names[winner] for winner in now.winners]
        played = desk.word("tournament-share" if len(winners) > 1 else "tournament-won", player=winners)
    return played, totals


def _best_first(tournament: Tournament) -> list[int]:
    totals = tournament.totals
    return sorted(range(len(totals)), key=lambda player: -totals[player])
