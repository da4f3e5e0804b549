"""Hands that work at the page as people do: with the mouse, or with fingers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from playwright.sync_api import Locator, Page

from companion.virtual.robot_hands import RobotHands
from companion.virtual.things import EMMA, Place
from companion.virtual.world import World
from tests.companion.web.browsers import wait_until, wait_until_still
from vision.cards import Pose

Point = tuple[float, float]

_ATTEMPTS: Final = 4
_SETTLING_MS: Final = 120

_SEEN: Final = """(node) => {
    const box = node.getBoundingClientRect();
    const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const far = ([x, y]) => Math.hypot(x - middle[0], y - middle[1]);
    const isHit = (x, y) => document.elementFromPoint(x, y)?.closest(".card, .figure, .pile") === node;
    const points = [middle];
    for (let x = box.left + 3; x < box.right - 2; x += 3) {
        for (let y = box.top + 3; y < box.bottom - 2; y += 6) points.push([x, y]);
    }
    const seen = points.filter(([x, y]) => [[0, 0], [-2, 0], [2, 0], [0, -2], [0, 2]]
        .every(([right, down]) => isHit(x + right, y + down)));
    return seen.sort((one, other) => far(one) - far(other))[0] ?? null;
}"""
"""Where a thing can be gripped: as near to its middle as nothing lies over it."""


class MouseHands(RobotHands):
    """The robot's mind with a person's mouse: what it wants done is done on the page."""

    def __init__(self, world: World, page: Page, seed: int) -> None:
        super().__init__(world, seed)
        self._page = page
        self.drags = 0
        self.pushes = 0
        self.again = 0
        """How often something of the page had to be clicked once more."""
        self.did = ""
        """What was laid last, and where."""

    def click(self, selector: str) -> None:
        """Clicks what the page has besides cards."""
        self._page.click(selector)

    def place(self, number: int, pose: Pose) -> None:
        """Drags a card or a figure to a place on the table, turned as it is to lie."""
        lying = self._stands(number) if number <= EMMA else getattr(self.lying.get(number), "pose", None)
        before = lying if number <= EMMA else self.world.card(number).pose
        turn = 0.0 if before is None else before.rotation_deg
        # Emma is turned by the rails.
        quarters = 0 if number == EMMA else round((pose.rotation_deg - turn) / 90) % 4
        self._drag(self._thing(number), self.point(pose), quarters, lying)
        wait_until(lambda: self._lies(number, pose), 30, f"{number} was not laid")
        face = self.world.figure(number).look if number <= EMMA else self.world.card(number).face
        there = self._stands(number) if number <= EMMA else self.world.card(number).pose
        self.did = f"{face} laid at {there}, meant for {pose}"

    def put(self, number: int, place: Place, owner: int = 0) -> None:
        """Drags a card beside the table, or back into the hand."""
        target = {Place.AWAY: "#away", Place.HAND: "#hand"}.get(place, ".pile")
        thing = self._thing(number)
        if place is Place.HAND:
            self.hold_up(owner)
        self._drag(thing, middle(self._page.locator(target)))
        wait_until(
            lambda: number in [card.number for card in self.world.cards(place)], 30, f"{number} was not put away"
        )

    def draw(self, owner: int) -> None:
        """Clicks the pile, for the person whose hand is held up."""
        before = len(self.world.cards(Place.HAND, owner))
        self.hold_up(owner)
        self._click_at(middle(self._page.locator(".pile")))
        wait_until(lambda: len(self.world.cards(Place.HAND, owner)) > before, 30, "no card was drawn")

    def deal(self, removed: int, hand_cards: int) -> None:
        """Presses the page's button."""
        self.click("#deal")
        wait_until(lambda: self.world.is_dealt, 30, "nothing was dealt")

    def push(self, numbers: Sequence[int], right_mm: float, down_mm: float) -> None:
        """Drags the railway by one of its cards."""
        wait_until_still(self._page)
        lying = self.lying[numbers[-1]].pose
        there = self.point(Pose(lying.x_mm + right_mm, lying.y_mm + down_mm))
        self._push_from(self._grip(self._thing(numbers[-1])), self.point(lying), there)
        self.pushes += 1
        wait_until(lambda: self.lying[numbers[-1]].pose != lying, 30, "the railway was not pushed")

    def hold_up(self, owner: int) -> None:
        """Chooses whose hand is held up, and looks whether it is: a tap that lasts too long chooses nothing."""
        tabs = self._page.locator("#people [role=tab]")
        if tabs.count() <= owner:
            return
        for attempt in range(_ATTEMPTS):
            if tabs.nth(owner).get_attribute("aria-selected") == "true":
                break
            self.again += attempt > 0
            self.click(f"#people [role=tab]:nth-child({owner + 1})")
            self._page.wait_for_timeout(_SETTLING_MS)
        else:
            raise AssertionError(f"the hand of person {owner} is not held up")
        wait_until_still(self._page)

    def point(self, pose: Pose) -> Point:
        """Where a place on the table is on the page, in px."""
        box = self._page.locator("#table").bounding_box()
        assert box is not None
        return box["x"] + pose.x_mm / 800 * box["width"], box["y"] + pose.y_mm / 600 * box["height"]

    def _lies(self, number: int, pose: Pose) -> bool:
        """Whether a thing has been let go about there."""
        lying: dict[int, Pose | None] = {figure.number: figure.pose for figure in self.world.figures}
        lying |= {card.number: card.pose for card in self.world.cards(Place.TABLE)}
        there = None if number in self.world.holds() else lying.get(number)
        return there is not None and math.dist((there.x_mm, there.y_mm), (pose.x_mm, pose.y_mm)) < 60

    def _stands(self, figure: int) -> Pose | None:
        return self.world.figure(figure).pose

    def _thing(self, number: int) -> Locator:
        pile = self.world.cards(Place.PILE)
        if pile and pile[-1].number == number:
            return self._page.locator(".pile")
        card = next((card for card in self.world.cards(Place.HAND) if card.number == number), None)
        if card is not None:
            self.hold_up(card.owner)
        return self._page.locator(f"[data-number='{number}']")

    def _grip(self, thing: Locator) -> Point:
        seen = thing.evaluate(_SEEN)
        assert seen is not None, f"nothing is seen of {thing.get_attribute('aria-label')}"
        return seen[0], seen[1]

    def _drag(self, thing: Locator, to: Point, quarters: int = 0, lying: Pose | None = None) -> None:
        """What is ``lying`` on the table keeps its distance to the hand that grips it beside its middle."""
        self.drags += 1
        thing.wait_for()
        wait_until_still(self._page)
        start = self._grip(thing)
        if lying is not None:
            here = self.point(lying)
            to = to[0] + start[0] - here[0], to[1] + start[1] - here[1]
        self._drag_from(start, to, quarters)

    def _click_at(self, point: Point) -> None:
        self._page.mouse.click(*point)

    def _drag_from(self, start: Point, to: Point, quarters: int) -> None:
        mouse = self._page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*_between(start, to), steps=4)
        for _ in range(quarters):
            mouse.wheel(0, 100)
        mouse.move(*to, steps=4)
        mouse.up()

    def _push_from(self, start: Point, lying: Point, there: Point) -> None:
        mouse, keyboard = self._page.mouse, self._page.keyboard
        mouse.move(*start)
        keyboard.down("Shift")
        mouse.down()
        mouse.move(start[0] + there[0] - lying[0], start[1] + there[1] - lying[1], steps=6)
        mouse.up()
        keyboard.up("Shift")


