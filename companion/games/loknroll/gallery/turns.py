"""Screens of turns: cards laid, dice, Emma, penalty cards, chaos cards, the automaton."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.games.loknroll.gallery.rehearsal import SHOWN, Moment, Rehearsal, moment, seen
from companion.games.loknroll.rules import AnyStep, Discard, Draw, Lay, Mode, Pass, Phase, Put, Roll, StartCard, State
from companion.games.loknroll.rules import after as stood
from companion.games.loknroll.rules.building import can_be_laid, dice_to_roll, legal_placements
from companion.games.loknroll.rules.railway.geometry import Placement
from companion.games.loknroll.settings import with_own
from companion.games.settings import Settings
from companion.screen.screen import Screen
from hardware.buttons import Button
from vision.cards import Face, Pose
from vision.watching.table_reading import SeenCard

Shots = Iterator[tuple[str, Screen]]


def building(settings: Settings) -> Shots:
    """Whose turn it is, and what has been laid."""
    first = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    people = Rehearsal.at(first, settings)
    yield "turn", people.screen
    people.lie(seen(first.step))
    yield "laid", people.screen
    people.press(Button.BACK)
    yield "taken-back", people.screen
    people.wait(8)
    yield "trouble-into-hand", people.screen
    two = moment(Mode.TWO, lambda _, step, after: isinstance(step, Lay) and after.laid == 2)
    people = Rehearsal.at(two, settings)
    people.lie(seen(two.step))
    yield "laid-two", people.screen
    one = moment(Mode.TWO, lambda _, step, after: isinstance(step, Lay) and dice_to_roll_after(after) == 1)
    people = Rehearsal.at(one, settings)
    people.lie(seen(one.step))
    yield "laid-one-die", people.screen
    dead = moment(Mode.TWO, lambda _, step, after: isinstance(step, Lay) and after.outcome.dead_end)
    people = Rehearsal.at(dead, settings)
    people.lie(seen(dead.step))
    yield "laid-dead-end", people.screen
    last = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.draw_pile == 1)
    yield "turn-one-card-left", Rehearsal.at(last, settings).screen
    people = Rehearsal.at(first, settings)
    people.come_near_the_border()
    yield "turn-at-the-border", people.screen


def dice_to_roll_after(after: State) -> int:
    """How many dice the cards laid give; 0 where none are laid."""
    return dice_to_roll(after) if after.phase is Phase.BUILDING else 0


def objections(settings: Settings) -> Shots:
    """What is wrong with a card."""
    told = moment(Mode.TWO, lambda before, _, __: before.phase is Phase.ACTING and _misfits(before) is not None)
    face, pose = _misfits(told.before) or (told.before.railway.front.face, Pose(0, 0))
    people = Rehearsal.at(told, settings)
    people.lie(SeenCard(face.id, pose, SHOWN))
    yield "wrong-value", people.screen
    fitting = moment(Mode.TWO, lambda before, step, _: isinstance(step, Lay) and before.phase is Phase.ACTING)
    for name, (x, y, turn) in {"apart": (12, 9, 8), "overlaps": (-40, 12, 0), "turned": (0, 0, 90)}.items():
        people = Rehearsal.at(fitting, settings)
        card = seen(fitting.step)
        people.lie(replace(card, pose=card.pose.moved(x, y, turn)))
        yield f"wrong-{name}", people.screen
    people.press(Button.ROLL)
    yield "right-nevertheless", people.screen
    start = moment(Mode.TWO, lambda before, step, _: isinstance(step, StartCard) and len(before.railway) == 2)
    for name, told in {"laid": fitting, "start": start}.items():
        people = Rehearsal.at(told, settings)
        card = seen(told.step)
        people.lie(replace(card, pose=card.pose.moved(260, 300)), seconds=4)
        yield f"left-over-{name}", people.screen


def _misfits(before: State) -> tuple[Face, Pose] | None:
    """A card whose value does not fit, at a place where one with the same rails would."""
    for face in before.setup.deck.faces:
        for other in before.setup.deck.faces:
            if face.is_track and face.shape == other.shape and face.ports == other.ports:
                places = legal_placements(before, face)
                if places and before.unseen()[other.id] and not can_be_laid(before, other):
                    return other, places[0].pose
    return None


DRIVES: Final = {
    "moves": lambda after: after.outcome.moved == 1 and not after.outcome.missing,
    "stays": lambda after: not after.outcome.moved and not after.outcome.missing,
    "derails": lambda after: after.outcome.missing > 1 and not after.outcome.broken and not after.outcome.waived,
    "derails-by-one": lambda after: after.outcome.missing == 1 and after.outcome.moved,
    "broken": lambda after: after.outcome.broken == 1 and after.outcome.missing and not after.outcome.waived,
    "broken-two": lambda after: after.outcome.broken == 2,
    "broken-derails": lambda after: after.outcome.broken and after.outcome.missing > 1 and not after.outcome.waived,
    "waived": lambda after: after.outcome.waived > 0,
}


def driving(settings: Settings) -> Shots:
    """The dice, what Emma does, and which cards are taken."""
    for name, wanted in DRIVES.items():
        told = moment(Mode.TWO, lambda _, step, after, is_it=wanted: isinstance(step, Roll) and is_it(after))  # type: ignore[misc]
        people = Rehearsal.at(told, settings)
        people.press(Button.ROLL)
        people.wait(0.3)
        if name == "derails":
            yield "dice-tumbling", people.screen
        people.wait(0.7)
        yield f"dice-{name}", people.screen
        people.wait(1.5)
        yield f"drive-{name}", people.screen
        if people.state.phase is Phase.PUTTING:
            people.press(Button.DOWN)
            yield f"put-{name}", people.screen
            people.press(Button.ROLL)
        yield from _disorder(people, told.before, name)
        people.lie()
        yield f"news-{name}", people.screen
    many = moment(Mode.FOUR, lambda _, step, __: isinstance(step, Roll) and len(step.dice) > 8)
    people = Rehearsal.at(many, settings)
    people.press(Button.ROLL)
    people.wait(1.0)
    yield "dice-many", people.screen
    lost = moment(Mode.SOLO_HARD, lambda _, step, after: after.is_lost and isinstance(step, Roll))
    people = Rehearsal.at(lost, settings)
    people.press(Button.ROLL)
    people.wait(2.5)
    yield "drive-lost", people.screen


def _disorder(people: Rehearsal, before: State, name: str) -> Shots:
    """A table that is not as it must be after a drive."""
    front = len(people.state.railway) - 1
    if people.state.phase is Phase.DRAWING and name == "derails":
        people.lie(state=before, seconds=0.5)
        people.wait(25)
        yield "trouble-take-away", people.screen
    if people.state.phase is Phase.DRAWING and name == "moves":
        people.lie(emma=0, seconds=4)
        yield "trouble-emma", people.screen
        people.lie(has_emma=False, seconds=4)
        yield "trouble-emma-unseen", people.screen
        people.lie(without=front, seconds=4)
        yield "trouble-missing", people.screen


def passing(settings: Settings) -> Shots:
    """A pass, and a card of the automaton that fits nowhere."""
    told = moment(Mode.TWO, lambda _, step, after: isinstance(step, Pass) and bool(after.outcome.taken))
    people = Rehearsal.at(told, settings)
    people.press(Button.PASS)
    people.wait(0.3)
    yield "passed", people.screen
    chaos = moment(Mode.BETSY, lambda before, step, _: isinstance(step, Pass) and before.is_automatons_turn)
    people = Rehearsal.at(_one_before(chaos), settings)
    people.show(chaos.before.drawn.id if chaos.before.drawn else "")
    people.wait(1.0)
    yield "betsy-passes", people.screen


def _one_before(told: Moment) -> Moment:
    game = told.game()
    return Moment(told.done[:-1], told.done[-1], told.start, game.states[-2], game.state)


def penalties(settings: Settings) -> Shots:
    """Penalty cards with and without combining."""
    told = moment(Mode.TWO, lambda before, step, _: isinstance(step, Roll) and _combines(step, before))
    people = Rehearsal.at(told, settings)
    people.press(Button.ROLL)
    people.wait(3)
    yield "put-combining", people.screen
    for number in range(3):
        people.press(Button.DOWN)
        yield f"put-choice-{number}", people.screen
    alone = moment(Mode.THREE, lambda before, step, _: isinstance(step, Put) and not before.player.pile)
    people = Rehearsal.at(alone, settings)
    people.wait(1)
    people.press(Button.DOWN)
    yield "put-empty-pile", people.screen


def _combines(step: Roll, before: State) -> bool:
    following = stood(before, step)
    top = before.player.top
    return top is not None and len(following.taken) == 2 and any(face.value == top.value for face in following.taken)


def chaos(settings: Settings) -> Shots:
    """Chaos cards shown."""
    told = moment(Mode.TWO, lambda before, step, _: isinstance(step, Discard) and not _fits_top(before, step))
    people = Rehearsal.at(told, settings)
    people.show(getattr(told.step, "face", ""))
    yield "chaos", people.screen
    combining = moment(Mode.TWO, lambda before, step, _: isinstance(step, Discard) and _fits_top(before, step))
    people = Rehearsal.at(combining, settings)
    people.show(getattr(combining.step, "face", ""))
    yield "chaos-combine", people.screen
    people.press(Button.ROLL)
    yield "chaos-combined", people.screen


def _fits_top(before: State, step: Discard) -> bool:
    top = before.player.top
    return top is not None and top.value == before.setup.deck[step.face].value


def automaton(settings: Settings) -> Shots:
    """Betsy's turn."""
    draws = moment(Mode.BETSY, lambda before, step, _: isinstance(step, Draw) and before.is_automatons_turn)
    people = Rehearsal.at(draws, settings)
    people.wait(20)
    yield "betsy-draws", people.screen
    people.press(Button.ROLL)
    yield "betsy-value", people.screen
    people = Rehearsal.at(draws, settings)
    laid, place = _laid_out_of_turn(draws.before)
    people.lie(SeenCard(laid.id, place.pose, SHOWN))
    yield "betsy-hers", people.screen
    drawn = moment(Mode.BETSY, lambda _, step, after: isinstance(step, Draw) and bool(after.outcome.put))
    people = Rehearsal.at(drawn, settings)
    people.show(drawn.step.face if isinstance(drawn.step, Draw) and drawn.step.face else "")
    people.wait(1.0)
    yield "betsy-chaos", people.screen
    told = moment(Mode.BETSY, _has_two_places)
    people = Rehearsal.at(told, settings)
    yield "betsy-lays", people.screen
    people.come_near_the_border()
    yield "betsy-out-of-sight", people.screen
    for place in _places(told.before):
        people = Rehearsal.at(told, settings)
        people.lie(SeenCard(seen(told.step).face, place.pose, SHOWN))
        if people.controller.desk.objection is not None:
            break
    yield "betsy-elsewhere", people.screen
    people = Rehearsal.at(told, with_own(settings, people_place=True))
    yield "betsy-anywhere", people.screen
    people.press(Button.ROLL)
    yield "betsy-place", people.screen
    moves = moment(Mode.BETSY, _moves)
    people = Rehearsal.at(moves, settings)
    people.lie(seen(moves.step))
    yield "betsy-moves", people.screen
    for name, is_combined in (("combines", True), ("keeps", False)):
        lays = moment(Mode.BETSY, lambda before, step, after, is_it=is_combined: _puts(before, step, after, is_it))  # type: ignore[misc]
        people = Rehearsal.at(lays, settings)
        people.lie(seen(lays.step))
        people.wait(1.0)
        yield f"betsy-{name}", people.screen


def _laid_out_of_turn(before: State) -> tuple[Face, Placement]:
    """A card of somebody's hand, and where it can be laid."""
    faces = [face for face in before.setup.deck.faces if face.is_track and before.unseen()[face.id]]
    return next((face, place) for face in faces for place in legal_placements(before, face)[:1])


def _moves(before: State, step: AnyStep, after: State) -> bool:
    return isinstance(step, Lay) and before.is_automatons_turn and not after.outcome.missing


def _places(before: State) -> list[Placement]:
    """Where the automaton's card can lie."""
    return [] if before.drawn is None else legal_placements(before, before.drawn)


def _has_two_places(before: State, step: AnyStep, after: State) -> bool:
    del after
    return isinstance(step, Lay) and before.is_automatons_turn and len(_places(before)) > 1


def _puts(before: State, step: AnyStep, after: State, is_combined: bool) -> bool:
    is_hers = isinstance(step, Lay) and before.is_automatons_turn
    return is_hers and bool(after.outcome.put) and any(put.combined for put in after.outcome.put) == is_combined


SCENES: Final = (building, objections, driving, passing, penalties, chaos, automaton)
