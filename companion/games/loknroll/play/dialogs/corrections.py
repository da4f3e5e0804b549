"""What the camera has read wrongly is put right: a correction is no undo, what came after it stays.

One press opens it, one says the value, one what else is on the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.dice.box import Source
from companion.games.at_table.tape import Tape
from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.choosing import Done, FaceEntry, PlaceEntry
from companion.games.loknroll.play.laying import places
from companion.games.loknroll.play.notes import Notes
from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    Lay,
    LayOpen,
    Phase,
    Roll,
    RuleError,
    SetAside,
    StartCard,
    State,
    after,
)
from companion.games.loknroll.rules.building import dice_to_roll
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.rules.railway.railway import LaidCard
from vision.cards import Face, Pose
from vision.watching.table_reading import SeenCard

_READ = (StartCard, SetAside, Draw, Lay, Discard, LayOpen)


class Plan(NamedTuple):
    """The corrected step and those after it, as far as they can be done, and what the rules have against the next."""

    steps: list[AnyStep]
    refusal: RuleError | None = None


def correct(desk: Desk) -> None:
    """Asks which card it was that was read last."""
    index = last_read(desk)
    if desk.objection is not None:
        correct_card(desk, desk.objection.card)
    elif desk.hand:
        hand = desk.hand
        faces = others(desk.state, hand[-1])
        _ask(desk, hand[-1], faces, lambda desk, face: desk.keep_hand((*hand[:-1], face.id)))
    elif index is not None:
        _ask(desk, face_of(desk, index), others_of(desk, index), lambda desk, face: redo(desk, index, face))


def correct_card(desk: Desk, card: SeenCard) -> None:
    """Asks which card it is that lies there and has not been accepted yet."""
    _ask(desk, card.face, others(desk.state, card.face), lambda desk, face: rename(desk, card, face))


def last_read(desk: Desk) -> int | None:
    """The index of the last step that the camera has read; None where there is none."""
    steps = desk.game.steps
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if isinstance(step, _READ) and _face_of(step):
            # Its card was read when it was drawn; where it lies is no question of which card it is.
            is_automatons = isinstance(step, Lay) and desk.game.states[index].is_automatons_turn
            return index - 1 if is_automatons else index
    return None


def face_of(desk: Desk, index: int) -> str:
    """The id of the face that was read for a step, of several the last one."""
    return _face_of(desk.game.steps[index])


def steps_of_railway(desk: Desk) -> list[int]:
    """The index of the step by which each card of the railway was read; the automaton's was read when it was drawn."""
    laid: list[int] = []
    for index, (step, before) in enumerate(zip(desk.game.steps, desk.game.states, strict=False)):
        if isinstance(step, (StartCard, Lay)):
            laid.append(index - before.is_automatons_turn)
        elif isinstance(step, Begin) and step.reverse:
            laid.reverse()
    # Cards leave it from the rear only.
    return laid[len(laid) - len(desk.state.railway) :]


def shown_last(desk: Desk) -> str:
    """The face of the card that was shown last and may lie there still; "" where none was."""
    if desk.hand:
        return desk.hand[-1]
    index = last_read(desk)
    step = None if index is None else desk.game.steps[index]
    is_shown = isinstance(step, (SetAside, Discard, LayOpen)) or (isinstance(step, Draw) and desk.state.drawn is None)
    return _face_of(step) if step is not None and is_shown else ""


def _face_of(step: AnyStep) -> str:
    if isinstance(step, LayOpen):
        return step.faces[-1]
    return getattr(step, "face", None) or ""


def others_of(desk: Desk, index: int) -> list[Face]:
    """All other cards that the one read for a step may be."""
    is_laid = isinstance(desk.game.steps[index], (StartCard, Lay))
    return others(desk.game.states[index], face_of(desk, index), only_tracks=is_laid)


def others(state: State, wrong: str, *, only_tracks: bool = False) -> list[Face]:
    """All other cards that it may be; those of the same rails first, since numerals are misread sooner."""
    deck, unseen = state.setup.deck, state.unseen()
    shape = deck[wrong].shape
    faces = [face for face in deck.faces if unseen[face.id] and face.id != wrong and (face.is_track or not only_tracks)]
    return sorted(faces, key=lambda face: (face.kind is not deck[wrong].kind, face.shape != shape))


def _ask(desk: Desk, wrong: str, faces: Sequence[Face], done: Done) -> None:
    desk.open(FaceEntry(desk.word("title-correct", card=desk.state.setup.deck[wrong]), faces, done))


def rename(desk: Desk, card: SeenCard, face: Face) -> None:
    """Says which card it is that has not been accepted yet."""
    desk.disputes.withdraw()
    desk.memory.rename(card, face.id)


def redo(desk: Desk, index: int, face: Face) -> None:
    """Puts another card into a step, and does what came after it again, as far as that can be.

    No card that was read later is lost by it: where one would be, it cannot be that card.
    """
    steps = desk.game.steps
    plan, refusal = planned(desk, index, face)
    if refusal is not None and (not plan or desk.hand or _loses_card(desk, index, len(plan))):
        cannot_be(desk, face, refusal.clause)
        return
    _rename_seen(desk, index, face)
    is_excused = _laid_by(desk, index) in desk.disputes.excused
    # The plan is on the disk before anything is taken back: what came after the misread card has been played and
    # must not be lost if the power is cut in between.
    notes = desk.notes.read()
    desk.notes.keep(replace(notes, redo=tuple(plan), redo_from=index))
    with desk.memory.unmoved():
        desk.take_back(len(steps) - index)
        finish(desk)
    if is_excused and (laid := _laid_by(desk, index)) is not None:
        desk.disputes.excuse(laid)
    # A press that waited was meant for the cards as they were.
    desk.early.drop()
    desk.remark(desk.word("corrected", card=face))


