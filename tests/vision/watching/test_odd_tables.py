"""Cards keep their names and places on tables that make it hard: pale, chequered, like a sleeve at the border."""

from tests.vision.watching.sights import by_serial, emmas_face, faces
from vision.cards import Pose
from vision.deck_pictures import DeckPictures
from vision.reading.emma import EmmaFinder
from vision.reading.reader import Reader
from vision.rendering import Emma, Light, LyingCard, Renderer, Scene, Sensor, Tabletop, camera_above
from vision.watching.steady_view import SteadyView

PALE = Tabletop("plain", (232, 240, 244), seed=1)
"""Nearly the colour of a winter card."""
WITH_A_WINTER_CARD = (
    LyingCard("track-2-right", Pose(267, 397, 90)),
    LyingCard("track-1-right", Pose(180, 398, 269)),
    LyingCard("track-3-straight", Pose(180, 322, 0)),
    LyingCard("track-4-left", Pose(180, 246, 270)),
)


def test_a_shaken_camera_hides_no_change(own: DeckPictures, reader: Reader, emma_finder: EmmaFinder) -> None:
    """Over a chequered cloth everything looks different then, and what has come and gone but little more so."""
    cloth = Tabletop("gingham", (77, 129, 84), (205, 205, 200), seed=3)
    before, after = (camera_above((400 + mm, 300 - mm), 720, (984, 738), tilt_deg=8) for mm in (0.0, 3.0))
    lying = WITH_A_WINTER_CARD[:3]
    shown = LyingCard("track-4-straight", Pose(600, 480, 2))
    elsewhere = LyingCard("track-2-left", Pose(420, 490, 182))
    emma = Emma(lying[0].pose)
    view = SteadyView(reader, emma_finder)
    seen = []
    for camera, card in ((before, shown), (after, elsewhere)):
        renderer = Renderer(camera, cloth, own.faces, own.back, own.deck.card_mm)
        for number in range(2):
            scene = Scene(cards=(*lying, card), emma=emma)
            sight = view.look(renderer.photograph(scene, Light(), Sensor(noise=0.01), number).picture)
        assert faces(sight) == sorted(each.face for each in scene.cards)
        seen.append({(serial, face) for serial, face in by_serial(sight).items() if face != card.face})
    assert seen[0] == seen[1]


def test_a_card_taken_from_the_border_leaves_no_hand(
    own: DeckPictures, reader: Reader, emma_finder: EmmaFinder
) -> None:
    """On wood the bare place looks like a sleeve that reaches in."""
    wood = Tabletop("wood", (60, 90, 140), (40, 60, 100), seed=2)
    camera = camera_above((400, 300), 720, (984, 738), tilt_deg=8)
    renderer = Renderer(camera, wood, own.faces, own.back, own.deck.card_mm)
    rest = (
        LyingCard("track-1-right", Pose(194, 300, 90)),
        LyingCard("track-3-straight", Pose(112, 300, 90)),
        LyingCard("track-2-left", Pose(30, 300, 90)),
    )
    at_border = LyingCard("track-4-straight", Pose(30, 363, 90))
    view = SteadyView(reader, emma_finder, pictures_to_be_still=2)
    for number, cards in enumerate([(*rest, at_border)] * 5 + [rest] * 6):
        scene = Scene(cards=cards, emma=Emma(rest[0].pose))
        sight = view.look(renderer.photograph(scene, Light(), Sensor(noise=0.01), number).picture)
    assert not sight.hand
    assert faces(sight) == sorted(card.face for card in rest)


def test_a_pale_card_is_read_on_a_pale_table_in_noise(
    own: DeckPictures, reader: Reader, emma_finder: EmmaFinder
) -> None:
    """Only a quarter of its place looks different then."""
    camera = camera_above((400, 300), 720, (984, 738), tilt_deg=8)
    renderer = Renderer(camera, PALE, own.faces, own.back, own.deck.card_mm)
    shown = LyingCard("track-4-left", Pose(600, 480, 2))
    view = SteadyView(reader, emma_finder, pictures_to_be_still=2)
    rest = WITH_A_WINTER_CARD[:3]
    for number, cards in enumerate([rest] * 4 + [(*rest, shown)] * 3):
        scene = Scene(cards=cards, emma=Emma(rest[0].pose))
        sight = view.look(renderer.photograph(scene, Light(), Sensor(noise=0.05), number).picture)
    assert faces(sight) == sorted(card.face for card in (*rest, shown))


def test_a_card_of_the_colour_of_the_table_comes_and_goes(
    own: DeckPictures, reader: Reader, emma_finder: EmmaFinder
) -> None:
    """Much less of the table looks different then; Emma on the card does not make it go."""
    camera = camera_above((400, 300), 720, (984, 738), tilt_deg=8)
    renderer = Renderer(camera, PALE, own.faces, own.back, own.deck.card_mm)
    view = SteadyView(reader, emma_finder)
    seen = []
    for number, (cards, emma_on) in enumerate([(3, 0), (4, 0), (4, 3), (4, 3), (4, 0), (3, 0), (3, 0)]):
        emma = Emma(WITH_A_WINTER_CARD[emma_on].pose)
        scene = Scene(cards=WITH_A_WINTER_CARD[:cards], emma=emma)
        sight = view.look(renderer.photograph(scene, Light(), Sensor(noise=0.01), number).picture)
        assert emmas_face(sight) == WITH_A_WINTER_CARD[emma_on].face
        seen.append(sight)
    three, four = (sorted(card.face for card in WITH_A_WINTER_CARD[:count]) for count in (3, 4))
    assert [faces(sight) for sight in seen] == [three, four, four, four, four, three, three]
    assert len({sight.serials for sight in seen[1:5]}) == 1
