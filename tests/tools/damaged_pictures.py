"""Picture files such as nobody hopes for: damaged, random, extreme, and tables as no player lays them.

Everything is drawn from a seed and a number, so that each file can be made again.
"""

import io
from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from companion.games.loknroll.robot.pictured_games import Moment, pictured_game
from companion.games.loknroll.rules import Mode, load_edition, set_up
from tests.tools.picture_bombs import bomb
from vision.deck_pictures import DeckPictures
from vision.rendering import Renderer
from vision.rendering.conditions import draw_conditions

Image = NDArray[np.uint8]

FORMATS: Final = ("jpg", "png", "webp", "png", "bmp")
"""PNG twice: a number always stands for the same pixels, and there was another kind without losses once."""
MAGICS: Final = {
    "jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00",
    "png": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "webp": b"RIFF\x00\x10\x00\x00WEBPVP8 ",
    "tiff": b"II*\x00\x08\x00\x00\x00\x0c\x00",
    "bmp": b"BM\x00\x10\x00\x00\x00\x00\x00\x006\x00\x00\x00\x28\x00\x00\x00",
    "gif": b"GIF89a",
    "eps": b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99 99\n",
    "psd": b"8BPS\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03",
    "jp2": b"\x00\x00\x00\x0cjP  \r\n\x87\n",
    "exr": b"v/1\x01\x02\x00\x00\x00",
    "ppm": b"P6\n640 480\n255\n",
    "hdr": b"#?RADIANCE\n\n-Y 480 +X 640\n",
    "ico": b"\x00\x00\x01\x00\x01\x00",
}


class Sample(NamedTuple):
    """A file: what it is, its bytes, and whether cards must not be found in it."""

    kind: str
    ending: str
    data: bytes
    is_empty: bool


