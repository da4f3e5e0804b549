"""Photographs a scene: the picture, and how much of each card it shows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.arrays import Corners, FloatPicture, Floats, Floats32, Picture
from vision.cards import CARD_MM, Pose
from vision.rendering.camera import Camera
from vision.rendering.exposure import GAMMA, exposed, for_each_colour, multiply
from vision.rendering.scene import Block, Coin, Light, LyingCard, Mug, Pile, Scene, Sensor, Tabletop
from vision.rendering.shapes import Polygon
from vision.rendering.solids import (
    Drawn,
    block_solid,
    coin_solid,
    draw_solids,
    emma_solid,
    hand_solid,
    mug_solid,
    shadow_outlines,
)
from vision.rendering.tabletops import ORIGIN_MM, PX_PER_MM, surface
from vision.rendering.vehicles import vehicle_solid

CARD_THICKNESS_MM: Final = 0.3
CORNER_RADIUS_MM: Final = 3.0
_ROUNDED: Final = 1 / 12
"""Of a side no corner is rounded more: what is too small for a card's corners is a piece of something else."""
CARD_GLOSS: Final = 0.8


class Photograph(NamedTuple):
    """A picture (height × width × 3, B, G, R) and the visible share of each card of the scene, 0 to 1."""

    picture: Picture
    visible: tuple[float, ...]

    def jpeg(self, sensor: Sensor) -> bytes:
        """The picture as the sensor's JPEG file."""
        _, packed = cv2.imencode(".jpg", self.picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg_quality])
        return packed.tobytes()


