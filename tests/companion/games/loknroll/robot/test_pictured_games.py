"""Whole games on a table: everything happens in them, in its order, where cards can lie."""

from collections import Counter
from random import Random

import pytest
from shapely.geometry import Polygon
from shapely.geometry import box as rectangle

from companion.games.loknroll.robot.pictured_games import Moment, PicturedGame, pictured_game, with_hand
from companion.games.loknroll.rules import Mode, State, load_edition, set_up
from tests.vision.random_decks.designer import random_style
from tests.vision.random_decks.random_deck import deck_of
from vision.cards import CARD_MM, standard_deck
from vision.cards.area import turned
from vision.rendering import LyingCard
from vision.rendering.places import TABLE_MM


def start(mode: Mode) -> State:
    edition = load_edition()
    names = ["Ann", "Ben", "Cleo", "Dan"][: mode.persons]
    return set_up(edition, standard_deck(edition.deck), mode, names)


@pytest.fixture(scope="module", params=[Mode.BETSY, Mode.TWO, Mode.FOUR, Mode.SOLO_HARD])
def pictured(request: pytest.FixtureRequest) -> PicturedGame:
    return pictured_game(start(request.param), Random(8))


def outline(card: LyingCard) -> Polygon:
    half_width, half_height = CARD_MM[0] / 2, CARD_MM[1] / 2
    corners = [(-half_width, -half_height), (half_width, -half_height), (half_width, half_height)]
    corners.append((-half_width, half_height))
    placed = (turned(corner, card.pose.rotation_deg) for corner in corners)
    return Polygon([(card.pose.x_mm + x, card.pose.y_mm + y) for x, y in placed])


def railway_of(moment: Moment) -> list[LyingCard]:
    return [card for card in moment.scene.cards if not card.on_show_spot]


def test_there_is_a_moment_for_all_that_happens(pictured: PicturedGame) -> None:
    whys = Counter(moment.why for moment in pictured.moments)
    steps = Counter(step.name for step in pictured.game.steps)
    assert whys["setup"] == 1
    assert whys["laid"] == steps["lay"]
    assert whys["turn-done"] == pictured.game.state.turn + 1
    assert whys["chaos-shows"] == steps["discard"]


def test_where_the_initial_railway_cannot_be_laid_the_cards_are_shuffled_again() -> None:
    deck = deck_of(random_style(388), 388)  # its rails are far apart: one deal in ten ends too early
    start = set_up(load_edition(), deck, Mode.BETSY, ["Ann"], rails=True)
    moments = pictured_game(start, Random(6)).moments
    assert moments[0].why == "setup"
    assert len(moments[0].scene.cards) >= start.setup.edition.start_cards


def test_cards_lie_on_the_table_and_hardly_over_each_other(pictured: PicturedGame) -> None:
    table = rectangle(0, 0, *TABLE_MM)
    for moment in pictured.moments[::5]:
        outlines = [outline(card) for card in railway_of(moment)]
        assert all(table.contains(card) for card in outlines)
        for index, card in enumerate(outlines):
            for other in outlines[:index]:
                assert card.intersection(other).area < 0.15 * card.area


def test_emma_stands_on_the_card_that_she_is_said_to_stand_on(pictured: PicturedGame) -> None:
    for moment in pictured.moments:
        emma = moment.scene.emma
        assert emma is not None
        railway = railway_of(moment)
        card = railway[emma.index] if moment.why != "laid" else next(c for c in railway if c.serial == emma.serial)
        assert card.serial == emma.serial
        assert outline(card).contains(
            rectangle(emma.pose.x_mm, emma.pose.y_mm, emma.pose.x_mm, emma.pose.y_mm).centroid
        )


def test_serials_go_up_from_rear_to_front(pictured: PicturedGame) -> None:
    for moment in pictured.moments:
        serials = [card.serial for card in railway_of(moment)]
        assert serials == sorted(set(serials))


def test_the_same_generator_gives_the_same_game() -> None:
    first, same, other = (pictured_game(start(Mode.BETSY), Random(seed)) for seed in (3, 3, 4))
    assert first.moments == same.moments
    assert first.moments != other.moments


def test_a_hand_is_put_where_something_happened(pictured: PicturedGame) -> None:
    moment = next(moment for moment in pictured.moments if moment.why == "laid")
    (hand,) = with_hand(moment, Random(1)).hands
    laid = railway_of(moment)[-1]
    assert abs(hand.tip_mm[0] - laid.pose.x_mm) < 80
    assert abs(hand.tip_mm[1] - laid.pose.y_mm) < 80
