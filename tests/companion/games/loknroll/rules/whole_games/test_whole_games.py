"""What must hold after each step of whole games that nobody planned."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.loknroll.rules import (
    AnyStep,
    Begin,
    Discard,
    Draw,
    EndTurn,
    Game,
    Impossible,
    Lay,
    LayOpen,
    NotNow,
    Pass,
    Phase,
    Put,
    Result,
    Roll,
    RuleError,
    SetAside,
    StartCard,
    State,
    after,
    allowed_steps,
    edition_names,
    load_edition,
    result,
)
from tests.companion.games.loknroll.rules.whole_games.plans import changes, draw_plan, in_every_edition_and_mode
from vision.cards import Face, Kind, Pose

FIRST_DRAW_PILE = {
    **dict.fromkeys(product(["german", "online", "spanish"], ["2", "3", "4"]), 36),
    **dict.fromkeys(product(["german", "online", "spanish"], ["solo", "solo-hard", "betsy"]), 38),
    ("loose_caboose", "2"): 50 - 3 - 13 - 2 * 2,
    ("loose_caboose", "3"): 50 - 3 - 11 - 3 * 2,
    ("loose_caboose", "4"): 50 - 3 - 7 - 4 * 2,
}

# Any step of each kind, for asking whether its kind belongs to the moment.
SAMPLES: tuple[AnyStep, ...] = (
    StartCard("track-1-left", Pose(0, 0)),
    SetAside("track-1-left"),
    Begin(0),
    Draw(),
    Draw("track-1-left"),
    Lay("track-1-left", Pose(0, 0)),
    Lay("track-2-straight"),
    Roll((1,)),
    Pass(),
    Put("track-1-left"),
    Put("track-1-left", combine=True),
    Discard("chaos-1"),
    EndTurn(),
    LayOpen(0, ("track-1-left",)),
)

KINDS: dict[Phase, set[type[AnyStep]]] = {
    Phase.DRAWING: {Draw},
    Phase.BUILDING: {Lay, Roll},
    Phase.DISCARDING: {Discard, EndTurn},
    Phase.PUTTING: {Put},
    Phase.LAYING_OPEN: {LayOpen},
    Phase.OVER: set(),
}


class Driven(NamedTuple):
    """Where a drive ends, and what it costs."""

    railway: list[Face]
    emma: int
    taken: list[Face]
    missing: int


def test_every_edition_and_mode_is_played() -> None:
    assert {(name, mode.value) for name in edition_names() for mode in load_edition(name).modes} == set(FIRST_DRAW_PILE)


def cards_by_place(state: State) -> dict[str, int]:
    return {
        "draw pile": state.draw_pile,
        "removed unseen": state.removed,
        "box": len(state.box),
        "hands": sum(player.hand for player in state.players),
        "railway": len(state.railway),
        "piles": sum(len(player.pile) for player in state.players),
        "to be put down": len(state.taken),
        "set aside": len(state.set_aside),
        "drawn": state.drawn is not None,
    }


@pytest.mark.long
@pytest.mark.rule("MAT1", "SET3", "SET6", "SET7")
@in_every_edition_and_mode
@given(st.data())
def test_no_card_is_lost_or_doubled(edition: str, mode: str, data: st.DataObject) -> None:
    dealer = draw_plan(data, edition, mode).dealer()
    deck = dealer.game.state.setup.deck
    for state in dealer.play():
        hidden = [*dealer.draw_pile, *dealer.removed, *(face for hand in dealer.hands for face in hand)]
        assert sum(cards_by_place(state).values()) == deck.size, cards_by_place(state)
        assert state.draw_pile == len(dealer.draw_pile)
        assert [player.hand for player in state.players] == [len(hand) for hand in dealer.hands]
        assert state.unseen() == Counter(face.id for face in hidden)
        assert state.seen() + state.unseen() == {face.id: face.count for face in deck.faces}


def driven(railway: Sequence[Face], emma: int, steps: int, *, broken_costs: bool = True) -> Driven:
    """Emma goes card by card; a broken track that she comes onto costs the rearmost card."""
    cards, taken = list(railway), []
    for done in range(steps):
        if emma == len(cards) - 1:
            return Driven(cards, emma, taken, steps - done)
        emma += 1
        if broken_costs and cards[emma].kind is Kind.BROKEN:
            taken.append(cards.pop(0))
            emma -= 1
    return Driven(cards, emma, taken, 0)


def fined(drive: Driven, cards: int) -> Driven:
    """The rearmost cards are taken, but not the one that Emma stands on."""
    cards = min(cards, drive.emma)
    return Driven(drive.railway[cards:], drive.emma - cards, drive.taken + drive.railway[:cards], drive.missing)


def expected_drive(before: State, step: AnyStep) -> Driven | None:
    railway, emma, edition = before.railway.faces, before.emma, before.setup.edition
    match step:
        case Roll():
            drive = driven(railway, emma, sum(step.dice))
            return fined(drive, drive.missing)
        case Pass():
            steps = min(1, len(railway) - 1 - emma)
            return fined(driven(railway, emma, steps, broken_costs=edition.broken_on_pass), 1)
        case Lay() if before.is_automatons_turn:
            face = before.setup.deck[step.face]
            drive = driven([*railway, face], emma, face.value)
            return fined(drive, min(1, drive.missing))
    return None


@pytest.mark.long
@pytest.mark.rule("PASS2", "PASS3", "PASS4", "ROLL2", "DER1", "BRK1", "BRK2", "BET4", "BET5", "BET6", "SOLO3")
@in_every_edition_and_mode
@given(st.data())
def test_emma_drives_and_costs_what_the_rules_say(edition: str, mode: str, data: st.DataObject) -> None:
    for before, step, following in changes(draw_plan(data, edition, mode).played()):
        drive = expected_drive(before, step)
        if drive is not None:
            assert list(following.railway.faces) == drive.railway
            assert following.emma == drive.emma
            assert list(following.outcome.taken) == drive.taken
            assert following.outcome.missing == drive.missing
            derailments = [state.players[before.active].derailments for state in (before, following)]
            assert derailments[1] - derailments[0] == (drive.missing > 0)


def check_start(before: State, step: Begin, following: State) -> None:
    laid = [(card.face, card.pose) for card in before.railway.cards]
    railway = [(card.face, card.pose) for card in following.railway.cards]
    assert railway == (laid[::-1] if step.reverse else laid)
    assert railway[following.emma] == laid[before.setup.edition.emma_starts_on - 1]


@pytest.mark.long
@pytest.mark.rule("SET5", "PEN1", "PEN2")
@in_every_edition_and_mode
@given(st.data())
def test_emma_keeps_on_the_railway_and_her_card_is_never_taken(edition: str, mode: str, data: st.DataObject) -> None:
    for before, step, following in changes(draw_plan(data, edition, mode).played()):
        if isinstance(step, Begin):
            check_start(before, step, following)
        if before.emma is None:
            continue
        assert 0 <= following.emma < len(following.railway)
        laid = len(before.railway) + isinstance(step, Lay)
        gone = laid - len(following.railway)
        passed = following.emma + gone - before.emma
        assert gone >= 0
        assert passed >= 0
        assert gone <= before.emma + passed
        kept = before.railway.cards[gone:]
        assert following.railway.cards[: len(kept)] == kept


@pytest.mark.long
@in_every_edition_and_mode
@given(st.data())
def test_the_same_steps_give_the_same_states(edition: str, mode: str, data: st.DataObject) -> None:
    game = draw_plan(data, edition, mode).played()
    again = Game(game.states[0])
    for _, step, following in changes(game):
        assert again.do(step) == following
    assert again.steps == game.steps


@pytest.mark.long
@in_every_edition_and_mode
@given(st.data())
def test_steps_taken_back_and_redone_lead_to_the_same_end(edition: str, mode: str, data: st.DataObject) -> None:
    game = draw_plan(data, edition, mode).played()
    states, steps = game.states, game.steps
    for count in (data.draw(st.integers(1, len(steps))), len(steps)):
        kept = len(steps) - count
        assert game.take_back(count) is states[kept]
        assert (game.states, game.steps) == (states[: kept + 1], steps[:kept])
        for step in steps[kept:]:
            game.do(step)
        assert game.states == states


def kinds_of_the_moment(state: State) -> set[type[AnyStep]]:
    match state.phase:
        case Phase.SETTING_UP:
            ready = len(state.railway) == state.setup.edition.start_cards
            return {Begin} if ready else {StartCard, SetAside}
        case Phase.ACTING:
            return {Lay, Pass} if state.active == state.setup.automaton else {Lay, Pass, Discard}
    return KINDS[state.phase]


@pytest.mark.long
@pytest.mark.rule("TURN1", "TURN2")
@in_every_edition_and_mode
@given(st.data())
def test_only_allowed_kinds_of_steps_are_of_the_moment(edition: str, mode: str, data: st.DataObject) -> None:
    game = draw_plan(data, edition, mode).played()
    assert all(type(step) in allowed_steps(before) for before, step, _ in changes(game))
    for state in game.states:
        allowed = allowed_steps(state)
        assert set(allowed) == kinds_of_the_moment(state)
        for sample in SAMPLES:
            refusal = refused(state, sample)
            if type(sample) in allowed:
                assert not isinstance(refusal, NotNow)
            else:
                assert isinstance(refusal, NotNow | Impossible)


def refused(state: State, step: AnyStep) -> RuleError | None:
    try:
        after(state, step)
    except RuleError as error:
        return error
    return None


def in_order(numbers: Sequence[int], count: int) -> bool:
    return all((one + 1) % count == other for one, other in pairwise(numbers))


@pytest.mark.long
@pytest.mark.rule("SET8", "TURN1", "TURN3", "END1", "BET9")
@in_every_edition_and_mode
@given(st.data())
def test_players_draw_in_turn_until_the_draw_pile_is_empty(edition: str, mode: str, data: st.DataObject) -> None:
    game = draw_plan(data, edition, mode).played()
    begun = next(following for _, step, following in changes(game) if isinstance(step, Begin))
    drawing = [before.active for before, step, _ in changes(game) if isinstance(step, Draw)]
    assert begun.draw_pile == FIRST_DRAW_PILE[edition, mode]
    assert in_order(drawing, len(game.state.players))
    assert game.state.draw_pile == begun.draw_pile - len(drawing)
    assert game.state.draw_pile == 0 or game.state.is_lost


def expected_winners(state: State) -> tuple[int, ...]:
    piles = [sorted((face.value for face in player.pile), reverse=True) for player in state.players]
    if state.setup.automaton == 1:
        return (0,) if sum(piles[0]) < len(piles[1]) else (1,)
    ranks = [(sum(pile), len(pile), *(pile.count(value) for value in (4, 3, 2, 1))) for pile in piles]
    return tuple(number for number, rank in enumerate(ranks) if rank == min(ranks))


@pytest.mark.long
@pytest.mark.rule("END1", "END2", "END3", "END4", "SOLO2", "BET8")
@in_every_edition_and_mode
@given(st.data())
def test_every_game_ends_with_a_result(edition: str, mode: str, data: st.DataObject) -> None:
    game = draw_plan(data, edition, mode).played()
    *earlier, last = game.states
    assert not any(map(result, earlier))
    assert last.phase is Phase.OVER
    told = result(last)
    assert isinstance(told, Result)
    lost = mode == "solo-hard" and last.players[0].derailments == 4
    assert last.is_lost is lost
    assert told.winners == (() if lost else expected_winners(last))
    assert lost or not any(player.hand for player in last.players)
    assert [score.cards for score in told.scores] == [len(player.pile) for player in last.players]


@pytest.mark.long
@pytest.mark.rule("LAY0", "LAY4", "CMB1")
@in_every_edition_and_mode
@given(st.data())
def test_values_laid_and_combined_fit(edition: str, mode: str, data: st.DataObject) -> None:
    for before, step, following in changes(draw_plan(data, edition, mode).played()):
        if isinstance(step, Lay):
            value, front = before.setup.deck[step.face].value, before.railway.front.face.value
            assert abs(value - front) != 2
            assert value == front or before.laid == 0
        boxed = list(following.box[len(before.box) :])
        if before.drawn is not None and isinstance(step, Pass):
            assert boxed.pop(0) == before.drawn
        assert all(one.value == other.value for one, other in zip(boxed[::2], boxed[1::2], strict=True))
