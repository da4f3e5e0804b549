// Watching: the railway as the companion knows it, how the game stands, and what the camera sees.
import { on } from "/shared/link.js";
import { onLanguage, say } from "/shared/texts.js";
import { watch } from "../view.js";
import { drawn, inWords, onCalled, row as figuresInRow } from "./drawings.js";
import { paintStanding } from "./standing.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 12; // mm around the railway
const byId = (id) => document.getElementById(id);
const railway = byId("railway");
let facts = {};
let present = null;
export let size = [63, 88];
export const faceOf = (face) => `/phone/faces/${face}.webp?${facts.game ?? ""}`;

export function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// How far the cards reach, however they are turned.
function reach(cards, look) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const card of cards) {
    const { x, y, turn } = card, { size: [width, height] } = look(card);
    const [cos, sin] = [Math.abs(Math.cos((turn * Math.PI) / 180)), Math.abs(Math.sin((turn * Math.PI) / 180))];
    const [across, down] = [(width * cos + height * sin) / 2, (width * sin + height * cos) / 2];
    box.left = Math.min(box.left, x - across);
    box.right = Math.max(box.right, x + across);
    box.top = Math.min(box.top, y - down);
    box.bottom = Math.max(box.bottom, y + down);
  }
  return box;
}

const EMMA = { href: "/shared/emma.svg", size: [18, 40] };

// ``look`` says of a card or a figure which drawing it has, its width and height in mm, and whether it is printed on a card.
export function draw(svg, cards, figures, look) {
  const { left, top, right, bottom } = reach(cards, look);
  svg.setAttribute("viewBox", [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN].join(" "));
  const placed = (item, attribute, value) => {
    const { x, y, turn } = item, { href, size: [width, height], isCard } = look(item);
    const group = node("g", { transform: `translate(${x} ${y}) rotate(${turn})`, [attribute]: value });
    const box = { x: -width / 2, y: -height / 2, width, height };
    if (isCard) group.append(node("rect", { ...box, rx: 3, class: "card" }));
    group.append(node("image", { ...box, href, ...(isCard && { preserveAspectRatio: "none" }) }));
    if (item.marked) group.append(node("rect", { ...box, rx: 3, class: "mark" }));
    return group;
  };
  svg.replaceChildren(
    ...cards.map((card, index) => placed(card, "data-card", index)),
    ...figures.map((figure) => placed(figure, "data-figure", figure.name)),
  );
}

// What a game draws itself says how large it is.
function look({ face, name, size: own }) {
  if (own) return { href: drawn(face ?? name), size: own };
  return name ? EMMA : { href: faceOf(face), size, isCard: true };
}

// As it lies on the table, whichever way the game counts.
function asItLies(item) {
  const { turn_deg: turn, cell_mm: cell } = present ?? {};
  if (!turn) return item;
  const angle = (turn * Math.PI) / 180, [x, y] = [item.x - cell / 2, item.y - cell / 2];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { ...item, x: cell / 2 + x * cos - y * sin, y: cell / 2 + x * sin + y * cos, turn: item.turn + turn };
}

export function repaint() {
  const { cards: counted = [], figures: counting = [], wanted = [] } = facts.room === "game" ? facts : {};
  const cards = counted.map(asItLies), figures = counting.map(asItLies);
  byId("no-railway").hidden = cards.length > 0;
  railway.toggleAttribute("hidden", !cards.length);
  if (cards.length) draw(railway, cards, figures, look);
  const standing = inWords(figures.map(({ name }) => name));
  railway.setAttribute("aria-label", standing ? say("standing-told", { figures: standing }) : say("railway-told", { count: cards.length }));
  const { players = [] } = facts;
  byId("players").hidden = !players.length;
  paintStanding(byId("players"), { ...facts, players });
  const { draw_pile: pile, left } = facts;
  byId("left").textContent = pile === undefined ? (left ? say("steps-left", { count: left }) : "") : say("cards-left", { count: pile });
  byId("wanted").hidden = !wanted.length;
  byId("wanted-row").replaceChildren(figuresInRow(wanted));
  railway.dispatchEvent(new CustomEvent("drawn", { detail: { cards, figures } }));
}

on("facts", (message) => {
  ({ facts } = message);
  const focused = railway.contains(document.activeElement) ? document.activeElement.dataset.card : undefined;
  repaint();
  // Who goes through the cards with the keyboard stays where they were.
  if (focused !== undefined) railway.querySelector(`[data-card="${focused}"]`)?.focus({ preventScroll: true });
});
on("present", (message) => {
  const before = present?.turn_deg;
  ({ present } = message);
  if (before !== present?.turn_deg) repaint();
});
onLanguage(repaint);
onCalled(repaint);

// The camera's view, while it is looked at

const showView = watch(byId("view"), {
  isSeen: () => byId("camera").open && !byId("place-watch").hidden,
  told: (isThere) => { byId("no-view").hidden = isThere; },
});
onLanguage(() => { byId("view").alt = say("camera"); });
byId("camera").addEventListener("toggle", showView);
byId("place-watch").addEventListener("seen", showView);
document.addEventListener("visibilitychange", showView);

// Another phone comes here by looking at this one.
byId("another").addEventListener("toggle", () => {
  if (byId("another").open) byId("code").src = "/phone/address.svg";
  byId("address").textContent = `${location.origin}/`;
});