class Renderer:
    """Photographs scenes on one table with one camera; the first picture takes longer than the others."""

    def __init__(
        self,
        camera: Camera,
        tabletop: Tabletop,
        faces: Mapping[str, Picture],
        back: Picture | None = None,
        card_mm: tuple[float, float] = CARD_MM,
        *,
        gaps: Sequence[tuple[float, float, float]] = (),
    ) -> None:
        """``faces`` are pictures of the upright cards by their ids, ``back`` that of their backs, if any shows.

        ``gaps`` are squares of their rectangle that they have not: left, top and side in mm.
        """
        self.camera = camera
        self.tabletop = tabletop
        self.card_mm = card_mm
        self._gaps = gaps
        self._radius_mm = min(CORNER_RADIUS_MM, _ROUNDED * min(card_mm))
        self._pictures = {**faces, **({} if back is None else {"": back})}
        self._textures: OrderedDict[tuple[str, int], FloatPicture] = OrderedDict()

    def photograph(self, scene: Scene, light: Light, sensor: Sensor, seed: int) -> Photograph:
        """Photographs a scene; the same arguments give the same picture."""
        random = np.random.default_rng(seed)
        lamp = np.array([light.lamp_mm[0], light.lamp_mm[1], -light.lamp_mm[2]])
        picture = self._bare_table.copy()
        gloss = np.full(picture.shape[:2], self.tabletop.gloss, dtype=np.float32)
        for thing in scene.clutter:
            if isinstance(thing, Pile):
                self._draw_pile(picture, gloss, thing, random)
        for card in scene.cards:
            self._draw_card(picture, gloss, card)
        solids = self._solids(scene)
        shade = self._light(light, lamp, [polygon for solid in solids for polygon in solid])
        multiply(picture, shade)
        self._add_glare(picture, gloss, light, lamp)
        drawn = [self._draw_solid(picture, solid, light, lamp, shade) for solid in solids]
        visible = self._visible(scene, drawn)
        tint = _tint(light) * (light.brightness * sensor.exposure)
        # A factor for each of the four channels that a picture may have.
        cv2.multiply(picture, np.append(tint, 1.0).astype(np.float64), dst=picture)
        return Photograph(exposed(picture, sensor, random), visible)

    def corners(self, card: LyingCard) -> Corners:
        """Where the card's corners appear (4 × 2, px): top left, top right, bottom right, bottom left of its face."""
        return self.camera.project(self._corners_3d(card))

    @cached_property
    def _bare_table(self) -> FloatPicture:
        """The empty table, evenly lit."""
        texels = (self.camera.table_map - np.array(ORIGIN_MM, dtype=np.float32)) * np.float32(PX_PER_MM)
        return np.asarray(
            cv2.remap(
                surface(self.tabletop),
                texels[..., 0],
                texels[..., 1],
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REFLECT_101,
            ),
            dtype=np.float32,
        )

    def _corners_3d(self, card: LyingCard) -> Floats:
        half_width, half_height = self.card_mm[0] / 2, self.card_mm[1] / 2
        local = np.array(
            [
                (-half_width, -half_height),
                (half_width, -half_height),
                (half_width, half_height),
                (-half_width, half_height),
            ]
        )
        height = card.lift_mm + CARD_THICKNESS_MM + card.curl_mm
        return np.column_stack([local @ _turn(card.pose).T + (card.pose.x_mm, card.pose.y_mm), np.full(4, -height)])

    def _draw_pile(self, picture: FloatPicture, gloss: Floats32, pile: Pile, random: np.random.Generator) -> None:
        for layer in range(0, pile.cards, 3):
            x, y, turn = random.normal(0, (0.6, 0.6, 0.8))
            pose = Pose(pile.pose.x_mm + x, pile.pose.y_mm + y, pile.pose.rotation_deg + turn)
            self._draw_card(picture, gloss, LyingCard("", pose, lift_mm=layer * CARD_THICKNESS_MM))

    def _draw_card(self, picture: FloatPicture, gloss: Floats32, card: LyingCard) -> None:
        """Lays a card into the evenly lit picture, with the dark line of contact around it."""
        corners = self.corners(card)
        part = _part_of(corners, self.camera.size, margin=4)
        if part is None:
            return
        u, v, inside = self._on_card(card, part)
        px_mm = self._px_mm(corners)
        cover = np.clip(inside / px_mm + 0.5, 0, 1)
        contact = np.clip(1 - np.abs(inside + 0.5) / 1.6, 0, 1) * (0.35 + 0.1 * min(card.lift_mm, 3))
        texture, texels_mm = self._texture(card.face, px_mm)
        ink = cv2.remap(
            texture,
            (u * texels_mm - 0.5).astype(np.float32),
            (v * texels_mm - 0.5).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        if card.curl_mm:
            # Bent up, the card's sides turn away from the light.
            ink = ink * (1 - 0.04 * card.curl_mm * (2 * u / self.card_mm[0] - 1))[..., None]
        target = picture[part]
        target *= (1 - contact * (1 - cover))[..., None]
        target += cover[..., None] * (ink - target)
        gloss[part] += cover * (CARD_GLOSS - gloss[part])

    def _on_card(self, card: LyingCard, part: tuple[slice, slice]) -> tuple[Floats32, Floats32, Floats32]:
        """For each pixel of a part: the point of the card that it sees (mm from its top left), and how far inside."""
        width, height = self.card_mm
        ground = self.camera.table_map[part]
        eye = self.camera.position
        turn = _turn(card.pose).astype(np.float32)
        base = card.lift_mm + CARD_THICKNESS_MM
        u = v = lift = np.full(ground.shape[:2], base, dtype=np.float32)
        for _ in range(3 if card.curl_mm else 1):
            shrink = 1 + lift / np.float32(eye[2])
            x = (ground[..., 0] - eye[0]) * shrink + (eye[0] - card.pose.x_mm)
            y = (ground[..., 1] - eye[1]) * shrink + (eye[1] - card.pose.y_mm)
            u = turn[0, 0] * x + turn[1, 0] * y + width / 2
            v = turn[0, 1] * x + turn[1, 1] * y + height / 2
            bend = (u / width * 2 - 1) ** 2 * (v / height * 2 - 1) ** 2
            lift = base + card.curl_mm * np.clip(bend, 0, 1)
        inside = _inside_rounded(u, v, width, height, self._radius_mm)
        for left, top, side in self._gaps:
            inside = np.minimum(inside, -_inside_rounded(u - left, v - top, side, side, 0.0))
        return u, v, inside

    def _px_mm(self, corners: Corners) -> float:
        """How many mm a pixel shows on a card."""
        return float(np.sqrt(self.card_mm[0] * self.card_mm[1] / _area(corners)))

    def _texture(self, face: str, px_mm: float) -> tuple[FloatPicture, float]:
        """A face's picture in linear light, about as fine as the camera sees it, and its texels to the mm."""
        step = round(8 * np.log2(px_mm))
        key = (face, step)
        if key not in self._textures:
            texels_mm = 1.3 / 2 ** (step / 8)
            size = (round(self.card_mm[0] * texels_mm), round(self.card_mm[1] * texels_mm))
            picture = self._pictures[face]
            how = cv2.INTER_AREA if size[0] < picture.shape[1] else cv2.INTER_CUBIC
            fine = (picture.astype(np.float32) / 255) ** GAMMA
            self._textures[key] = np.clip(cv2.resize(fine, size, interpolation=how), 0, 1).astype(np.float32)
            if len(self._textures) > 400:
                self._textures.popitem(last=False)
        texture = self._textures[key]
        return texture, texture.shape[1] / self.card_mm[0]

    def _light(self, light: Light, lamp: Floats, polygons: Sequence[Polygon]) -> Floats32:
        """How brightly each pixel's place is lit: by the lamp, less with distance and in shadows, and by the room."""
        reach = np.float32(lamp[2] ** 2)
        direct = (reach / (self._away_from(lamp[:2]) + reach)) ** np.float32(1.5)
        if polygons:
            direct *= 1 - self._shadow(light, lamp, polygons)
        return np.asarray(np.float32(light.ambient) + np.float32(1 - light.ambient) * direct, dtype=np.float32)

    def _shadow(self, light: Light, lamp: Floats, polygons: Sequence[Polygon]) -> Floats32:
        """How much of the lamp is hidden: hard for low things, soft for high ones."""
        columns, rows = self.camera.size
        shadow = np.zeros((rows // 2, columns // 2), dtype=np.float32)
        px_mm = self._table_px_mm
        heights = [-polygon.corners[:, 2].mean() for polygon in polygons]
        for low, high in ((0, 12), (12, 45), (45, 1000)):
            layer = [polygon for polygon, height in zip(polygons, heights, strict=True) if low <= height < high]
            if not layer:
                continue
            mask = np.zeros_like(shadow)
            for outline in shadow_outlines(layer, lamp, self.camera):
                cv2.fillConvexPoly(mask, np.round(outline * 8).astype(np.int32), (1.0,), cv2.LINE_8, 4)
            mean_height = float(np.mean([height for height in heights if low <= height < high]))
            blur = max(0.8, light.softness_mm * mean_height / -lamp[2] / px_mm / 4)
            shadow = np.maximum(shadow, cv2.GaussianBlur(mask, (0, 0), blur))
        return np.asarray(cv2.resize(shadow, (columns, rows), interpolation=cv2.INTER_LINEAR), dtype=np.float32)

    @cached_property
    def _table_px_mm(self) -> float:
        rows, columns = self.camera.table_map.shape[:2]
        middle = self.camera.table_map[rows // 2, columns // 2 : columns // 2 + 2]
        return float(np.linalg.norm(middle[1] - middle[0]))

    def _add_glare(self, picture: FloatPicture, gloss: Floats32, light: Light, lamp: Floats) -> None:
        """The lamp mirrored in the table and the cards."""
        if not light.glare:
            return
        eye = self.camera.position
        mirror = (eye[:2] * lamp[2] + lamp[:2] * eye[2]) / (lamp[2] + eye[2])
        size = np.float32(60 + light.softness_mm)
        spot = np.exp(-self._away_from(mirror) / (2 * size**2))
        mirrored = np.float32(light.glare) * spot * gloss
        cv2.add(picture, for_each_colour(mirrored), dst=picture)

    def _away_from(self, place_mm: Floats) -> Floats32:
        """The square of how far (mm) each pixel's place is from this one."""
        x, y = cv2.split(self.camera.table_map)
        x -= np.float32(place_mm[0])
        y -= np.float32(place_mm[1])
        return np.asarray(cv2.add(cv2.multiply(x, x), cv2.multiply(y, y)), np.float32)

    def _solids(self, scene: Scene) -> list[list[Polygon]]:
        """The things that stand up: first the clutter, then Emma and the vehicles, the farthest first, then hands."""
        solids: list[list[Polygon]] = []
        for thing in scene.clutter:
            match thing:
                case Mug():
                    solids.append(mug_solid(thing))
                case Coin():
                    solids.append(coin_solid(thing))
                case Block():
                    solids.append(block_solid(thing))
        if scene.emma is not None:
            solids.append(emma_solid(scene.emma, CARD_THICKNESS_MM))
        x, y, _ = self.camera.position
        eye = Pose(float(x), float(y))
        vehicles = sorted(scene.vehicles, key=lambda vehicle: -eye.distance_mm(vehicle.pose))
        solids += [vehicle_solid(vehicle, CARD_THICKNESS_MM) for vehicle in vehicles]
        solids += [hand_solid(hand) for hand in scene.hands]
        return solids

    def _draw_solid(
        self, picture: FloatPicture, solid: Sequence[Polygon], light: Light, lamp: Floats, shade: Floats32
    ) -> Drawn | None:
        drawn = draw_solids(solid, self.camera, lamp, light.ambient)
        if drawn is None:
            return None
        rows, columns = drawn.cover.shape
        part = (slice(drawn.top, drawn.top + rows), slice(drawn.left, drawn.left + columns))
        brightness = max(float(shade[part].max()), light.ambient)
        picture[part] = picture[part] * (1 - drawn.cover)[..., None] + drawn.colour * brightness
        return drawn

    def _visible(self, scene: Scene, drawn: Sequence[Drawn | None]) -> tuple[float, ...]:
        """The share of each card that is in the picture and not behind Emma, a vehicle or a hand."""
        width, height = self.camera.size
        hidden = np.zeros((height, width), dtype=np.float32)
        # The clutter's solids come first, then Emma, the vehicles and the hands.
        count = len(scene.hands) + len(scene.vehicles) + (scene.emma is not None)
        for solid in drawn[len(drawn) - count :]:
            if solid is not None:
                rows, columns = solid.cover.shape
                part = hidden[solid.top : solid.top + rows, solid.left : solid.left + columns]
                np.maximum(part, solid.cover, out=part)
        return tuple(self._visible_share(card, hidden) for card in scene.cards)

    def _visible_share(self, card: LyingCard, hidden: Floats32) -> float:
        corners = self.corners(card)
        part = _part_of(corners, self.camera.size, margin=2)
        if part is None:
            return 0.0
        _, _, inside = self._on_card(card, part)
        cover = np.clip(inside / self._px_mm(corners) + 0.5, 0, 1)
        rounding = (4 - np.pi) * self._radius_mm**2 / (self.card_mm[0] * self.card_mm[1])
        gaps = sum(side**2 for *_, side in self._gaps) / (self.card_mm[0] * self.card_mm[1])
        whole = _area(corners) * (1 - rounding - gaps)
        return float(min(1.0, (cover * (1 - hidden[part])).sum() / whole))


def _turn(pose: Pose) -> Floats:
    angle = np.radians(pose.rotation_deg)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _area(corners: Corners) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _part_of(corners: Corners, size: tuple[int, int], margin: int) -> tuple[slice, slice] | None:
    """The part of the picture around these points; None where it is out of sight."""
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + margin + 1, size)
    return None if left >= right or top >= bottom else (slice(top, bottom), slice(left, right))


def _inside_rounded(u: Floats32, v: Floats32, width: float, height: float, radius: float) -> Floats32:
    """How far points lie inside a rectangle with rounded corners, in mm; negative outside."""
    x = np.abs(u - width / 2) - (width / 2 - radius)
    y = np.abs(v - height / 2) - (height / 2 - radius)
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0))
    return np.asarray(radius - outside - np.minimum(np.maximum(x, y), 0), dtype=np.float32)


def _tint(light: Light) -> Floats32:
    """What the lamp's warmth does to blue, green and red."""
    return np.array([1 - 0.30 * light.warmth, 1 - 0.02 * light.warmth, 1 + 0.18 * light.warmth], dtype=np.float32)
