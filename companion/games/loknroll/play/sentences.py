"""What a drive has done and what the next one may do, in short sentences that say what people do now."""

from __future__ import annotations

from companion.games.loknroll.play.words import Words
from companion.games.loknroll.rules import AnyStep, Lay, Pass, Roll, State
from companion.games.loknroll.rules.state import Outcome
from companion.games.loknroll.strategy.odds import odds


def drive_lines(word: Words, before: State, step: AnyStep, after: State) -> tuple[str, ...]:
    """What Emma does, and which cards are taken from the rear."""
    outcome = after.outcome
    lines = []
    if isinstance(step, (Roll, Pass, Lay)):
        lines.append(_emma_line(word, outcome) if not isinstance(step, Lay) else _automaton_line(word, before, outcome))
    if isinstance(step, Pass) and before.drawn is not None:
        lines.append(word("does-not-fit", card=before.drawn))
    if outcome.taken:
        lines.append(word("take", cards=outcome.taken, count=len(outcome.taken)))
    why = _why_taken(word, outcome)
    if why and not before.is_automatons_turn:
        lines.append(why)
    if before.is_automatons_turn:
        lines += _automatons_pile(word, before.setup.names[before.active], outcome)
    if outcome.dead_end:
        lines.append(word("dead-end"))
    if after.is_lost:
        lines.append(word("lost-why"))
    return tuple(lines)


def _why_taken(word: Words, outcome: Outcome) -> str:
    """Why so many cards are taken, in a line."""
    if outcome.waived:
        return word("waived", due=len(outcome.taken) + outcome.waived, count=outcome.waived)
    if not outcome.broken:
        return word("steps-left", count=outcome.missing) if outcome.missing else ""
    reasons = [word("short-left", count=outcome.missing)] if outcome.missing else []
    return ", ".join([*reasons, word("broken", count=outcome.broken)])


def _emma_line(word: Words, outcome: Outcome) -> str:
    if outcome.missing:
        return word("derails", moved=outcome.moved)
    return word("moves", moved=outcome.moved) if outcome.moved else word("stays")


def _automaton_line(word: Words, before: State, outcome: Outcome) -> str:
    """The automaton rolls no dice: Emma goes by the value of its card (BET4)."""
    return word("automaton-derails" if outcome.missing else "automaton-moves", card=before.drawn, moved=outcome.moved)


def _automatons_pile(word: Words, name: str, outcome: Outcome) -> list[str]:
    """What comes onto the automaton's pile, and what combines on it."""
    combined = [put.face for put in outcome.put if put.combined]
    kept = [put.face for put in outcome.put if not put.combined]
    lines = [word("automaton-combines", player=name, cards=combined)] if combined else []
    return [*lines, word("automaton-keeps", player=name, cards=kept)] if kept else lines


def odds_line(word: Words, state: State, dice: int) -> str:
    """The chance of derailing with so many dice."""
    chances = odds(state.railway, state.emma or 0, state.setup.edition.die, dice)
    return word("odds", percent=round(100 * float(chances.derailing)))
