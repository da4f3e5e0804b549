"""What would keep people from a page that is shown: looked for in the browser, at whatever size it has now."""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from companion.web.phone.server import page_texts

_SERIOUS: Final = {"serious", "critical"}
_PROBLEMS: Final = r"""(names) => {
  const found = [], told = (what, node) => found.push(`${what}: ${node.outerHTML.slice(0, 120)}`);
  const all = document.querySelector("dialog[open]") ?? document.body;
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".unseen");
  const above = (node, does) => {
    for (let at = node.parentElement; at; at = at.parentElement) if (does(at)) return at;
    return null;
  };
  const scrolls = (node, side) => ["auto", "scroll"].includes(getComputedStyle(node)[`overflow${side}`]);
  const frames = "button, a, label, summary, td, th, li, dialog, details";

  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than its window");
  for (const node of all.querySelectorAll("*")) {
    if (!isSeen(node) || node.closest("option") || (node.ownerSVGElement && !node.dataset.card)) continue;
    const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    if (!box.width || !box.height) continue;
    const isOut = box.left < -0.5 || box.right > innerWidth + 0.5;
    if (isOut && !above(node, (at) => scrolls(at, "X"))) told("it stands out of the window", node);
    const hasText = [...node.childNodes].some((part) => part.nodeType === 3 && part.data.trim());
    if (!hasText || !(node instanceof HTMLElement)) continue;
    const isBox = style.display !== "inline" && node.tagName !== "SELECT";
    if (isBox && node.scrollWidth > node.clientWidth + 1 && !scrolls(node, "X")) told("its text is cut off", node);
    if (isBox && node.scrollHeight > node.clientHeight + 1 && style.overflowY === "hidden") told("it is cut off", node);
    const text = document.createRange();
    text.selectNodeContents(node);
    const words = text.getBoundingClientRect();
    const { left, right } = (above(node, (at) => at.matches(frames)) ?? document.body).getBoundingClientRect();
    if (words.width && (words.right > right + 1 || words.left < left - 1)) told("its text stands out", node);
    const isNamed = names.some((name) => node.textContent.split(/[\s:]+/).includes(name));
    if (isNamed && node.tagName !== "TEXTAREA") told("a text is missing", node);
  }

  for (const node of all.querySelectorAll("a[href], button, select, summary, input, textarea, [tabindex]")) {
    if (!isSeen(node) || node.disabled) continue;
    if (node.tabIndex > 0) told("it is out of turn", node);
    if (node.tabIndex < 0 || node.ownerSVGElement) continue;
    // What a finger takes of a hidden field is its label; of a link in a line of text, the text.
    const isHidden = ["radio", "checkbox", "file"].includes(node.type);
    const taken = (isHidden && node.closest("label")) || node, isWords = taken.matches("td a, th a, p > a");
    const { width, height } = taken.getBoundingClientRect();
    if (Math.min(width, height) < 23.5 && !isWords) told(`only ${width.toFixed()} x ${height.toFixed()}`, taken);
    const part = taken.parentElement.closest("dialog, details, #screen")?.getBoundingClientRect();
    const own = taken.getBoundingClientRect();
    const isOut = part && (own.left < part.left + 4 || own.right > part.right - 4);
    if (isOut && taken.tagName !== "SUMMARY") told("it stands out of its part", taken);
    taken.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = taken.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!hit || !(taken.contains(hit) || hit.contains(taken))) told(`it is covered by ${hit?.tagName}`, taken);
  }
  scrollTo(0, 0);
  return found;
}"""
_AT_THE_KEYBOARD: Final = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const ringed = [node, node.closest("label"), ...node.querySelectorAll(".card, .handle")].filter(Boolean);
  const isRinged = ringed.map(getComputedStyle).some((style, at) =>
    (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
    || (ringed[at].ownerSVGElement && style.stroke !== "none" && parseFloat(style.strokeWidth) >= 2.5));
  const box = (node.matches("input") && node.closest("label") || node).getBoundingClientRect();
  const isInView = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return [[...document.querySelectorAll("*")].indexOf(node), isRinged, isInView, node.outerHTML.slice(0, 120)];
}"""
_MOST_STEPS: Final = 150


def problems(page: Page) -> list[str]:
    """What is cut off, covered, too small to be touched, wider than the window, or has no text."""
    names = [name for name in page_texts("en") if "-" in name]
    found: list[str] = page.evaluate(_PROBLEMS, names)
    return found


def violations(page: Page) -> list[Any]:
    """The serious ones that axe finds."""
    found = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in _SERIOUS]


def lost_keyboard(page: Page) -> list[str]:
    """What is wrong where the keyboard goes, from the beginning of the page to its end: order, what is seen of it."""
    wrong, before = [], -1
    page.evaluate("() => { document.activeElement.blur(); }")
    page.keyboard.press("Tab")
    if page.evaluate(_AT_THE_KEYBOARD) is None:
        # It went on from where it was, to the end of the page.
        page.keyboard.press("Tab")
    for _ in range(_MOST_STEPS):
        at = page.evaluate(_AT_THE_KEYBOARD)
        # A browser goes on to itself after the last, or stays in the dialog that is open.
        if at is None or at[0] <= before:
            break
        before, is_ringed, is_in_view, told = at
        wrong += [] if is_ringed else [f"it is not seen that it has the keyboard: {told}"]
        wrong += [] if is_in_view else [f"it is out of view: {told}"]
        page.keyboard.press("Tab")
    else:
        wrong.append("there is no end")
    return wrong if before >= 0 else ["nothing can be reached"]
