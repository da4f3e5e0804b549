"""Screens as images: what is on them, that nothing is cut off, and that the most important thing is the largest."""

import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops

from companion.screen import FRAMES_A_PAGE, HEIGHT, WIDTH, count_pages, draw
from companion.screen.fonts import SMALL, SMALL_BOLD, Font, is_drawn, outline
from companion.screen.screen import MapCard, RailwayMap, Screen
from companion.screen.text import pages
from companion.texts.language import LANGUAGES
from tests.companion.every_screen import EveryScreen
from vision.cards import Pose

MESSAGES = Path(__file__).parents[3] / "companion"
LETTERS = "aáäeéiínñoóöuúüßAÁÄEÉIÍNÑOÓÖUÚÜmwv¿?¡!"
KEYS = ("Wurf", "Pass", "▲", "▼", "↩")
FONTS = [SMALL, SMALL_BOLD, outline(13), outline(24), outline(46)]
SENTENCE = (
    "Die Schienen berühren sich, gehen aber nicht ineinander über. "
    "Drehe die Karte so, dass die Strecke weiterführt, oder lege eine andere Karte an."
)


def ink(image: Image.Image) -> int:
    return sum(image.convert("L").histogram()[128:])


def area(image: Image.Image, left: int, top: int, right: int, bottom: int) -> Image.Image:
    return image.crop((left, top, right, bottom))


def words_on(screen: Screen, *, large: bool) -> list[str]:
    """The words of main and lines that the pages hold, put together again where they are broken."""
    whole = pages(screen.main, screen.lines, WIDTH, 42, large=large)
    lines = [line for page in whole for block in page.blocks for line in block.lines]
    return " ".join(lines).replace("- ", "").split()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_of_the_gallery_is_an_image_of_its_own(language: str, every_screen: EveryScreen) -> None:
    screens = every_screen(language)
    assert len({name for name, _ in screens}) == len(screens)
    for large in (False, True):
        images = [every_page(screen, large=large) for _, screen in screens]
        assert all(image.mode == "1" and image.size == (WIDTH, HEIGHT) for pages in images for image in pages)
        assert all(0 < ink(image) < WIDTH * HEIGHT for pages in images for image in pages)
        # Of a long list large type shows only a part: two that begin alike are told apart by going down.
        is_part = [large and len(screen.choices) > 2 for _, screen in screens]
        dots = [tuple(image.tobytes() for image in pages) for pages in images]
        assert all(dots.count(own) == 1 for own, part in zip(dots, is_part, strict=True) if not part)


def every_page(screen: Screen, *, large: bool) -> list[Image.Image]:
    count = count_pages(screen, large)
    return [draw(replace(screen, frame=page * FRAMES_A_PAGE), large) for page in range(count)]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("main", ["", "Nachziehstapel", "¿Qué carta de vía destruida quieres combinar ahora?"])
def test_no_word_is_lost_however_long_the_text(main: str, large: bool) -> None:
    screen = Screen(main=main, lines=(SENTENCE, SENTENCE), keys=KEYS)
    assert words_on(screen, large=large) == f"{main} {SENTENCE} {SENTENCE}".split()


