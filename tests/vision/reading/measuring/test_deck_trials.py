from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.random_decks.designer import random_style
from tests.vision.random_decks.random_deck import deck_of, random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.measuring import deck_trials
from tests.vision.reading.measuring.deck_trials import ALONE, STREAM, Trial, missing
from tests.vision.reading.measuring.figures import by_condition, has_cards_right, of_all
from tests.vision.reading.measuring.ideal_eye import ideal_score
from tests.vision.reading.measuring.kept import keep, kept_lines
from tests.vision.reading.measuring.rail_errors import RailError, rail_errors
from tests.vision.reading.scores import Score
from tests.vision.reading.taught_eye import Result
from vision.arrays import Points
from vision.reading.reader import CardReading

SCORE = Score(4, 3, 3, 0, 3, 3, 1, 1, [0.2, 0.3, 0.4], ["missed track-1-left"], [2])
TRIAL = Trial(7, 1, ALONE, Result(7001, {"ground": "plain"}, SCORE, 90.0, 10.0), [RailError(0.1, -0.2)], 2.0, 1, ())


def test_what_is_kept_is_read_again_and_an_unfinished_line_is_not(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    keep(TRIAL, path)
    with path.open("ab") as file:
        file.write(msgspec.json.encode(TRIAL)[:50])
    keep(replace(TRIAL, table=2), path)
    assert kept_lines(path, Trial) == [TRIAL, replace(TRIAL, table=2)]
    assert TRIAL.look_ratio == 50


def test_trials_of_another_form_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text('{"deck": 3}\n')
    with pytest.raises(msgspec.ValidationError):
        kept_lines(path, Trial)
    assert kept_lines(tmp_path / "nothing", Trial) == []


def test_only_what_does_something_makes_another_version_of_the_eye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_trials, "_EYE", tmp_path)

    def version(source: str, name: str = "reading.py") -> str:
        (tmp_path / name).write_text(source)
        return deck_trials.version_of_the_eye.__wrapped__()

    plain = version("LIMIT = 0.5\ndef read(): return LIMIT\n")
    assert version('"""Reads."""\nLIMIT = 0.5  # a half\n"""Of all."""\n\ndef read():\n    return LIMIT\n') == plain
    assert version("LIMIT = 0.6\ndef read(): return LIMIT\n") != plain
    assert version("LIMIT = 0.5\ndef read(): return LIMIT\n") == plain
    assert version("", name="more.py") != plain


def test_a_table_whose_only_wrong_face_is_asked_is_right_or_asked() -> None:
    asked = SCORE._replace(wrong=["track-1-left read as track-2-left"], asked=1, rightly_asked=1)
    unasked = asked._replace(asked=0, rightly_asked=0)
    assert asked.is_right_or_asked
    assert not unasked.is_right_or_asked
    lines = list(of_all([TRIAL.result._replace(score=score) for score in (asked, unasked)]))
    assert lines[1].split()[3:] == ["0.5000", "(1", "of", "2)"]
    assert lines[2].split()[2:] == ["0.5000", "(1", "of", "2)"]


def test_a_table_on_which_only_emma_was_not_seen_has_its_cards_right() -> None:
    without_emma = TRIAL.result._replace(score=SCORE._replace(wrong=["Emma not seen"], emmas_right=0))
    assert has_cards_right(without_emma)
    assert not has_cards_right(TRIAL.result)
    lines = list(of_all([TRIAL.result, without_emma]))
    assert lines[0].split()[2:] == ["0.0000", "(0", "of", "2)"]
    assert lines[3].split()[2:] == ["0.5000", "(1", "of", "2)"]
    (row,) = list(by_condition([TRIAL.result, without_emma]))[1:]
    assert row.split() == ["ground", "plain", "2", "0.000", "0.500", "0.750", "0", "1.000", "0.500"]


def test_only_what_is_missing_is_read() -> None:
    wanted = [(0, ALONE), (1, ALONE), (1, STREAM)]
    assert missing(7, wanted, [TRIAL]) == [(0, ALONE), (1, STREAM)]
    assert missing(8, wanted, [TRIAL]) == wanted


@pytest.mark.parametrize(
    ("deck", "table", "asked", "why"),
    [
        (360, 360010, 1, "Emma hides all of a break, and nothing else"),
        pytest.param(113, 113013, 0, "two bars of a break jut out from under her", marks=pytest.mark.further),
        pytest.param(37, 37013, 3, "noise hides some of the thin numerals", marks=pytest.mark.further),
        pytest.param(
            379,
            379000,
            1,
            "Emma hides all of a break, and what lies on the card's rim is its neighbour's",
            marks=pytest.mark.further,
        ),
    ],
)
def test_what_no_eye_could_tell_is_what_is_hidden_or_lost_in_noise(deck: int, table: int, asked: int, why: str) -> None:
    score = ideal_score(random_deck(deck, keeps_track=True), table, random_emma(deck))
    assert score.asked == asked, why
    assert score.is_right_or_asked


@pytest.mark.parametrize("turn", range(4), ids=lambda turn: f"{90 * turn} degrees")
@pytest.mark.parametrize(
    ("face", "expected"),
    [("track-1-straight", RailError(-2.0, 1.0)), ("track-1-across", RailError(1.0, 2.0)), ("chaos-1", None)],
)
def test_errors_are_told_along_the_rails_and_across(turn: int, face: str, expected: RailError | None) -> None:
    """A reading 1 mm to the right and 2 mm downwards on the upright card, which lies in any way."""
    deck = deck_of(random_style(0)._replace(ports=dict.fromkeys("NESW", 0.0)), 0)
    width, height = deck.card_mm
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)

    def seen(points: Points) -> Points:
        angle = np.radians(90 * turn)
        turned = points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return np.asarray(1.5 * turned + 400, float)

    truth = {"cards": [{"face": face, "corners_px": seen(upright).tolist()}], "card_mm": deck.card_mm}
    read = [CardReading(face, seen(upright + np.array([1.0, 2.0])), 0.9, 0.2)]
    errors = rail_errors(truth, read, deck)
    if expected is None:
        assert errors == []
    else:
        assert np.allclose(errors, [expected], atol=1e-3)
