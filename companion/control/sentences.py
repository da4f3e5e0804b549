"""What a drive has done, in short sentences that say what people do now."""

from __future__ import annotations

from companion.control.desk import Desk
from companion.loknroll import AnyStep, Lay, Pass, Roll, State


def drive_lines(desk: Desk, before: State, step: AnyStep) -> tuple[str, ...]:
    """What Emma does, and which cards are taken from the rear."""
    state, outcome = desk.state, desk.state.outcome
    lines = []
    if isinstance(step, Pass) and before.drawn is not None:
        lines.append(desk.word("does-not-fit", card=before.drawn))
    if isinstance(step, (Roll, Pass, Lay)):
        lines.append(_emma_line(desk))
    if outcome.broken:
        lines.append(desk.word("broken", count=outcome.broken))
    if outcome.taken:
        key = "take" if isinstance(step, (Roll, Pass, Lay)) else "onto-pile"
        lines.append(desk.word(key, cards=outcome.taken, count=len(outcome.taken)))
    if outcome.waived:
        lines.append(desk.word("waived", count=outcome.waived))
    if before.is_automatons_turn:
        lines += _automatons_pile(desk, before)
    if outcome.dead_end:
        lines.append(desk.word("dead-end"))
    if state.is_lost:
        lines.append(desk.word("lost"))
    return tuple(lines)


def _emma_line(desk: Desk) -> str:
    outcome = desk.state.outcome
    if outcome.missing:
        return desk.word("derails", moved=outcome.moved, missing=outcome.missing)
    return desk.word("moves", moved=outcome.moved) if outcome.moved else desk.word("stays")


def _automatons_pile(desk: Desk, before: State) -> list[str]:
    """What comes onto the automaton's pile, and what combines on it."""
    name = before.setup.names[before.active]
    combined = [put.face for put in desk.state.outcome.put if put.combined]
    kept = [put.face for put in desk.state.outcome.put if not put.combined]
    lines = [desk.word("automaton-combines", player=name, cards=combined)] if combined else []
    return [*lines, desk.word("automaton-keeps", player=name, cards=kept)] if kept else lines
