"""What the camera has read wrongly is put right: a correction is no undo, what came after it stays.

One press opens it, one says the value, one what else is on the card.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.loknroll.play.desk import Desk
from companion.games.loknroll.play.dialogs.choosing import Done, FaceEntry, PlaceEntry
from companion.games.loknroll.play.laying import places
from companion.games.loknroll.play.notes import Notes
from companion.games.loknroll.rules import (
    AnyStep,
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
from vision.cards import Face, Pose
from vision.watching.table_reading import SeenCard

_READ = (StartCard, SetAside, Draw, Lay, Discard, LayOpen)


def correct(desk: Desk) -> None:
    """Asks which card it was that was read last."""
    index = last_read(desk)
    if desk.objection is not None:
        correct_card(desk, desk.objection.card)
    elif desk.hand:
        hand = desk.hand
        _ask(desk, desk.state, hand[-1], lambda desk, face: desk.keep_hand((*hand[:-1], face.id)))
    elif index is not None:
        step = desk.game.steps[index]
        if isinstance(step, LayOpen):
            before = desk.game.states[index]
            _ask(desk, before, step.faces[-1], lambda desk, face: _redo(desk, index, face))
        else:
            is_laid = isinstance(step, (StartCard, Lay))
            before = desk.game.states[index]
            _ask(desk, before, _face_of(step), lambda desk, face: _redo(desk, index, face), only_tracks=is_laid)


def correct_card(desk: Desk, card: SeenCard) -> None:
    """Asks which card it is that lies there and has not been accepted yet."""
    _ask(desk, desk.state, card.face, lambda desk, face: _rename(desk, card, face))


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


def _ask(desk: Desk, state: State, wrong: str, done: Done, *, only_tracks: bool = False) -> None:
    """Offers all other cards that it may be; those of the same rails first, since numerals are misread sooner."""
    deck, unseen = state.setup.deck, state.unseen()
    shape = deck[wrong].shape
    faces = [face for face in deck.faces if unseen[face.id] and face.id != wrong and (face.is_track or not only_tracks)]
    faces.sort(key=lambda face: (face.kind is not deck[wrong].kind, face.shape != shape))
    desk.open(FaceEntry(desk.word("title-correct", card=deck[wrong]), faces, done))


def _rename(desk: Desk, card: SeenCard, face: Face) -> None:
    """A card that has not been accepted yet."""
    desk.disputes.withdraw()
    desk.memory.rename(card, face.id)


def _redo(desk: Desk, index: int, face: Face) -> None:
    """Puts another card into a step, and does what came after it again, as far as that can be."""
    steps = desk.game.steps
    plan = planned(desk, index, face)
    if not plan:
        desk.remark(desk.word("cannot-be", card=face))
        desk.sound("wrong")
        return
    _rename_laid(desk, steps[index], face)
    # The plan is on the disk before anything is taken back: what came after the misread card has been played and
    # must not be lost if the power is cut in between.
    notes = desk.notes.read()
    desk.notes.keep(replace(notes, redo=tuple(plan), redo_from=index))
    desk.take_back(len(steps) - index)
    finish(desk)
    desk.remark(desk.word("corrected", card=face))


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


def planned(desk: Desk, index: int, face: Face) -> list[AnyStep]:
    """The corrected step and those after it, as far as they can be done; empty if it cannot be that card."""
    steps = list(desk.game.steps[:index])
    state = desk.game.states[index]
    plan: list[AnyStep] = []
    old = _face_of(desk.game.steps[index])
    for told in desk.game.steps[index:]:
        rolled = _rolled(desk, steps, state, told) if isinstance(told, Roll) else told
        step = _renamed(state, rolled, old, face, is_first=not plan)
        try:
            state = after(state, step)
        except RuleError:
            # With the right card it could not have been: from here on people play anew.
            break
        plan.append(step)
        steps.append(step)
    return plan


def _rolled(desk: Desk, steps: Sequence[AnyStep], state: State, step: Roll) -> Roll:
    """The same dice, for as many as the cards now give."""
    die, count = state.setup.edition.die, dice_to_roll(state)
    return step if len(step.dice) == count else Roll(desk.tape.next(steps, die, count, desk.source))


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


def _rename_laid(desk: Desk, step: AnyStep, face: Face) -> None:
    """The camera goes on reading the card as before: it is told better."""
    table = desk.memory.table if not desk.is_blind else None
    pose = getattr(step, "pose", None)
    if table is None:
        return
    for laid, card in zip(desk.state.railway.cards, table.found, strict=True):
        if card is not None and (laid.pose == pose if pose else False):
            desk.memory.rename(card, face.id)
            desk.memory.faces.take(replace(card, face=face.id))
    if pose is None:
        for card in table.new:
            if card.may_be(_face_of(step)):
                desk.memory.rename(card, face.id)
                desk.memory.deal(replace(card, face=face.id))


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