class Maker:
    """Makes the files; the same seed and number make the same one."""

    def __init__(self, pictures: DeckPictures, seed: int) -> None:
        self._pictures = pictures
        self._faces = [
            cv2.resize(face, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA) for face in pictures.faces.values()
        ]
        self._seed = seed

    @cached_property
    def tables(self) -> list[Image]:
        """Rendered tables, the first of a camera's size, the others smaller."""
        start = set_up(load_edition(), self._pictures.deck, Mode.BETSY, ["Ann"])
        sizes = ((1640, 1232), (820, 616), (640, 480))
        return [self._table(pictured_game(start, Random(n)).moments, n, size) for n, size in enumerate(sizes)]

    def make(self, number: int) -> Sample:
        """The file with this number."""
        random = Random(f"{self._seed}:{number}")
        kinds = list(KINDS)
        kind = kinds[number % len(kinds)]
        return KINDS[kind](self, random)._replace(kind=kind)

    def _table(self, moments: list[Moment], seed: int, size: tuple[int, int]) -> Image:
        scene = max((moment.scene for moment in moments), key=lambda scene: len(scene.cards))
        conditions = draw_conditions("easy", Random(seed), size)
        deck = self._pictures
        view = Renderer(conditions.camera, conditions.tabletop, deck.faces, deck.back, deck.deck.card_mm)
        return view.photograph(scene, conditions.light, conditions.sensor, seed).picture

    def truncated(self, random: Random) -> Sample:
        ending, data = self._table_file(random)
        return Sample("", ending, data[: random.randrange(len(data))], is_empty=False)

    def flipped_bits(self, random: Random) -> Sample:
        ending, data = self._table_file(random)
        damaged = bytearray(data)
        # Headers are where a bit means most.
        reach = len(damaged) if random.random() < 0.5 else min(len(damaged), 400)
        for _ in range(random.choice((1, 1, 3, 20, 200))):
            damaged[random.randrange(reach)] ^= 1 << random.randrange(8)
        return Sample("", ending, bytes(damaged), is_empty=False)

    def spliced(self, random: Random) -> Sample:
        ending, data = self._table_file(random)
        cut, length = random.randrange(len(data)), random.randrange(1, 5000)
        middle = random.choice((b"", random.randbytes(length), data[:length]))
        return Sample("", ending, data[:cut] + middle + data[cut + random.randrange(length) :], is_empty=False)

    def random_bytes(self, random: Random) -> Sample:
        ending = random.choice([*MAGICS, ""])
        data = MAGICS.get(ending, b"") + random.randbytes(random.choice((0, 1, 10, 100, 5000, 200_000)))
        return Sample("", ending or "jpg", data, is_empty=True)

    def noise(self, random: Random) -> Sample:
        pixels, (width, height) = _generator(random), _size(random)
        match random.randrange(4):
            case 0:
                picture = pixels.integers(0, 256, (height, width, 3))
            case 1:
                picture = np.repeat(pixels.integers(0, 256, (height, width, 1)), 3, axis=2)
            case 2:
                picture = pixels.normal(random.randrange(256), random.uniform(1, 90), (height, width, 3))
            case _:
                coarse = pixels.integers(0, 256, (height // 9 + 1, width // 9 + 1, 3)).astype(np.float32)
                picture = cv2.resize(coarse, (width, height), interpolation=random.choice((0, 1, 2)))
        return _picture_file(random, picture)

    def clouds(self, random: Random) -> Sample:
        """Noise of all sizes, as of marble or a carpet."""
        pixels, (width, height) = _generator(random), _size(random)
        picture = np.zeros((height, width, 3), np.float32)
        for octave in range(1, 8):
            coarse = pixels.normal(0, 1, (height >> octave or 1, width >> octave or 1, 3)).astype(np.float32)
            weight = random.uniform(4, 14) * octave ** random.uniform(0.3, 1.2)
            picture += weight * cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).reshape(
                picture.shape
            )
        return _picture_file(random, picture + random.randrange(60, 200))

    def constant(self, random: Random) -> Sample:
        width, height = _size(random)
        return _picture_file(random, np.full((height, width, 3), _colour(random)))

    def gradient(self, random: Random) -> Sample:
        along, colours = _waves(random, 1, 0), np.array([_colour(random), _colour(random)], float)
        along = (along - along.min()) / max(float(np.ptp(along)), 1.0)
        return _picture_file(random, colours[0] + along[..., None] * (colours[1] - colours[0]))

    def stripes(self, random: Random) -> Sample:
        period = random.uniform(2, 200)
        return self._two_coloured(random, _waves(random, 1, 0) // period % 2)

    def chequers(self, random: Random) -> Sample:
        period, turned = random.uniform(2, 200), random.uniform(0, 180)
        across, down = _waves(random, 1, turned), _waves(random, 1, turned + 90)
        height, width = (min(across.shape[axis], down.shape[axis]) for axis in range(2))
        squares = across[:height, :width] // period + down[:height, :width] // period
        return self._two_coloured(random, squares % 2)

    def letters(self, random: Random) -> Sample:
        """Digits and words all over: a newspaper under the camera."""
        width, height = _size(random)
        picture = np.full((max(height, 130), max(width, 130), 3), _colour(random), np.uint8)
        for _ in range(random.randrange(5, 300)):
            text = random.choice(("1", "2", "3", "4", "5", "42", "LOK", "13 Nov", "4 4 4", "OOO"))
            place = (random.randrange(picture.shape[1]), random.randrange(picture.shape[0]))
            size, thick = random.uniform(0.3, 6), random.randrange(1, 9)
            cv2.putText(picture, text, place, random.randrange(6), size, _colour(random), thick)
        return _picture_file(random, picture)

    def blank_cards(self, random: Random) -> Sample:
        """White cards, frames and rails without any face."""
        width, height = 820, 616
        picture = np.full((height, width, 3), _colour(random), np.uint8)
        for _ in range(random.randrange(1, 40)):
            across = random.uniform(30, 120)
            centre = (random.uniform(0, width), random.uniform(0, height))
            box = cv2.boxPoints((centre, (across, 88 / 63 * across), random.uniform(0, 180)))
            cv2.fillPoly(picture, [box.astype(np.int32)], random.choice(((245, 250, 250), _colour(random))))
            first, second = (box[0] + box[1]) / 2, (box[2] + box[3]) / 2
            cv2.line(picture, first.astype(int).tolist(), second.astype(int).tolist(), _colour(random), 7)
        return _picture_file(random, picture)

    def extreme_sizes(self, random: Random) -> Sample:
        sizes = ((1, 1), (2, 3), (2000, 1), (1, 2000), (16000, 130), (130, 9000), (119, 400), (120, 120), (121, 4001))
        width, height = random.choice(sizes)
        picture = _generator(random).integers(0, 256, (height, width, 3))
        if random.random() < 0.5:
            picture = np.resize(random.choice(self.tables[1:]), (height, width, 3))
        return _picture_file(random, picture)

    def bombs(self, random: Random) -> Sample:
        """A small file whose header promises a huge picture; some keep the promise."""
        side = random.choice((7000, 9000, 13_000, 30_000, 65_500, 100_000, 2**31 - 1))
        width, height = random.choice(((side, side), (side, 200), (200, side)))
        ending = random.choice(("png", "bmp", "ppm", "tiff", "jpg"))
        return Sample("", ending, bomb(ending, width, height, random), is_empty=True)

    def odd_pixels(self, random: Random) -> Sample:
        """Sixteen bits, grey, alpha, palettes, CMYK, black and white, progressive, animated."""
        picture = random.choice(self.tables[1:])
        image = Pillow.fromarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB))
        mode, ending = random.choice(_ODD_MODES)
        file = io.BytesIO()
        if mode == "deep":
            packed = cv2.imencode(f".{ending}", picture.astype(np.uint16) * random.choice((1, 64, 257)))[1]
            return Sample("", ending, packed.tobytes(), is_empty=False)
        options: dict[str, Any] = random.choice(({}, {"progressive": True}, {"dpi": (0, 0)}))
        if mode == "P;transparent":
            image.quantize(64).save(file, "PNG", transparency=bytes(range(64)))
        else:
            converted = image.convert(mode.removesuffix(";animated"))
            more = {"save_all": True, "append_images": [converted] * 2} if mode.endswith("animated") else {}
            converted.save(file, {"jpg": "JPEG"}.get(ending, ending.upper()), **options, **more)
        return Sample("", ending, file.getvalue(), is_empty=False)

    def turned_by_exif(self, random: Random) -> Sample:
        image = Pillow.fromarray(cv2.cvtColor(self.tables[2], cv2.COLOR_BGR2RGB))
        exif = image.getexif()
        exif[0x0112] = random.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65_535))
        exif[0x010F] = "\x00\xff" * random.randrange(500)
        file = io.BytesIO()
        image.save(file, "JPEG", exif=exif)
        data = bytearray(file.getvalue())
        if random.random() < 0.5:  # and the EXIF itself is damaged
            for _ in range(random.randrange(1, 12)):
                data[random.randrange(20, 200)] = random.randrange(256)
        return Sample("", "jpg", bytes(data), is_empty=False)

    def warped_faces(self, random: Random) -> Sample:
        picture = self._background(random)
        for _ in range(random.randrange(1, 9)):
            self._lay(picture, random, bend=0.35)
        return _picture_file(random, picture, is_empty=False)

    def hundreds_of_cards(self, random: Random) -> Sample:
        picture = self._background(random)
        for _ in range(random.randrange(100, 400)):
            self._lay(picture, random, bend=0.03)
        return _picture_file(random, picture, is_empty=False)

    def half_covered_cards(self, random: Random) -> Sample:
        picture = random.choice(self.tables[1:]).copy()
        height, width = picture.shape[:2]
        for _ in range(random.randrange(1, 40)):
            corner = np.array([random.uniform(0, width), random.uniform(0, height)])
            polygon = corner + _generator(random).normal(0, random.uniform(10, 90), (random.randrange(3, 7), 2))
            cv2.fillPoly(picture, [polygon.astype(np.int32)], _colour(random))
        return _picture_file(random, picture, is_empty=False)

    def hard_photographs(self, random: Random) -> Sample:
        """A table too dark, too bright, blurred, mirrored, negative, scaled or turned."""
        picture = random.choice(self.tables[1:])
        way = random.randrange(7)
        if way == 0:
            picture = np.clip(picture * random.uniform(0.01, 6.0), 0, 255)
        elif way == 1:
            picture = cv2.GaussianBlur(picture, (0, 0), random.uniform(0.5, 20))
        elif way == 2:
            picture = 255 - picture
        elif way == 3:
            picture = picture[:, ::-1]
        elif way == 4:
            picture = cv2.resize(picture, None, fx=random.uniform(0.3, 2.5), fy=random.uniform(0.3, 2.5))
        elif way == 5:
            picture = np.rot90(picture, random.randrange(4))
        else:
            picture = picture + _generator(random).normal(0, random.uniform(10, 120), picture.shape)
        return _picture_file(random, picture, is_empty=False)

    def _table_file(self, random: Random) -> tuple[str, bytes]:
        ending = random.choice(FORMATS)
        return ending, _packed(random.choice(self.tables[1:] if random.random() < 0.95 else self.tables), ending)

    def _background(self, random: Random) -> Image:
        width, height = random.choice(((640, 480), (820, 616)))
        noise = _generator(random).normal(0, random.uniform(0, 30), (height, width, 3))
        return np.clip(np.array(_colour(random)) + noise, 0, 255).astype(np.uint8)

    def _lay(self, picture: Image, random: Random, bend: float) -> None:
        face = random.choice(self._faces)
        (tall, wide), (height, width) = face.shape[:2], picture.shape[:2]
        scale, angle = random.uniform(25, 200) / tall, random.uniform(0, 2 * np.pi)
        turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
        outline = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32)
        place = (random.uniform(0, width), random.uniform(0, height))
        corners = (outline - outline.mean(axis=0)) * scale @ turn + place
        corners += _generator(random).normal(0, bend * scale * wide / 3, (4, 2))
        matrix = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
        cv2.warpPerspective(face, matrix, (width, height), picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)

    def _two_coloured(self, random: Random, where: NDArray[np.floating]) -> Sample:
        picture = np.where(where[..., None] > 0.5, _colour(random), _colour(random)).astype(float)
        if random.random() < 0.5:
            picture += _generator(random).normal(0, random.uniform(1, 40), picture.shape)
        return _picture_file(random, picture)


