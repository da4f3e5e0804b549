"""A game told line by line: what each step did, and how the table lies after each turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.loknroll.rules.scoring import result
from companion.games.loknroll.rules.setting_up import layer
from companion.games.loknroll.rules.state import Outcome, Phase, Setup, State, total
from companion.games.loknroll.rules.steps import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    Lay,
    LayOpen,
    Pass,
    Put,
    Roll,
    SetAside,
    StartCard,
)
from companion.games.loknroll.rules.variant import variant
from companion.games.loknroll.wording import Wording
from companion.games.recorded_game import Line, Tone
from vision.cards import Face, Kind

BROKEN_MARK = "\N{MULTIPLICATION SIGN}"


def opening(state: State, say: Wording) -> Iterator[Line]:
    """What is played, by whom, and how to read the lines about the table."""
    setup = state.setup
    title = say(
        "setting-up.title", edition=say.edition(setup.edition.title), mode=setup.mode.value, players=setup.names
    )
    yield Line(Tone.HEADING, title)
    yield Line(Tone.TABLE, say("setting-up.legend"))
    for text in _own_ways(setup, say):
        yield Line(Tone.EVENT, text)


def telling(before: State, step: AnyStep, state: State, say: Wording) -> Iterator[Line]:
    """What a step did; after the last step of a turn also the table."""
    if isinstance(step, Draw):
        name = state.setup.names[before.active]
        yield Line(Tone.HEADING, say("turn.title", turn=before.turn + 1, player=name))
    for text in (*_step_texts(before, step, state, say), *_outcome_texts(step, state.outcome, say)):
        yield Line(Tone.EVENT, text)
    turn_over = before.phase is not Phase.LAYING_OPEN and state.phase in {Phase.DRAWING, Phase.LAYING_OPEN, Phase.OVER}
    if turn_over:
        yield Line(Tone.TABLE, table(state, say))


def closing(state: State, say: Wording) -> Iterator[Line]:
    """The score sheet, and who has won."""
    yield Line(Tone.HEADING, say("result.title"))
    outcome = result(state)
    if outcome is None:
        yield Line(Tone.EVENT, say("result.unfinished"))
        return
    names = state.setup.names
    for number, score in enumerate(outcome.scores):
        key = "play.score-automaton" if number == state.setup.automaton else "play.score"
        points, cards = say.counted("play.points", count=score.points), say.counted("play.cards", count=score.cards)
        yield Line(Tone.EVENT, say(key, player=names[number], points=points, cards=cards))
    winners = [names[number] for number in outcome.winners]
    if not winners:
        verdict = say("result.lost")
    elif state.setup.mode.is_solo:
        points = say.counted("play.points", count=outcome.scores[0].points)
        verdict = say("result.solo", player=names[0], points=points)
    elif len(winners) > 1:
        verdict = say("result.shared", players=winners)
    else:
        verdict = say("result.wins", player=winners[0])
    yield Line(Tone.HEADING, verdict)


def table(state: State, say: Wording) -> str:
    """The table in one line: railway, draw pile, discard piles."""
    parts = [
        say("table.railway", railway=railway_text(state.railway.faces, state.emma)),
        say("table.draw-pile", left=state.draw_pile),
    ]
    for number, player in enumerate(state.players):
        is_automaton = number == state.setup.automaton
        pile = " ".join(str(face.value) for face in player.pile) or say("table.empty")
        points = len(player.pile) if is_automaton else total(player.pile)
        key = "table.pile-automaton" if is_automaton else "table.pile"
        parts.append(say(key, player=state.setup.names[number], pile=pile, points=points))
    return "   ".join(parts)


def railway_text(faces: Sequence[Face], emma: int | None) -> str:
    """The railway from rear to front: values, a cross behind a broken track, Emma's card in brackets."""
    cards = [f"{face.value}{BROKEN_MARK if face.kind is Kind.BROKEN else ''}" for face in faces]
    return " ".join(f"[{card}]" if index == emma else card for index, card in enumerate(cards))


def dice_text(dice: Sequence[int]) -> str:
    """The dice as they lie: a dot for each wheel, a circle for a blank."""
    return " ".join("●" * wheels or "○" for wheels in dice)


def _own_ways(setup: Setup, say: Wording) -> Iterator[str]:
    """How the game differs from the edition that it is named after."""
    differs = variant(setup)
    if differs.has_other_deck:
        yield say("setting-up.other-deck", deck=setup.deck.name)
    if differs.knobs:
        yield say("setting-up.other-rules", knobs=differs.knobs)
    if not differs.is_none and setup.mode.is_solo:
        yield say("setting-up.apart")


def _step_texts(before: State, step: AnyStep, state: State, say: Wording) -> Iterator[str]:
    deck, names = state.setup.deck, state.setup.names
    match step:
        case StartCard(face=face):
            yield say("setting-up.lays", player=names[layer(before)], card=deck[face])
        case SetAside(face=face):
            yield say("setting-up.sets-aside", player=names[layer(before)], card=deck[face])
        case Begin():
            yield say("setting-up.begins", removed=state.removed, left=state.draw_pile, player=names[step.starter])
        case Draw(face=str(face)):
            yield say("turn.draws", card=deck[face])
        case Lay(face=face):
            yield say("turn.lays", card=deck[face])
        case Roll(dice=dice):
            yield say("turn.rolls", dice=dice_text(dice))
        case Pass():
            yield say("turn.passes")
        case Put() | Discard():
            verb = "discards" if isinstance(step, Discard) else "puts"
            yield _putting(verb, deck[step.face], before.player.top if step.combine else None, say)
        case LayOpen(player=player, faces=faces):
            yield say("turn.lays-open", player=names[player], cards=[deck[face] for face in faces])
        case _:  # a secret draw, and the end of discarding, go without saying
            pass


def _putting(verb: str, face: Face, top: Face | None, say: Wording) -> str:
    if top is None:
        return say(f"turn.{verb}", card=face)
    return say(f"turn.{verb}-combined", card=face, top=top)


def _outcome_texts(step: AnyStep, outcome: Outcome, say: Wording) -> Iterator[str]:
    if outcome.dead_end:
        yield say("turn.dead-end")
    if outcome.missing:
        yield say("turn.derails", moved=outcome.moved, missing=outcome.missing)
    elif outcome.moved:
        yield say("turn.moves", moved=outcome.moved)
    elif isinstance(step, (Roll, Pass)):
        yield say("turn.stays")
    if outcome.broken:
        yield say("turn.broken", broken=outcome.broken)
    if outcome.taken:
        yield say("turn.takes", cards=outcome.taken)
    if outcome.waived:
        yield say("turn.waives", waived=outcome.waived)
    if not isinstance(step, (Put, Discard)):
        for put in outcome.put:
            yield say("turn.puts-combined" if put.combined else "turn.puts", card=put.face, top=put.face.value)