class Fingers:
    """Fingers on a page, each with a number; ``touchEnd`` lifts those that are named, or else all."""

    def __init__(self, page: Page) -> None:
        self._line = page.context.new_cdp_session(page)

    def __call__(self, kind: str, *points: Point, first: int = 0) -> None:
        """``first`` is the number of the first of these."""
        told: list[dict[str, Any]] = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points, first)]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    def move(self, start: Point, to: Point, steps: int = 4) -> None:
        """Moves one finger, that is down."""
        for step in range(1, steps + 1):
            self("touchMove", _between(start, to, step / steps))


class TouchHands(MouseHands):
    """The robot's mind with a person's fingers, on a page that is opened with ``has_touch``."""

    def __init__(self, world: World, page: Page, seed: int) -> None:
        super().__init__(world, page, seed)
        self._fingers = Fingers(page)

    def click(self, selector: str) -> None:
        self._page.tap(selector)

    def _click_at(self, point: Point) -> None:
        self._page.touchscreen.tap(*point)

    def _drag_from(self, start: Point, to: Point, quarters: int) -> None:
        """A second finger turns what the first one holds."""
        halfway, felt = _between(start, to), middle(self._page.locator("#table"))
        self._fingers("touchStart", start)
        self._fingers.move(start, halfway)
        for _ in range(quarters):
            self._fingers("touchStart", halfway, felt)
            self._fingers("touchEnd", felt, first=1)
        self._fingers.move(halfway, to)
        self._fingers("touchEnd")

    def _push_from(self, start: Point, lying: Point, there: Point) -> None:
        """With the tool beside a card that is tapped."""
        if not self._page.locator("#push").is_visible():
            self._click_at(start)
        self.click("#push")
        self._fingers("touchStart", start)
        self._fingers.move(start, (start[0] + there[0] - lying[0], start[1] + there[1] - lying[1]), 6)
        self._fingers("touchEnd")


def middle(thing: Locator) -> Point:
    """Where its middle is on the page, in px."""
    box = thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _between(one: Point, other: Point, part: float = 0.5) -> Point:
    return one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])
