// Watching: the railway as the companion knows it, how the game stands, and what the camera sees.
import { on } from "/shared/link.js";
import { onLanguage, say } from "/shared/texts.js";
import { watch } from "../view.js";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 12; // mm around the railway
const byId = (id) => document.getElementById(id);
const railway = byId("railway");
let facts = {};
export let size = [63, 88];
export const faceOf = (face) => `/phone/faces/${face}.webp?${facts.game ?? ""}`;

function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// How far the cards reach, however they are turned.
function reach(cards, [width, height]) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, turn } of cards) {
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

// ``looks`` says of a figure's name which drawing it has, and its width and height in mm.
export function draw(svg, cards, figures, [width, height], faces, looks = () => EMMA) {
  const { left, top, right, bottom } = reach(cards, [width, height]);
  svg.setAttribute("viewBox", [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN].join(" "));
  const drawn = cards.map(({ face, x, y, turn }, index) => {
    const group = node("g", { transform: `translate(${x} ${y}) rotate(${turn})`, "data-card": index });
    group.append(node("rect", { x: -width / 2, y: -height / 2, width, height, rx: 3, class: "card" }));
    group.append(node("image", { x: -width / 2, y: -height / 2, width, height, href: faces(face), preserveAspectRatio: "none" }));
    return group;
  });
  for (const { name, x, y, turn } of figures) {
    const group = node("g", { transform: `translate(${x} ${y}) rotate(${turn})`, "data-figure": name });
    const { href, size: [across, down] } = looks(name);
    group.append(node("image", { x: -across / 2, y: -down / 2, width: across, height: down, href }));
    drawn.push(group);
  }
  svg.replaceChildren(...drawn);
}

function cell(text, kind = "td") {
  return Object.assign(document.createElement(kind), { textContent: text });
}

function paint() {
  const { cards = [], figures = [] } = facts.room === "game" ? facts : {};
  byId("no-railway").hidden = cards.length > 0;
  railway.toggleAttribute("hidden", !cards.length);
  if (cards.length) draw(railway, cards, figures, size, faceOf);
  railway.setAttribute("aria-label", say("railway-told", { count: cards.length }));
  const { players = [], points = [], piles = [], active, draw_pile: left } = facts;
  byId("players").hidden = !players.length;
  byId("players").tBodies[0].replaceChildren(...players.map((name, seat) => {
    const row = document.createElement("tr");
    const head = cell(name, "th");
    head.scope = "row";
    if (seat === active) row.setAttribute("aria-current", "true");
    row.append(head, cell(points[seat] ?? ""), cell(piles[seat]?.length ?? ""));
    return row;
  }));
  byId("left").textContent = left === undefined ? "" : say("cards-left", { count: left });
}

on("facts", (message) => {
  ({ facts } = message);
  const focused = railway.contains(document.activeElement) ? document.activeElement.dataset.card : undefined;
  paint();
  railway.dispatchEvent(new Event("drawn"));
  // Who goes through the cards with the keyboard stays where they were.
  if (focused !== undefined) railway.querySelector(`[data-card="${focused}"]`)?.focus({ preventScroll: true });
});
onLanguage(paint);

// The camera's view, while it is looked at

const look = watch(byId("view"), {
  isSeen: () => byId("camera").open && !byId("place-watch").hidden,
  told: (isThere) => { byId("no-view").hidden = isThere; },
});
onLanguage(() => { byId("view").alt = say("camera"); });
byId("camera").addEventListener("toggle", look);
byId("place-watch").addEventListener("seen", look);
document.addEventListener("visibilitychange", look);

// Another phone comes here by looking at this one.
byId("another").addEventListener("toggle", () => {
  if (byId("another").open) byId("code").src = "/phone/address.svg";
  byId("address").textContent = `${location.origin}/`;
});
