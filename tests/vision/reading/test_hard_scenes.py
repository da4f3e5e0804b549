"""Scenes that the eye has read wrongly once are read rightly, and are still hard: without what helped they are not."""

from collections import Counter
from copy import copy
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import pytest

from tests.vision.kept_scenes import Seen, kept_scene
from tests.vision.random_decks.random_deck import random_deck
from tests.vision.random_decks.random_emma import random_emma
from tests.vision.reading.scores import score_of
from tests.vision.reading.taught_eye import Eye
from tests.vision.reading.unseen_tables import table_of
from vision.arrays import Corners, Picture
from vision.deck_pictures import DeckPictures
from vision.faces import alignment
from vision.faces.alignment import Fit, Motion
from vision.faces.alike.like_faces import LikeFaces
from vision.reading import doubtful_cards, keypoint_search, trials
from vision.reading.card_names import CardNames
from vision.reading.card_search import CardSearch
from vision.reading.doubtful_cards import DoubtfulCards
from vision.reading.place_search import PlaceSearch
from vision.reading.recognition import Recognizer
from vision.reading.trials import ANYWHERE, Asked, Trials

SCENES = Path(__file__).parent / "scenes"
CORNERS_MM = 3.0
"""How far off a card's corners may be."""


def nothing(*_: object, **__: object) -> None:
    """In place of a step that is left out."""


def none_of_them(*_: object, **__: object) -> list[object]:
    return []


HERS_PX = 40.0
"""Of the middle of Emma's card: what is found so near is that card."""


class Help(NamedTuple):
    """A part of the eye, and what it is without its help."""

    owner: Any
    name: str
    without: Any


class Hard(NamedTuple):
    """A scene, who reads it, the help that it takes, and what is wrong without (a part of what is told)."""

    scene: str
    eye: str
    help: tuple[Help, ...]
    wrong: str


NO_RAILS = (Help(keypoint_search, "follow_rails", nothing), Help(doubtful_cards, "follow_rails", nothing))
ON_RAILS_AS_FAINT = (Help(trials, "_ON_RAILS", Asked(0.5, 0.2)), Help(trials, "_JUST_THERE", Asked(0.5, 0.2)))
AS_NOISY = Help(Recognizer, "without_noise", lambda _, fit: fit)
"""What noise leaves of a card has to be as plain as a card in the light."""
MAY_STRETCH = Help(alignment, "_as_seen_from_above", lambda warp, _: warp)
"""A card whose size is not known yet may be longer than it is wide."""
DOUBTS_NOTHING = Help(doubtful_cards, "doubtful_among", none_of_them)
"""What is much fainter than the others is a card as well."""
AS_THE_OTHERS = Help(doubtful_cards, "as_plain_as", none_of_them)
UNREAD = Help(PlaceSearch, "read_plain", nothing)
"""No network reads a card by itself."""
UNSEEN = Help(PlaceSearch, "find", nothing)
"""Whatever is printed on a card, it is not seen that one lies there."""
UNNAMED = Help(CardNames, "_has_name", nothing)
"""A card has the face that its looks and its pattern are most like."""

BROKEN = "track-2-right read as broken-2"

HARD = [
    Hard("dim-light-and-glare", "second", (Help(Recognizer, "from_afar", nothing), *NO_RAILS), "Emma not seen"),
    Hard("dark-as-the-others", "second", (AS_NOISY, AS_THE_OTHERS), "missed track-1-right"),
    Hard("track-or-broken-1", "second", (UNNAMED,), BROKEN),
    Hard("track-or-broken-2", "second", (UNNAMED,), BROKEN),
    Hard("glare-between-neighbours", "photographed_second", NO_RAILS, "missed track-1-straight"),
    Hard("seam-behind-the-railway", "photographed_own", (DOUBTS_NOTHING,), "false track"),
    Hard("seam-in-line-with-rails", "own", (DOUBTS_NOTHING, *ON_RAILS_AS_FAINT), "false track"),
    Hard("two-neighbours", "own", (Help(Trials, "_found_freely", nothing),), "broken-2"),
    Hard("far-from-two", "own", (Help(Trials, "_found_freely", nothing), MAY_STRETCH), "off by 8 mm"),
]


@pytest.fixture(scope="session")
def photographed_own_eye(own: DeckPictures) -> Eye:
    return Eye(own, as_photographed(own))


@pytest.fixture(scope="session")
def photographed_second_eye(second: DeckPictures) -> Eye:
    return Eye(second, as_photographed(second))


