"""What a drive has done, in short sentences that say what people do now."""

from __future__ import annotations

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.rules import AnyStep, Lay, Pass, Roll, State


def drive_lines(desk: Desk, before: State, step: AnyStep) -> tuple[str, ...]:
    """What Emma does, and which cards are taken from the rear."""
    state, outcome = desk.state, desk.state.outcome
    lines = []
    if isinstance(step, (Roll, Pass, Lay)):
        lines.append(_emma_line(desk))
    if isinstance(step, Pass) and before.drawn is not None:
        lines.append(desk.word("does-not-fit", card=before.drawn))
    if outcome.taken:
        lines.append(desk.word("take", cards=outcome.taken, count=len(outcome.taken)))
    why = why_taken(desk)
    if why and not before.is_automatons_turn:
        lines.append(why)
    if before.is_automatons_turn:
        lines += _automatons_pile(desk, before)
    if outcome.dead_end:
        lines.append(desk.word("dead-end"))
    if state.is_lost:
        lines.append(desk.word("lost-why"))
    return tuple(lines)


def why_taken(desk: Desk) -> str:
    """Why so many cards are taken, in a line."""
    outcome = desk.state.outcome
    if outcome.waived:
        return desk.word("waived", due=len(outcome.taken) + outcome.waived, count=outcome.waived)
    if not outcome.broken:
        return desk.word("steps-left", count=outcome.missing) if outcome.missing else ""
    reasons = [desk.word("short-left", count=outcome.missing)] if outcome.missing else []
    return ", ".join([*reasons, desk.word("broken", count=outcome.broken)])


def _emma_line(desk: Desk) -> str:
    outcome = desk.state.outcome
    if outcome.missing:
        return desk.word("derails", moved=outcome.moved)
    return desk.word("moves", moved=outcome.moved) if outcome.moved else desk.word("stays")


def _automatons_pile(desk: Desk, before: State) -> list[str]:
    """What comes onto the automaton's pile, and what combines on it."""
    name = before.setup.names[before.active]
    combined = [put.face for put in desk.state.outcome.put if put.combined]
    kept = [put.face for put in desk.state.outcome.put if not put.combined]
    lines = [desk.word("automaton-combines", player=name, cards=combined)] if combined else []
    return [*lines, desk.word("automaton-keeps", player=name, cards=kept)] if kept else lines
