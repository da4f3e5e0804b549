"""Bars hold where they should, and only there."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.vision.reading.measuring.bars import Bar, bars, lines, worst_decks
from tests.vision.reading.measuring.deck_trials import ALONE, STREAM, Trial
from tests.vision.reading.measuring.shares import Share
from tests.vision.reading.scores import Answer, Score
from tests.vision.reading.taught_eye import Result

SURE = (Answer(0.999, is_right=True, is_asked=False),) * 4
PERFECT = Score(4, 4, 4, 0, 4, 4, 1, 1, [0.2, 0.3, 0.4, 0.5], [], [], answers=SURE)
MISREAD = ["track-1-left read as track-2-left"]


def trial(score: Score, deck: int = 7, table: int = 1, how: str = ALONE) -> Trial:
    return Trial(deck, table, how, Result(1, {"ground": "plain"}, score, 90.0, 10.0), [], 2.0, 1, ())


def verdicts(*scores: Score) -> dict[str, bool | None]:
    alone = [trial(score, deck, table) for table, score in enumerate(scores) for deck in (7,)]
    return {bar.what: bar.holds for bar in bars([*alone, trial(scores[-1], how=STREAM)])}


def test_a_perfect_eye_clears_every_bar() -> None:
    assert set(verdicts(PERFECT).values()) == {True}


@pytest.mark.parametrize(
    ("flaw", "failing"),
    [
        ({"found": 3, "wrong": ["missed track-1-left"]}, {"cards found"}),
        ({"false": 1, "wrong": ["false track-1-left"]}, {"false cards"}),
        ({"faces": 3, "wrong": MISREAD}, {"faces"}),
        ({"upright": 3, "wrong": ["track-1-left read the wrong way round"]}, {"upright"}),
        ({"emmas_right": 0, "wrong": ["Emma not seen"]}, {"Emma"}),
        ({"corners_mm": [0.51] * 4}, {"corners, median"}),
        ({"corners_mm": [0.1, 0.1, 0.1, 1.6]}, {"corners, 95 %"}),
        ({"asked": 1}, {"tables that ask", "tables of those that ask"}),
        ({"answers": (*SURE, Answer(0.9, is_right=False, is_asked=False))}, {"wrong where nobody is asked"}),
        ({"answers": (*SURE, Answer(0.6, is_right=False, is_asked=True))}, set()),
    ],
)
def test_what_is_wrong_fells_the_bar_that_is_about_it(flaw: dict[str, object], failing: set[str]) -> None:
    of_whole_tables = {
        "tables right or rightly asked",
        "the same of the worst tenth of decks",
        "right or rightly asked in a stream",
    }
    felled = {what for what, holds in verdicts(PERFECT._replace(**flaw)).items() if not holds}
    assert felled == failing | (of_whole_tables if "wrong" in flaw else set())


def test_a_table_rightly_asked_is_as_good_as_a_right_one_but_asks() -> None:
    asked = PERFECT._replace(faces=3, wrong=MISREAD, asked=1, rightly_asked=1)
    found = verdicts(*[PERFECT] * 399, asked)
    assert found["tables right or rightly asked"]
    assert found["tables that ask"]
    assert found["faces"]
    assert not verdicts(*[PERFECT] * 9, asked)["tables that ask"]


def test_what_was_not_measured_neither_holds_nor_fails() -> None:
    assert {bar.holds for bar in bars([])} == {None}
    assert next(bar.holds for bar in bars([trial(PERFECT)]) if "stream" in bar.what) is None
    assert [line.split()[-1] for line in lines([trial(PERFECT)]) if "stream" in line] == ["measured"]


def test_one_false_card_in_500_tables_is_the_most() -> None:
    def false_cards(count: int) -> Bar:
        some = [trial(PERFECT, table=table) for table in range(count - 1)]
        return next(bar for bar in bars([*some, trial(PERFECT._replace(false=1))]) if bar.what == "false cards")

    assert false_cards(500).holds
    assert not false_cards(499).holds


def test_the_worst_decks_are_those_with_the_fewest_tables_right_then_those_that_ask_most() -> None:
    wrong, asks = PERFECT._replace(wrong=MISREAD), PERFECT._replace(asked=1)
    decks = [trial(PERFECT, deck) for deck in range(21)]
    decks[5] = replace(decks[5], result=decks[5].result._replace(score=wrong))
    decks[9] = replace(decks[9], result=decks[9].result._replace(score=asks))
    assert worst_decks(decks) == [5, 9, 0]


@pytest.mark.parametrize(
    ("share", "low", "high"),
    [
        (Share(0, 0), 0.0, 1.0),
        (Share(10, 10), 0.7225, 1.0),
        (Share(0, 10), 0.0, 0.2775),
        (Share(50, 100), 0.4038, 0.5962),
    ],
)
def test_the_interval_of_a_share_is_wilsons(share: Share, low: float, high: float) -> None:
    assert share.interval == pytest.approx((low, high), abs=5e-5)