def as_photographed(pictures: DeckPictures) -> dict[str, Picture]:
    """The faces as small and as soft as a camera above the table sees them, in the light of a lamp."""
    width, height = (round(1.5 * side) for side in pictures.deck.card_mm)
    shrunk = {
        face: cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA) for face, image in pictures.faces.items()
    }
    lit = {face: cv2.GaussianBlur(image, (0, 0), 0.8) * (0.8, 0.85, 0.9) for face, image in shrunk.items()}
    return {face: image.astype("uint8") for face, image in lit.items()}


def wrongly_read(eye: Eye, seen: Seen) -> list[str]:
    read = eye.reader.read(seen.picture)
    score = score_of(seen.truth, read, eye.finder.find(seen.picture, read))
    return [*score.wrong, *(f"off by {off:.0f} mm" for off in score.corners_mm if off >= CORNERS_MM)]


@pytest.mark.parametrize("hard", HARD, ids=lambda hard: hard.scene)
def test_a_scene_that_was_read_wrongly_is_read_rightly_and_still_hard(
    hard: Hard, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye: Eye = request.getfixturevalue(f"{hard.eye}_eye")
    seen = kept_scene(SCENES / f"{hard.scene}.json").seen(eye.pictures)
    assert wrongly_read(eye, seen) == []
    for owner, name, without in (UNREAD, UNSEEN, *hard.help):
        monkeypatch.setattr(owner, name, without)
    assert any(hard.wrong in wrong for wrong in wrongly_read(eye, seen))


def test_what_noise_leaves_of_cards_is_enough_to_find_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deck in woodcut under a dim lamp: each spot has more noise than print, and eleven cards were missed."""
    pictures = random_deck(28)
    eye = Eye(pictures, as_photographed(pictures))
    table = table_of(pictures, 28001, emma=random_emma(28))
    score = score_of(table.truth, eye.reader.read(table.picture), None)
    assert (score.found, score.false) == (score.need, 0)
    for owner, name, without in (UNREAD, UNSEEN, AS_NOISY):
        monkeypatch.setattr(owner, name, without)
    assert score_of(table.truth, eye.reader.read(table.picture), None).found < score.need / 2


def test_a_first_card_that_a_tilted_camera_stretches_is_found(
    second: DeckPictures, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the dark, on felt: as if seen from above none of the four was like its face."""
    eye, table = Eye(second, as_photographed(second)), table_of(second, 77)
    score = score_of(table.truth, eye.reader.read(table.picture), None)
    assert (score.found, score.false) == (4, 0)
    fitted = Recognizer._fitted

    def unstretched(recognizer: Recognizer, fit: Fit, worth: float, motion: Motion) -> Fit | None:
        return None if motion is Motion.STRETCH else fitted(recognizer, fit, worth, motion)

    monkeypatch.setattr(Recognizer, "_fitted", unstretched)
    monkeypatch.setattr(*UNREAD)
    monkeypatch.setattr(*UNSEEN)
    assert score_of(table.truth, eye.reader.read(table.picture), None).found < 2


def test_cards_are_read_where_they_are_seen_to_lie_if_nothing_else_finds_them(
    own_eye: Eye, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(own_eye.pictures, 1, difficulty="easy")
    monkeypatch.setattr(CardSearch, "_find_printed", nothing)
    assert wrongly_read(own_eye, Seen(table.picture, table.truth)) == []
    monkeypatch.setattr(*UNREAD)
    monkeypatch.setattr(*UNSEEN)
    assert own_eye.reader.read(table.picture) == []


def test_cards_are_read_by_their_edges_and_a_map_of_their_print_alone(
    own_eye: Eye, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(own_eye.pictures, 1, difficulty="easy")
    monkeypatch.setattr(CardSearch, "_find_printed", nothing)
    monkeypatch.setattr(PlaceSearch, "_try_in_turn", nothing)
    monkeypatch.setattr(*UNREAD)
    score = score_of(table.truth, own_eye.reader.read(table.picture), None)
    assert (score.found, score.false, score.faces) == (score.need, 0, score.matched)
    monkeypatch.setattr(PlaceSearch, "_read_all", nothing)
    assert own_eye.reader.read(table.picture) == []


def test_what_two_networks_are_sure_of_needs_nothing_else(own_eye: Eye, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(own_eye.pictures, 1, difficulty="easy")
    for owner, name in ((CardSearch, "_find_printed"), (PlaceSearch, "find"), (LikeFaces, "told")):
        monkeypatch.setattr(owner, name, nothing)
    score = score_of(table.truth, own_eye.reader.read(table.picture), None)
    assert score.found >= score.need - 1  # that on which Emma stands may not be sure
    assert (score.false, score.faces, score.upright) == (0, score.matched, score.matched)


def test_a_card_whose_face_was_read_is_one_however_faint_it_is(own_eye: Eye, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(own_eye.pictures, 1, difficulty="easy")
    hers = table.truth["emma"]["serial"]
    faint = next(card for card in table.truth["cards"] if card["serial"] != hers)
    middle = np.mean(faint["corners_px"], axis=0)
    add, as_face = Trials.add, Recognizer.as_face

    def add_others(trials: Trials, fit: Fit | None, asked: Asked = ANYWHERE) -> bool:
        is_faint = fit is not None and np.linalg.norm(fit.corners.mean(axis=0) - middle) < HERS_PX
        return not is_faint and add(trials, fit, asked)

    def faintly(recognizer: Recognizer, corners: Corners, face: int, *, is_flat: bool) -> Fit:
        fit = as_face(recognizer, corners, face, is_flat=is_flat)
        is_faint = np.linalg.norm(corners.mean(axis=0) - middle) < HERS_PX
        return fit._replace(likeness=0.4 * fit.likeness, pattern=0.4 * fit.pattern) if is_faint else fit

    monkeypatch.setattr(Trials, "add", add_others)
    monkeypatch.setattr(Recognizer, "as_face", faintly)
    assert wrongly_read(own_eye, Seen(table.picture, table.truth)) == []
    monkeypatch.setattr(
        Trials, "add_read", lambda trials, fit: trials.cards.settle(fit)
    )  # and forgets that it was read
    assert wrongly_read(own_eye, Seen(table.picture, table.truth)) == [f"missed {faint['face']}"]


def never_sure(monkeypatch: pytest.MonkeyPatch, truth: dict[str, Any], faintly: float) -> str:
    """The face of Emma's card, which from now on is never sure by itself: it seems so much fainter, or is not seen.

    A millimetre decides whether such a card is sure, and which it is hangs on how a processor rounds.
    """
    (hers,) = (card for card in truth["cards"] if card["serial"] == truth["emma"]["serial"])
    middle = np.mean(hers["corners_px"], axis=0)
    add = Trials.add

    def add_unsurely(trials: Trials, fit: Fit | None, asked: Asked = ANYWHERE) -> bool:
        if fit is None or np.linalg.norm(fit.corners.mean(axis=0) - middle) > HERS_PX:
            return add(trials, fit, asked)
        if faintly:
            trials.faint.append(fit._replace(likeness=faintly * fit.likeness, pattern=faintly * fit.pattern))
        return False

    monkeypatch.setattr(Trials, "add", add_unsurely)
    return str(hers["face"])


@pytest.mark.parametrize("faintly", [0.6, 0.0])
def test_a_card_that_was_not_found_is_looked_for_where_emma_would_stand_on_it(
    second_eye: Eye, monkeypatch: pytest.MonkeyPatch, faintly: float
) -> None:
    seen = kept_scene(SCENES / "hidden-by-emma.json").seen(second_eye.pictures)
    hers = never_sure(monkeypatch, seen.truth, faintly)
    monkeypatch.setattr(*UNREAD)
    assert wrongly_read(second_eye, seen) == []
    monkeypatch.setattr(*UNSEEN)
    monkeypatch.setattr(DoubtfulCards, "find_hers", nothing)
    monkeypatch.setattr(DoubtfulCards, "_judge_by_emma", nothing)
    assert f"missed {hers}" in wrongly_read(second_eye, seen)


@pytest.mark.parametrize(("deck", "table"), [(18, 18001), (58, 58000)])
def test_a_wider_emma_of_any_colour_is_found_on_a_card_that_hardly_shows(deck: int, table: int) -> None:
    """A magenta cab hides the track, and a wooden one: neither where she stands nor what shows is plain by itself."""
    pictures = random_deck(deck)
    eye, drawn = Eye(pictures, pictures.faces), table_of(pictures, table, emma=random_emma(deck))
    assert wrongly_read(eye, Seen(drawn.picture, drawn.truth)) == []


@pytest.mark.parametrize(
    ("scene", "many", "is_told"),
    [("track-or-broken-1", "broken-2", False), ("track-or-broken-2", "broken-1", True)],
)
def test_where_emma_hides_whether_a_track_is_broken_the_deck_says_what_is_likelier(
    second_eye: Eye, scene: str, many: str, is_told: bool
) -> None:
    """What is plain to see counts for more, as that a track of value 1 is not broken."""
    seen = kept_scene(SCENES / f"{scene}.json").seen(second_eye.pictures)
    read = Counter(card.face for card in second_eye.reader.read(seen.picture))
    another = copy(second_eye.reader)
    learnt = another._learnt
    counts = [9 if face == many else count for face, count in zip(learnt.ids, learnt.counts, strict=True)]
    another._learnt = learnt._replace(counts=counts)
    expected = read if is_told else read - Counter(["track-2-right"]) + Counter(["broken-2"])
    assert Counter(card.face for card in another.read(seen.picture)) == expected
