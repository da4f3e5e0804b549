"""What the eyes want of a camera that hangs wrong, in pictures of a table with four cards."""

import json

import numpy as np
import pytest

from companion.doctor.aiming_eyes import AimingEyes
from vision.arrays import Picture
from vision.cards import CARD_MM, Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import Light, LyingCard, Renderer, Scene, Sensor, Tabletop
from vision.rendering.camera import camera_above

CARDS = tuple(
    LyingCard(face, Pose(400 + x, 300 + y, turned))
    for face, x, y, turned in (
        ("track-2-left", -130, -90, 4),
        ("chaos-3", 130, -80, 85),
        ("track-1-across", 120, 90, 178),
        ("track-4-straight", -120, 95, 275),
    )
)


class Table:
    """A dark table under a camera that hangs somewhere."""

    def __init__(self, deck: DeckPictures) -> None:
        self._deck = deck
        self._shots = 0

    def seen(
        self, x: float = 400, y: float = 300, height: float = 650, roll: float = 0, light: Light | None = None
    ) -> Picture:
        self._shots += 1
        camera = camera_above((x, y), height, (984, 738), roll_deg=roll)
        renderer = Renderer(camera, Tabletop(colour=(60, 40, 30)), self._deck.faces, self._deck.back, CARD_MM)
        return renderer.photograph(Scene(CARDS), light or Light(glare=0.0), Sensor(), self._shots).picture


def look(eyes: AimingEyes, picture: Picture) -> str:
    """What is said after some pictures that show the same."""
    for _ in range(4):
        eyes.look(picture, (), lambda: None)
    assert eyes.judged is not None
    return eyes.judged.hint.key


@pytest.fixture(scope="module")
def table(coarse_own: DeckPictures) -> Table:
    return Table(coarse_own)


@pytest.mark.further
def test_arm_and_light_come_before_the_lens(table: Table) -> None:
    eyes = AimingEyes(CARD_MM)
    assert look(eyes, table.seen(light=Light(brightness=0.005))) == "dark"
    assert look(eyes, table.seen(x=600)) == "beside-left"
    assert look(eyes, table.seen(height=520)) == "low"
    assert look(eyes, table.seen(height=900)) == "high"
    assert look(eyes, table.seen()) == "focus-unknown"
    eyes.accept("focus")
    assert look(eyes, table.seen()) == "well"


def test_one_picture_alone_changes_no_word(table: Table) -> None:
    eyes = AimingEyes(CARD_MM)
    eyes.accept("focus")
    right, wrong = table.seen(), table.seen(x=600)
    assert look(eyes, right) == "well"
    for picture in (wrong, right, wrong, wrong, right):
        eyes.look(picture, (), lambda: None)
        assert eyes.judged is not None
        assert eyes.judged.hint.key == "well"


def test_how_the_picture_answers_tells_on_which_side_the_person_stands(table: Table) -> None:
    eyes = AimingEyes(CARD_MM)
    # For a camera that hangs upside down what should come in from the left stands at the right of its picture.
    assert look(eyes, table.seen(x=510, roll=180)) == "beside-right"
    # The person has moved it to their right, which made it worse.
    assert look(eyes, table.seen(x=570, roll=180)) == "beside-left"
    assert look(eyes, table.seen(x=400, y=420, roll=180)) == "beside-far"


def test_a_mirrored_lamp_is_marked_and_the_page_is_told(table: Table) -> None:
    eyes = AimingEyes(CARD_MM)
    picture = table.seen()
    picture[225:285, 90:150] = 255
    assert look(eyes, picture) == "lamp-left"
    facts = json.loads(json.dumps(eyes.facts()))
    assert facts["size"] == [984, 738]
    assert facts["hint"] == "lamp-left"
    assert len(facts["cards"]) == 4
    ((x, y, radius),) = facts["lamps"]
    assert (x, y) == pytest.approx((120, 255), abs=8)
    assert radius > 22
    middle = np.mean(facts["show_spot"], axis=0)
    assert middle[0] > 680
    assert middle[1] > 520
    drawn = eyes.drawn()
    assert drawn is not None
    assert (drawn != picture).any()