KINDS: Final[Mapping[str, Callable[[Maker, Random], Sample]]] = {
    "truncated": Maker.truncated,
    "flipped bits": Maker.flipped_bits,
    "spliced": Maker.spliced,
    "random bytes": Maker.random_bytes,
    "noise": Maker.noise,
    "clouds": Maker.clouds,
    "constant": Maker.constant,
    "gradient": Maker.gradient,
    "stripes": Maker.stripes,
    "chequers": Maker.chequers,
    "letters": Maker.letters,
    "blank cards": Maker.blank_cards,
    "extreme sizes": Maker.extreme_sizes,
    "bombs": Maker.bombs,
    "odd pixels": Maker.odd_pixels,
    "turned by EXIF": Maker.turned_by_exif,
    "warped faces": Maker.warped_faces,
    "hundreds of cards": Maker.hundreds_of_cards,
    "half-covered cards": Maker.half_covered_cards,
    "hard photographs": Maker.hard_photographs,
}

_ODD_MODES: Final = (
    ("deep", "png"),
    ("deep", "tiff"),
    ("L", "jpg"),
    ("L", "tiff"),
    ("LA", "png"),
    ("RGBA", "png"),
    ("RGBA", "webp"),
    ("RGB;animated", "webp"),
    ("RGB;animated", "tiff"),
    ("RGB;animated", "gif"),
    ("P", "png"),
    ("P;transparent", "png"),
    ("P", "gif"),
    ("P", "bmp"),
    ("1", "png"),
    ("1", "tiff"),
    ("CMYK", "jpg"),
    ("CMYK", "tiff"),
    ("YCbCr", "jpg"),
    ("F", "tiff"),
    ("I", "tiff"),
    ("RGB", "jpg"),
    ("RGB", "ppm"),
)


def _generator(random: Random) -> np.random.Generator:
    return np.random.default_rng(random.randrange(1 << 32))


def _colour(random: Random) -> tuple[int, int, int]:
    return random.randrange(256), random.randrange(256), random.randrange(256)


def _size(random: Random) -> tuple[int, int]:
    return random.choice(((160, 120), (640, 480), (820, 616), (480, 640), (321, 777), (1280, 960)))


def _waves(random: Random, frequency: float, turned: float) -> NDArray[np.float64]:
    """How far along some direction each pixel lies, in px."""
    width, height = _size(random)
    angle = np.radians(turned or random.choice((0.0, 90.0, random.uniform(0, 180))))
    down, across = np.mgrid[:height, :width]
    return np.asarray(frequency * (across * np.cos(angle) + down * np.sin(angle)))


def _packed(picture: Image, ending: str) -> bytes:
    whole, packed = cv2.imencode(f".{ending}", picture)
    if not whole:
        raise ValueError(f"OpenCV cannot write {ending}.")
    return packed.tobytes()


def _picture_file(random: Random, picture: NDArray[Any], *, is_empty: bool = True) -> Sample:
    ending = random.choice(FORMATS)
    return Sample(
        "", ending, _packed(np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8)), ending), is_empty
    )
