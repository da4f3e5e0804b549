// Putting right what lies on the table: a tool is chosen, and the table is tapped or swiped with it.
import { on, send } from "/shared/link.js";
import { onLanguage, say, tell } from "/shared/texts.js";
import { isInside, onDoor } from "../door.js";
import { called, drawn, onCalled } from "./drawings.js";
import { node, repaint } from "./watch.js";

const AROUND = 2; // cells beyond what lies there, for what comes beside it
const LEAST = [10, 7]; // cells that are seen at least
const byId = (id) => document.getElementById(id);
const railway = byId("railway");
let present = null;
let tool = "";
let lying = { cards: [], figures: [] };
let cursor = [0, 0]; // the cell that the keyboard is at
let start = null; // where the finger went down, in mm

const canEdit = () => isInside && Boolean(present?.tools?.length);
const cell = () => present.cell_mm;

function paintTools() {
  const tools = canEdit() ? present.tools : [];
  byId("editor").hidden = !tools.length;
  if (!tools.includes(tool)) tool = tools[0] ?? "";
  const had = [...byId("tools").children].indexOf(document.activeElement);
  byId("tools").replaceChildren(...tools.map((name) => {
    const button = document.createElement("button");
    button.setAttribute("aria-pressed", name === tool);
    button.setAttribute("aria-label", called(name) || name);
    button.title = called(name);
    button.append(Object.assign(new Image(), { src: drawn(name), alt: "" }));
    button.addEventListener("click", () => { tool = name; paintTools(); });
    return button;
  }));
  byId("tools").children[had]?.focus({ preventScroll: true });
}

// The middle of what is drawn and its turn say which cells it covers.
function covers({ x, y, turn, size: [width, height] }, [column, row]) {
  const [dx, dy] = [(column + 0.5) * cell() - x, (row + 0.5) * cell() - y], angle = (-turn * Math.PI) / 180;
  const [across, down] = [dx * Math.cos(angle) - dy * Math.sin(angle), dx * Math.sin(angle) + dy * Math.cos(angle)];
  return Math.abs(across) <= width / 2 && Math.abs(down) <= height / 2;
}

function inWords(at) {
  const names = [...lying.cards, ...lying.figures].filter((item) => item.size && covers(item, at)).map(({ face, name }) => called(face ?? name));
  return say("edit-cell", { x: at[0], y: at[1], what: names.filter(Boolean).join(", ") || say("edit-nothing") });
}

// As many cells around what lies there as are needed to go on, each with a point in its middle.
function extend() {
  if (!lying.cards.length) railway.replaceChildren();
  const [x, y, width, height] = lying.cards.length ? railway.getAttribute("viewBox").split(" ").map(Number) : [0, 0, 0, 0];
  const spread = [[x, width], [y, height]].map(([from, length], axis) => {
    const first = Math.floor(from / cell()) - AROUND, last = Math.ceil((from + length) / cell()) + AROUND;
    const missing = Math.max(0, LEAST[axis] - (last - first));
    return [first - Math.floor(missing / 2), last + Math.ceil(missing / 2)];
  });
  const [[left, right], [top, bottom]] = spread;
  railway.setAttribute("viewBox", [left * cell(), top * cell(), (right - left) * cell(), (bottom - top) * cell()].join(" "));
  const pattern = node("pattern", { id: "grid", width: cell(), height: cell(), patternUnits: "userSpaceOnUse" });
  pattern.append(node("circle", { cx: cell() / 2, cy: cell() / 2, r: cell() / 14 }));
  railway.prepend(pattern, node("rect", { x: left * cell(), y: top * cell(), width: (right - left) * cell(), height: (bottom - top) * cell(), class: "grid" }));
  railway.append(node("rect", { width: cell(), height: cell(), rx: 2, class: "cursor" }), node("line", { class: "swipe", visibility: "hidden" }));
  showCursor();
}

function showCursor() {
  const box = railway.querySelector(".cursor");
  box?.setAttribute("x", cursor[0] * cell());
  box?.setAttribute("y", cursor[1] * cell());
}

function paint() {
  const was = railway.classList.contains("edits");
  railway.classList.toggle("edits", canEdit());
  if (was && !canEdit()) {
    railway.removeAttribute("tabindex");
    railway.setAttribute("role", "img");
  }
  if (!canEdit()) return;
  railway.removeAttribute("hidden");
  byId("no-railway").hidden = true;
  railway.setAttribute("tabindex", "0");
  railway.setAttribute("role", "application");
  railway.setAttribute("aria-label", say("edit-table"));
  extend();
}

railway.addEventListener("drawn", ({ detail }) => { lying = detail; paint(); });

function touch([x, y], [toX, toY]) {
  send("touch", { tool, x, y, to_x: toX, to_y: toY });
}

const middle = ([column, row]) => [(column + 0.5) * cell(), (row + 0.5) * cell()];

// Where a finger is, in mm on the table.
function place(event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(railway.getScreenCTM().inverse());
  return [x, y];
}

railway.addEventListener("pointerdown", (event) => {
  if (!canEdit() || !event.isPrimary || event.button !== 0) { start = null; return; }
  event.preventDefault();
  railway.setPointerCapture(event.pointerId);
  start = place(event);
});
railway.addEventListener("pointermove", (event) => {
  if (!start || !event.isPrimary) return;
  const [x, y] = place(event), line = railway.querySelector(".swipe");
  for (const [name, value] of Object.entries({ x1: start[0], y1: start[1], x2: x, y2: y, visibility: "visible" })) line?.setAttribute(name, value);
});
railway.addEventListener("pointerup", (event) => {
  if (!start || !event.isPrimary || !canEdit()) return;
  touch(start, place(event));
  cursor = place(event).map((length) => Math.floor(length / cell()));
  start = null;
  railway.querySelector(".swipe")?.setAttribute("visibility", "hidden");
  showCursor();
});
railway.addEventListener("pointercancel", () => { start = null; });

const WAYS = { ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowUp: [0, -1] };
railway.addEventListener("keydown", (event) => {
  if (!canEdit()) return;
  const way = WAYS[event.key];
  if (way) {
    event.preventDefault();
    const next = [cursor[0] + way[0], cursor[1] + way[1]];
    if (event.shiftKey) { touch(middle(cursor), middle(next)); return; }
    cursor = next;
    showCursor();
    tell(inWords(cursor));
  } else if (["Enter", " "].includes(event.key)) {
    event.preventDefault();
    touch(middle(cursor), middle(cursor));
  }
});

// What is drawn around the table is drawn with it.
function change() { paintTools(); repaint(); }

on("present", (message) => {
  const before = canEdit();
  ({ present } = message);
  if (before || canEdit()) change();
});
onDoor(change);
onLanguage(paintTools);
onCalled(paintTools);
