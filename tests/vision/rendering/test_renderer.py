"""Rendered pictures against computations of our own: where cards appear, what is hidden, what a seed gives."""

import math
from typing import Literal

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from shapely.geometry import Polygon
from shapely.ops import unary_union

from vision.arrays import Picture
from vision.cards import CARD_MM, Deck, Face, Kind, Pose
from vision.deck_pictures import DeckPictures
from vision.rendering import (
    Camera,
    Coin,
    Emma,
    EmmaLook,
    Hand,
    Light,
    LyingCard,
    Mug,
    Pile,
    Renderer,
    Scene,
    Sensor,
    Tabletop,
    Vehicle,
    VehicleLook,
    camera_above,
)
from vision.rendering.portrait import portrait
from vision.rendering.solids import emma_solid, hand_solid
from vision.rendering.tabletops import surface
from vision.rendering.vehicles import vehicle_solid

Points = NDArray[np.float64]
FaceImages = dict[str, NDArray[np.uint8]]

CLEAR = Sensor(noise=0, blur_px=0, vignette=0)
EVEN = Light(lamp_mm=(400, 300, 3000), ambient=0.9, glare=0)
RED = (200, 30, 30)
VEHICLES = (
    Vehicle(Pose(290, 190, 70), VehicleLook(is_locomotive=True, colour=RED, size_mm=(15, 9.4, 13), sign=3)),
    Vehicle(Pose(305, 215, 160), VehicleLook(is_locomotive=False, colour=RED, sign=4)),
    Vehicle(Pose(300, 170, 250), VehicleLook(is_locomotive=True, colour=RED, make="wood", size_mm=(15, 9.4, 13))),
    Vehicle(Pose(325, 230, 0), VehicleLook(is_locomotive=False, colour=RED, make="wood")),
)
BLACK = Tabletop("plain", (8, 8, 8), gloss=0)


def renderer(camera: Camera, faces: FaceImages, back: NDArray[np.uint8], tabletop: Tabletop = BLACK) -> Renderer:
    return Renderer(camera, tabletop, faces, back)


def corners_by_opencv(camera: Camera, card: LyingCard, height_mm: float) -> Points:
    width, height = CARD_MM
    angle = math.radians(card.pose.rotation_deg)
    points = [
        (
            card.pose.x_mm + math.cos(angle) * x - math.sin(angle) * y,
            card.pose.y_mm + math.sin(angle) * x + math.cos(angle) * y,
            -height_mm,
        )
        for x, y in (
            (-width / 2, -height / 2),
            (width / 2, -height / 2),
            (width / 2, height / 2),
            (-width / 2, height / 2),
        )
    ]
    return project(camera, np.array(points))


def project(camera: Camera, points: Points) -> Points:
    turn, _ = cv2.Rodrigues(np.array(camera.rotation))
    matrix, distortion = np.array(camera.matrix), np.array(camera.distortion)
    seen, _ = cv2.projectPoints(points, turn, np.array(camera.translation), matrix, distortion)
    return np.asarray(seen.reshape(-1, 2))


@pytest.mark.parametrize(
    "pose", [Pose(400, 300, 0), Pose(90, 80, 33), Pose(700, 520, 271.5), Pose(120, 500, 180)], ids=str
)
def test_corners_are_where_opencv_puts_them(
    slanted: Camera, faces: FaceImages, back: NDArray[np.uint8], pose: Pose
) -> None:
    flat, bent = LyingCard("A", pose), LyingCard("A", pose, curl_mm=2.0, lift_mm=1.0)
    view = renderer(slanted, faces, back)
    assert np.abs(view.corners(flat) - corners_by_opencv(slanted, flat, 0.3)).max() < 0.05
    assert np.abs(view.corners(bent) - corners_by_opencv(slanted, bent, 3.3)).max() < 0.05


@pytest.mark.parametrize("pose", [Pose(400, 300, 0), Pose(110, 110, 33), Pose(690, 500, 290)], ids=str)
def test_the_pixels_agree_with_the_corners(
    slanted: Camera, faces: FaceImages, back: NDArray[np.uint8], pose: Pose
) -> None:
    """The lines along a white card's edges, measured in the picture, cross where the corners are said to be."""
    card = LyingCard("plain", pose)
    view = renderer(slanted, faces, back)
    picture = (view.photograph(Scene((card,)), EVEN, CLEAR, 0).picture[..., 1] / 255) ** 2.2
    corners = view.corners(card)
    lines = [measured_edge(picture, corners[index], corners[(index + 1) % 4]) for index in range(4)]
    for index in range(4):
        crossing = np.cross(lines[index - 1], lines[index])
        assert np.linalg.norm(crossing[:2] / crossing[2] - corners[index]) < 0.2  # the lens bends the edges