def cannot_be(desk: Desk, face: Face, clause: str) -> None:
    """Says that a card cannot be that one, and that this clause forbids it."""
    desk.disputes.forbid(clause)
    desk.remark(desk.word("cannot-be", card=face))
    desk.sound("wrong")


def _loses_card(desk: Desk, index: int, done: int) -> bool:
    """Whether a card was read later than that step, and after so many steps from it on."""
    steps = desk.game.steps
    # The automaton's card is read once, though it is drawn and then laid.
    is_laid_next = isinstance(steps[index], Draw) and len(steps) > index + 1 and isinstance(steps[index + 1], Lay)
    left = steps[index + max(done, 1 + is_laid_next) :]
    return any(isinstance(step, _READ) and _face_of(step) for step in left)


def finish(desk: Desk) -> None:
    """Does what is left of a correction; after a restart too."""
    # How much has been done is told by the record alone. Where nothing had been taken back yet there are at least as
    # many steps as planned: then the plan is dropped, and people correct once more.
    notes = desk.notes.read()
    done = len(desk.game.steps) - notes.redo_from
    if notes.redo and notes.redo_from >= 0 <= done < len(notes.redo):
        for step in notes.redo[done:]:
            desk.do(step)
    if notes.redo:
        desk.notes.keep(Notes(hand=notes.hand, hand_at=notes.hand_at))


def planned(desk: Desk, index: int, face: Face) -> Plan:
    """What becomes of the game if it was that card; without any step if it cannot be."""
    steps = list(desk.game.steps[:index])
    state = desk.game.states[index]
    plan: list[AnyStep] = []
    old = _face_of(desk.game.steps[index])
    # What falls only in a plan has not fallen: real dice are still asked for, if it is not carried out.
    tape = desk.tape.copy()
    for told in desk.game.steps[index:]:
        rolled = _rolled(tape, desk.source, steps, state, told) if isinstance(told, Roll) else told
        step = _renamed(state, rolled, old, face, is_first=not plan)
        try:
            state = after(state, step)
        except RuleError as error:
            # With the right card it could not have been: from here on people play anew.
            return Plan(plan, error)
        plan.append(step)
        steps.append(step)
    return Plan(plan)


def _rolled(tape: Tape, source: Source, steps: Sequence[AnyStep], state: State, step: Roll) -> Roll:
    """The same dice, for as many as the cards now give."""
    die, count = state.setup.edition.die, dice_to_roll(state)
    return step if len(step.dice) == count else Roll(tape.next(steps, die, count, source))


def _renamed(state: State, step: AnyStep, old: str, face: Face, *, is_first: bool) -> AnyStep:
    """The step with the right card, where it is about the card that was misread."""
    if is_first and isinstance(step, LayOpen):
        return replace(step, faces=(*step.faces[:-1], face.id))
    if isinstance(step, (StartCard, Lay)) and (is_first or (state.drawn == face and step.face == old)):
        step = replace(step, face=face.id)
        return step if step.pose is None else replace(step, pose=_fitting(state, step, step.pose))
    return replace(step, face=face.id) if is_first and isinstance(step, (SetAside, Draw, Discard)) else step


def _fitting(state: State, step: StartCard | Lay, pose: Pose) -> Pose:
    """The same place, turned as the other card must lie there: a misread card was taken to lie as the misread one."""
    for turn in (0, 180, 90, 270):
        turned = pose.moved(0, 0, turn)
        try:
            after(state, replace(step, pose=turned))
        except RuleError:
            continue
        return turned
    return pose


def _rename_seen(desk: Desk, index: int, face: Face) -> None:
    """The camera goes on reading the card as before: it is told better."""
    table = desk.memory.table if not desk.is_blind else None
    if table is None:
        return
    for number, card in zip(steps_of_railway(desk), table.found, strict=True):
        if number == index and card is not None:
            desk.memory.rename(card, face.id)
            desk.memory.faces.take(replace(card, face=face.id))
    if index not in steps_of_railway(desk) and not isinstance(desk.game.steps[index], (StartCard, Lay)):
        for card in table.new:
            if card.may_be(face_of(desk, index)):
                desk.memory.rename(card, face.id)
                desk.memory.deal(replace(card, face=face.id))


def _laid_by(desk: Desk, index: int) -> LaidCard | None:
    """The card of the railway that was read for a step, if it is one."""
    numbers = steps_of_railway(desk)
    return desk.state.railway.cards[numbers.index(index)] if index in numbers else None


def put_in_place(desk: Desk) -> None:
    """The card that is objected to lies right: people choose the place that is meant."""
    objection = desk.objection
    if objection is None:
        return
    face = desk.state.setup.deck[objection.card.face]
    kind = StartCard if desk.state.phase is Phase.SETTING_UP else Lay

    def done(desk: Desk, place: Placement) -> None:
        desk.lay(kind(face.id, place.pose), objection.card)

    desk.open(PlaceEntry(desk.word("title-where"), face, places(desk, objection.card), done))