@given(
    main=st.text(alphabet="aeiouäöüßñÁWM¿!1→ ", max_size=60),
    lines=st.lists(st.text(alphabet="abcdefgilmÄÉxyz ., ", max_size=120), max_size=3),
    large=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_every_page_has_its_ink_within_its_room(main: str, lines: list[str], large: bool) -> None:
    width, height = 100, 40
    for page in pages(main, tuple(lines), width, height, large=large):
        canvas = Image.new("L", (width + 60, height + 60))
        page.draw(canvas, 30, 30, width, height)
        box = canvas.getbbox()
        assert box is None or (box[0] >= 30 and box[1] >= 30 and box[2] <= 30 + width and box[3] <= 30 + height)


TEXTS = st.text(alphabet="aeiouäöüßñÁWM¿!1→ ", max_size=40)
LISTS = st.lists(TEXTS, max_size=6).map(tuple)


@given(
    heading=TEXTS,
    main=TEXTS,
    lines=LISTS,
    choices=LISTS,
    dice=st.lists(st.integers(0, 20), max_size=10).map(tuple),
    curve=st.lists(st.integers(0, 200), max_size=60).map(tuple),
    keys=st.tuples(*[st.text(alphabet="Wii ", max_size=14)] * 5),
    chosen=st.integers(-1, 9),
    frame=st.integers(0, 500),
    large=st.booleans(),
    picture=st.sampled_from(["choices", "dice", "curve", "none"]),
)
@settings(max_examples=80, deadline=None)
def test_any_screen_can_be_drawn(large: bool, picture: str, **parts: Any) -> None:
    kept = {name: part for name, part in parts.items() if name not in {"choices", "dice", "curve"} - {picture}}
    assert draw(Screen(**kept), large).size == (WIDTH, HEIGHT)


def test_pages_turn_over_by_themselves() -> None:
    screen = Screen("Ann", lines=(SENTENCE, SENTENCE, SENTENCE), keys=KEYS)
    count = count_pages(screen)
    assert count > 1
    shown = [draw(replace(screen, frame=page * FRAMES_A_PAGE)).tobytes() for page in range(count + 1)]
    assert len(set(shown[:count])) == count
    assert shown[count] == shown[0]


@pytest.mark.parametrize("font", FONTS)
@pytest.mark.parametrize("text", ["Würfeln", "ÄÖÜÉÑ", "¿Qué señal?", "2 + 2 → 4", "jÿgÁfW", "▲▼", "↩⌫↰↱↔↕∴⌒"])
def test_a_font_measures_what_it_draws(font: Font, text: str) -> None:
    above, below = font.extent(text)
    canvas = Image.new("L", (font.width(text) + 40, 160))
    font.write(canvas, 20, 80, text)
    box = canvas.getbbox()
    assert box is not None
    assert box[1] == 80 - above
    assert box[3] <= 80 + below
    assert 20 <= box[0] <= 24 + above // 8
    assert box[2] <= 20 + font.width(text)


def test_marked_letters_differ_in_bold_and_plain() -> None:
    for font in (SMALL, SMALL_BOLD):
        drawn = set()
        for letter in LETTERS:
            canvas = Image.new("L", (12, 14))
            font.write(canvas, 1, 10, letter)
            drawn.add(canvas.tobytes())
        assert len(drawn) == len(LETTERS)


@pytest.mark.parametrize("letter", "ÄÖÜÁÉÍÓÚÑ")
@pytest.mark.parametrize("font", [SMALL, SMALL_BOLD])
def test_a_marked_capital_stands_on_the_baseline_below_its_mark(font: Font, letter: str) -> None:
    canvas = Image.new("L", (12, 14))
    font.write(canvas, 1, 10, letter)
    rows = [ink(area(canvas, 0, y, 12, y + 1)) for y in range(14)]
    assert [bool(count) for count in rows[8:]] == [True, True, False, False, False, False]
    assert font.extent(letter) == (8, 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_type_has_every_character_of_the_messages(language: str) -> None:
    messages = [
        text
        for file in MESSAGES.rglob(f"messages/{language}.toml")
        for name, table in tomllib.loads(file.read_text("utf-8")).items()
        if name in {"lobby", "device", "dice", "run", "offers", "play", "errors", "card"}
        for text in str(table)
    ]
    assert {letter for letter in messages if not is_drawn(letter)} == set()
    assert not is_drawn("漢")


def test_short_words_become_larger_than_long_ones() -> None:
    (short,), (long,) = (pages(text, (), WIDTH, 42, large=False) for text in ("Roll", "Roll the dice for two cards"))
    assert short.blocks[0].font.pitch > long.blocks[0].font.pitch


def test_main_is_larger_than_the_lines_below_it() -> None:
    (page,) = pages("2 + 2 → 4", ("Derailing: 12 %",), WIDTH, 42, large=False)
    assert page.blocks[0].height > 1.3 * page.blocks[1].height


def test_large_type_has_no_small_lines() -> None:
    whole = pages("Keine Kamera", (SENTENCE,), WIDTH, 42, large=True)
    assert not any(block.font.small for page in whole for block in page.blocks)


def fifth(slot: int) -> tuple[int, int]:
    return round(slot * WIDTH / 5), round((slot + 1) * WIDTH / 5)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_stands_whole_in_the_fifth_of_its_button(
    language: str, large: bool, every_screen: EveryScreen
) -> None:
    for name, screen in every_screen(language):
        if screen.alert:
            screen = replace(screen, alert=False)  # noqa: PLW2901 - the same, not inverted
        strip = area(draw(screen, large), 0, HEIGHT - 11, WIDTH, HEIGHT) if any(screen.keys) else None
        for slot, label in enumerate(screen.keys):
            left, right = fifth(slot)
            if strip is None or not label:
                assert strip is None or ink(area(strip, left, 0, right, 11)) == 0, (name, slot)
                continue
            tab = area(strip, left, 0, right, 11)
            letters = letters_of(tab)
            assert letters in {written(label, font) for font in (SMALL, SMALL_BOLD)}, (name, label)


def letters_of(tab: Image.Image) -> tuple[tuple[int, int], bytes]:
    """The dark dots within a bright tab."""
    # Its last column is the gap to the next one, its upper corners are rounded.
    dark = ImageChops.invert(area(tab, 1, 1, tab.width - 2, 11).convert("L"))
    return inked(dark)


def written(label: str, font: Font) -> tuple[tuple[int, int], bytes]:
    canvas = Image.new("L", (60, 20))
    font.write(canvas, 10, 12, label)
    return inked(canvas)


def inked(image: Image.Image) -> tuple[tuple[int, int], bytes]:
    found = image.crop(image.getbbox())
    return found.size, found.tobytes()


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_inverted_screen_has_a_rim_of_two_dots(language: str, large: bool, every_screen: EveryScreen) -> None:
    alerts = [(name, screen) for name, screen in every_screen(language) if screen.alert]
    assert len(alerts) > 10
    for name, screen in alerts:
        for image in every_page(screen, large=large):
            bottom = HEIGHT - (13 if any(screen.keys) else 0)
            text = area(ImageChops.invert(image.convert("L")), 0, 0, WIDTH, bottom).getbbox()
            assert text is not None
            left, top, right, below = text
            assert left >= 2, name
            assert top >= 2, name
            assert right <= WIDTH - 2, name
            assert below <= HEIGHT - 2, name


def test_a_label_too_wide_for_its_fifth_stands_there_in_rows() -> None:
    keys = ("tight-left", "", "OK", "", "")
    image = draw(Screen(keys=keys))
    left, right = fifth(1)
    assert ink(area(image, 0, HEIGHT - 20, left, HEIGHT)) > 250
    assert ink(area(image, left, 0, right, HEIGHT)) == 0


def test_dice_show_their_faces_and_tumbling_ones_tell_nothing() -> None:
    blank, wheel = (draw(Screen(dice=(face,))) for face in (0, 1))
    assert ink(blank) > ink(wheel)
    assert len({draw(Screen(dice=(face,), sides=(6,))).tobytes() for face in range(1, 7)}) == 6
    assert len({draw(Screen(dice=(face,), sides=(20,))).tobytes() for face in range(1, 21)}) == 20
    for frame in range(1, 12):
        falls = {draw(Screen(dice=dice, tumbling=frame)).tobytes() for dice in ((1, 1, 1, 0), (0, 0, 1, 1))}
        assert len(falls) == 1
    falling = [draw(Screen(dice=(1, 0), tumbling=frame)).tobytes() for frame in range(1, 9)]
    assert all(one != other for one, other in itertools.pairwise(falling))


@pytest.mark.parametrize("count", range(1, 9))
def test_every_die_is_whole_on_the_screen(count: int) -> None:
    image = draw(Screen("Ann", "12", dice=(0,) * count, sides=(0,) * count, keys=KEYS, pointed=0))
    small = draw(Screen("Ann", "12", dice=(0,) * (count - 1), keys=KEYS, pointed=0))
    assert image.tobytes() != small.tobytes()
    held = draw(Screen("Ann", "12", dice=(0,) * count, held=(count - 1,), keys=KEYS, pointed=0))
    assert ink(held) < ink(image)


def test_a_list_of_any_length_shows_the_chosen_one() -> None:
    choices = tuple(f"Auswahl {number}" for number in range(30))
    images = [draw(Screen("Menü", choices=choices, chosen=chosen, keys=KEYS)) for chosen in range(30)]
    assert len({image.tobytes() for image in images}) == 30
    for image in images:
        rows = [ink(area(image, 2, y, 100, y + 1)) for y in range(11, 52)]
        assert max(rows) == 98  # one full row of the inverted bar


def row_of_cards(count: int) -> RailwayMap:
    return RailwayMap(cards=tuple(MapCard(Pose(63.0 * index, 0), label="2") for index in range(count)))


def test_the_map_is_to_scale_and_shows_emma_filled() -> None:
    plain = draw(Screen(map=row_of_cards(3)))
    box = plain.getbbox()
    assert box is not None
    assert (box[2] - box[0]) / (box[3] - box[1]) == pytest.approx(3 * 63 / 88, rel=0.1)
    assert ink(draw(Screen(map=replace(row_of_cards(3), emma=1)))) > ink(plain) + 100


def test_the_new_card_blinks_and_is_in_sight_on_a_long_railway() -> None:
    new = MapCard(Pose(63.0 * 40, 0), label="3")
    shown = Screen("Betsy", "3", map=replace(row_of_cards(40), new=new))
    even, odd = draw(shown), draw(replace(shown, frame=1))
    assert ink(even) > ink(odd) + 10
    without = draw(Screen("Betsy", "3", map=row_of_cards(40)))
    assert odd.tobytes() != without.tobytes()


def test_a_map_seen_from_the_other_side_is_turned() -> None:
    upright = draw(Screen(map=row_of_cards(3))).getbbox()
    turned = draw(Screen(map=replace(row_of_cards(3), turned_deg=90))).getbbox()
    assert upright is not None
    assert turned is not None
    assert upright[2] - upright[0] > upright[3] - upright[1]
    assert turned[2] - turned[0] < turned[3] - turned[1]


def test_a_curve_has_its_best_result_lowest() -> None:
    falling = draw(Screen(curve=(50, 40, 30)))
    rising = draw(Screen(curve=(30, 40, 50)))
    assert falling.tobytes() != rising.tobytes()
    assert ink(draw(Screen(curve=(30,)))) > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_falls_apart_into_many_pages(language: str, every_screen: EveryScreen) -> None:
    pages = {name: count_pages(screen, large=True) for name, screen in every_screen(language) if screen.map}
    assert {name: count for name, count in pages.items() if count > 3} == {}