def measured_edge(picture: Points, start: Points, end: Points) -> Points:
    """The straight line (a, b, c with ax + by + c = 0) along which the picture passes half of its brightness."""
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    found = []
    for share in np.linspace(0.2, 0.8, 25):
        middle = start + share * (end - start)
        steps = np.arange(-4, 4.01, 0.05)
        points = (middle + steps[:, None] * across).astype(np.float32)
        profile = cv2.remap(picture, points[:, :1], points[:, 1:], cv2.INTER_LINEAR).ravel()
        half = (profile.max() + profile.min()) / 2
        crossing = np.flatnonzero(np.diff(profile > half))[0]
        found.append(middle + steps[crossing] * across)
    vx, vy, x, y = cv2.fitLine(np.array(found, dtype=np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel()
    return np.array([-vy, vx, vy * x - vx * y])


def test_a_card_shows_its_face_the_right_way_round(slanted: Camera, faces: FaceImages, back: NDArray[np.uint8]) -> None:
    view = renderer(slanted, faces, back)
    for letter, pose in (("A", Pose(400, 300, 90)), ("F", Pose(150, 150, 200)), ("J", Pose(650, 450, 340))):
        card = LyingCard(letter, pose)
        picture = view.photograph(Scene((card,)), EVEN, CLEAR, 0).picture
        source = view.corners(card).astype(np.float32)
        target = np.array([(0, 0), (126, 0), (126, 176), (0, 176)], dtype=np.float32)
        upright = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(source, target), (126, 176))
        alike = {
            name: float(np.corrcoef(upright.ravel(), cv2.resize(face, (126, 176)).ravel())[0, 1])
            for name, face in faces.items()
            if name != "plain"
        }
        assert max(alike, key=alike.__getitem__) == letter
        assert alike[letter] > 0.9


@pytest.mark.parametrize(
    "scene",
    [
        Scene((LyingCard("A", Pose(300, 200)),), Emma(Pose(310, 190, 40))),
        Scene((LyingCard("A", Pose(300, 200)),), Emma(Pose(310, 190, 40), look=EmmaLook(scale=1.2, make="board"))),
        Scene((LyingCard("A", Pose(300, 200, 20)),), None, (Hand((290, 190), 200),)),
        Scene((LyingCard("A", Pose(520, 420, 77)),), Emma(Pose(500, 430, 0)), (Hand((540, 400), 100, 10),)),
        Scene((LyingCard("A", Pose(300, 200)),)),
        Scene((LyingCard("A", Pose(300, 200)),), vehicles=VEHICLES),
    ],
    ids=["Emma", "another Emma", "a hand", "both", "nothing", "vehicles"],
)
def test_what_is_visible_agrees_with_exact_polygons(
    slanted: Camera, faces: FaceImages, back: NDArray[np.uint8], scene: Scene
) -> None:
    photograph = renderer(slanted, faces, back).photograph(scene, EVEN, CLEAR, 0)
    solids = [
        *(emma_solid(scene.emma) if scene.emma else ()),
        *(part for vehicle in scene.vehicles for part in vehicle_solid(vehicle)),
        *(part for hand in scene.hands for part in hand_solid(hand)),
    ]
    outlines = [Polygon(project(slanted, part.corners)).buffer(0) for part in solids]
    card = Polygon(corners_by_opencv(slanted, scene.cards[0], 0.3))
    expected = 1 - card.intersection(unary_union(outlines)).area / card.area
    assert photograph.visible[0] == pytest.approx(expected, abs=0.02)


def test_a_card_half_out_of_the_picture_is_half_visible(faces: FaceImages, back: NDArray[np.uint8]) -> None:
    camera = camera_above((0, 0), 500, (800, 600), field_of_view_deg=60)
    edge = camera.on_table([(0, 300)])[0]
    photograph = renderer(camera, faces, back).photograph(
        Scene((LyingCard("A", Pose(float(edge[0]), 0)), LyingCard("A", Pose(5000, 0)))), EVEN, CLEAR, 0
    )
    assert photograph.visible == pytest.approx((0.5, 0.0), abs=0.02)


def test_the_same_seed_gives_the_same_bytes_and_another_other_noise(
    slanted: Camera, faces: FaceImages, back: NDArray[np.uint8]
) -> None:
    scene = Scene(
        (LyingCard("A", Pose(300, 200), curl_mm=1),),
        Emma(Pose(300, 200)),
        (Hand((500, 300), 180),),
        (Pile(Pose(700, 120)), Mug((80, 500)), Coin((300, 40))),
    )
    sensor = Sensor(noise=0.03)
    first, same, other = (
        renderer(slanted, faces, back).photograph(scene, Light(), sensor, seed).jpeg(sensor) for seed in (5, 5, 6)
    )
    assert first == same
    assert first != other


def test_noise_is_as_strong_as_said(slanted: Camera, faces: FaceImages, back: NDArray[np.uint8]) -> None:
    grey = Tabletop("plain", (128, 128, 128), gloss=0)
    view = renderer(slanted, faces, back, grey)
    still = view.photograph(Scene(), EVEN, CLEAR, 1).picture.astype(float)
    noisy = view.photograph(Scene(), EVEN, Sensor(noise=0.04, blur_px=0, vignette=0), 1).picture.astype(float)
    assert np.std((noisy - still) / 255) == pytest.approx(0.04, rel=0.3)


@pytest.mark.parametrize(
    ("change", "brighter"), [({"brightness": 0.3}, False), ({"glare": 1.0, "lamp_mm": (400.0, 300.0, 800.0)}, True)]
)
def test_light_changes_the_picture_as_it_says(
    slanted: Camera, faces: FaceImages, back: NDArray[np.uint8], change: dict[str, float], brighter: bool
) -> None:
    table = Tabletop("plain", (120, 120, 120), gloss=0.8)
    view = renderer(slanted, faces, back, table)
    before = view.photograph(Scene(), EVEN, CLEAR, 0).picture.mean()
    after = view.photograph(Scene(), Light(**{"ambient": 0.9, "glare": 0, **change}), CLEAR, 0).picture.mean()
    assert (after > before) == brighter


@pytest.mark.parametrize("kind", ["wood", "felt", "gingham", "plain", "stone", "stripes"])
def test_every_kind_of_table_is_lit_and_its_grain_comes_from_its_seed(
    slanted: Camera, faces: FaceImages, back: NDArray[np.uint8], kind: str
) -> None:
    first, same, other = (
        renderer(slanted, faces, back, Tabletop(kind, seed=seed)).photograph(Scene(), EVEN, CLEAR, 0).picture
        for seed in (1, 1, 2)
    )
    assert 25 < first.mean() < 245
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_a_table_is_not_made_anew_for_each_camera_that_sees_it() -> None:
    felt = surface(Tabletop("felt", seed=1))
    assert surface(Tabletop("felt", seed=1)) is felt
    assert not np.array_equal(surface(Tabletop("felt", seed=2)), felt)


def test_emma_casts_a_shadow_away_from_the_lamp(faces: FaceImages, back: NDArray[np.uint8]) -> None:
    camera = camera_above((0, 0), 500, (800, 600))
    view = renderer(camera, faces, back, Tabletop("plain", (200, 200, 200), gloss=0))
    lamp = Light(lamp_mm=(-600, 0, 500), ambient=0.2, softness_mm=10, glare=0)
    bare = view.photograph(Scene(), lamp, CLEAR, 0).picture.astype(float)
    stands = view.photograph(Scene(emma=Emma(Pose(0, 0, 0))), lamp, CLEAR, 0).picture.astype(float)
    darker = (bare - stands).mean(axis=2)
    away, towards = (camera.project([(x, 0, 0)])[0].round().astype(int) for x in (15, -15))
    assert darker[away[1], away[0]] > 20
    assert abs(darker[towards[1], towards[0]]) < 5


@pytest.mark.parametrize("make", ["engine", "board"])
def test_emma_has_the_colour_and_the_size_that_she_is_given(
    faces: FaceImages, back: NDArray[np.uint8], make: Literal["engine", "board"]
) -> None:
    view = renderer(camera_above((0, 0), 300, (800, 600)), faces, back, Tabletop("plain", (200, 200, 200), gloss=0))

    def red_pixels(scale: float) -> int:
        emma = Emma(Pose(0, 0), look=EmmaLook(body=(220, 20, 20), scale=scale, make=make))
        picture = view.photograph(Scene(emma=emma), EVEN, CLEAR, 0).picture.astype(int)
        return int((picture[..., 2] - picture[..., 1] > 60).sum())

    assert red_pixels(1.3) > 1.4 * red_pixels(1.0) > 1000


def test_a_roof_shows_its_sign_from_wherever_it_is_seen(faces: FaceImages, back: NDArray[np.uint8]) -> None:
    """As many spots or bars as told, whole: neither roof nor walls are drawn over them."""
    for heading_deg in (0, 110, 250):
        camera = camera_above((0, 0), 150, (600, 200), field_of_view_deg=25, tilt_deg=25, heading_deg=heading_deg)
        view = renderer(camera, faces, back)
        for count in range(1, 5):
            for is_locomotive in (False, True):
                look = VehicleLook(is_locomotive, RED, "folded", (15, 9.4, 9), count)
                scene = Scene(vehicles=(Vehicle(Pose(0, 0, 30), look),))
                picture = view.photograph(scene, EVEN, CLEAR, 0).picture
                white = cv2.morphologyEx((picture.min(axis=2) > 120).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
                # A chimney's mouth is as white.
                assert cv2.connectedComponents(white)[0] - 1 == count + is_locomotive


def test_a_locomotive_throws_a_longer_shadow_than_a_wagon(faces: FaceImages, back: NDArray[np.uint8]) -> None:
    view = renderer(camera_above((0, 0), 200, (400, 300)), faces, back, Tabletop("plain", (200, 200, 200), gloss=0))
    lamp = Light(lamp_mm=(0, -300, 400), ambient=0.2, softness_mm=1, glare=0)

    def dark_pixels(*vehicles: Vehicle) -> int:
        picture = view.photograph(Scene(vehicles=vehicles), lamp, CLEAR, 0).picture
        return int((picture.max(axis=2) < 110).sum())

    dark = [
        dark_pixels(Vehicle(Pose(0, 0), VehicleLook(is_locomotive, (255, 255, 255), "wood", (15, 9.4, height))))
        for is_locomotive, height in ((False, 9.0), (True, 13.0))
    ]
    assert dark[1] > 1.15 * dark[0] > 100


def test_a_small_piece_has_small_corners() -> None:
    """As round as those of a card they would leave a hole where four pieces meet."""
    white = np.full((72, 216, 3), 255, np.uint8)
    camera = camera_above((0, 0), 100, (640, 480))
    view = Renderer(camera, BLACK, {"piece": white}, None, (54.0, 18.0))
    photograph = view.photograph(Scene((LyingCard("piece", Pose(0, 0)),)), EVEN, CLEAR, 0)
    assert photograph.visible[0] == pytest.approx(1, abs=0.02)
    column, row = camera.project([(-27 + 0.7, -9 + 0.7, -0.3)])[0].round().astype(int)
    assert photograph.picture[row, column].min() > 200


def test_what_a_piece_has_not_shows_what_lies_below() -> None:
    """A piece of three cells in a corner, on another one of a darker print."""
    white, grey = (np.full((144, 144, 3), shade, np.uint8) for shade in (255, 90))
    deck = Deck("corner", (Face("piece", 1, Kind.TRACK, 4, size_mm=(36.0, 36.0)),), (36.0, 36.0))
    pictures = DeckPictures(deck, {"piece": white}, cell_mm=18.0, cells=((0, 0), (1, 0), (1, 1)))
    assert pictures.gaps == ((0.0, 18.0, 18.0),)
    camera = camera_above((0, 0), 100, (640, 480))
    view = Renderer(camera, BLACK, {"piece": white, "other": grey}, None, (36.0, 36.0), gaps=pictures.gaps)
    below = view.photograph(Scene((LyingCard("piece", Pose(0, 0)),)), EVEN, CLEAR, 0)
    assert below.visible[0] == pytest.approx(1, abs=0.02)

    def shade(picture: Picture, x: float, y: float) -> int:
        column, row = camera.project([(x, y, -0.3)])[0].round().astype(int)
        return int(picture[row, column].min())

    assert shade(below.picture, -9, 9) < 60
    assert shade(below.picture, 9, 9) > 200
    # Turned about, the other one has its cell there.
    both = (LyingCard("other", Pose(0, 0, 180)), LyingCard("piece", Pose(0, 0)))
    assert 60 < shade(view.photograph(Scene(both), EVEN, CLEAR, 0).picture, -9, 9) < 200


def test_from_above_a_locomotive_of_one_paint_is_told_from_a_wagon() -> None:
    wagon, locomotive = (
        portrait(VehicleLook(is_locomotive=is_locomotive, colour=RED, make="wood")) for is_locomotive in (False, True)
    )
    assert np.ptp(wagon[10:-10, 10:-10, 2]) < 5
    back, front = locomotive[-20, 50, 2], locomotive[20, 10, 2]
    assert abs(int(back) - wagon[-20, 50, 2]) < 5
    assert front < 0.9 * back
