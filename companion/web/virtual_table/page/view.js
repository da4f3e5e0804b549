// Looking closer: two fingers pinch and move the table, the wheel and + make it larger, its empty felt can be dragged.
// What is held near the edge of what is seen moves it too.
import { deck, isInFrame, look, lying, onTable, onWorld, play, size, toMm, world } from "./table.js";

const STEP = 1.5;
const AFTER = 150; // ms after the wheel until things glide again
const EDGE = 40; // px from the edge of what is seen
const LINGER = 250; // ms that something is held there before the table moves: who only passes moves nothing
const MANY = 3; // pieces that come to lie at once: no hand does that, so another network was laid out
const PACE = 0.2; // px in a ms, at the very edge
const fingers = new Map(); // pointer to where it is, in px
let timer = null;
let isFitted = false; // whether all pieces are seen as large as they can be; whoever looks elsewhere ends that
let lay = new Set(); // the pieces that were on the table before, if there are pieces
let lingering = null; // near the edge: the pointer's last event, and since when

export const isGripped = () => fingers.size > 0;

function at(event) {
  const home = play.getBoundingClientRect();
  return { x: event.clientX - home.left, y: event.clientY - home.top };
}

function middle() {
  const points = [...fingers.values()];
  const [x, y] = ["x", "y"].map((side) => points.reduce((sum, point) => sum + point[side], 0) / points.length);
  return { x, y, apart: points.length > 1 ? Math.hypot(points[0].x - points[1].x, points[0].y - points[1].y) : 0 };
}

export function grip(event) {
  if (fingers.size > 1) return;
  fingers.set(event.pointerId, at(event));
  play.setPointerCapture(event.pointerId);
  play.classList.add("gripped");
}

play.addEventListener("pointermove", (event) => {
  if (!fingers.has(event.pointerId)) return;
  const before = middle();
  fingers.set(event.pointerId, at(event));
  const now = middle();
  look(size.zoom * (before.apart && now.apart ? now.apart / before.apart : 1), toMm(before), now);
});

function letGo(event) {
  fingers.delete(event.pointerId);
  if (!fingers.size) play.classList.remove("gripped");
}
play.addEventListener("pointerup", letGo);
play.addEventListener("pointercancel", letGo);

// How far into the edge a pointer is; the table moves the other way. A vehicle moves it only where pieces lie beyond.
function pull(event, isOnPieces) {
  const { x, y } = at(event), { left, width, height } = size.frame;
  if (size.zoom === 1 || !isInFrame({ x, y })) return { x: 0, y: 0 };
  const into = (before, after) => (Math.max(0, EDGE - before) - Math.max(0, EDGE - after)) / EDGE;
  const way = { x: into(x - left, left + width - x), y: into(y, height - y) };
  if (!isOnPieces) return way;
  const beyond = (side, from, to) => lying().some((piece) => {
    const px = onTable(piece)[side];
    return way[side] > 0 ? px < from : px > to;
  });
  return { x: beyond("x", left, left + width) ? way.x : 0, y: beyond("y", 0, height) ? way.y : 0 };
}

// Something is held there, or (null) no more; ``moved`` is called when the table has moved below it.
export function linger(event, moved, isOnPieces = false) {
  const { x, y } = event ? pull(event, isOnPieces) : { x: 0, y: 0 };
  if (x || y) {
    if (lingering) { lingering.event = event; return; }
    lingering = { event, isOnPieces, since: performance.now(), last: performance.now() };
    requestAnimationFrame((now) => slide(lingering, now, moved));
  } else if (lingering) {
    lingering = null;
    if (!isGripped()) play.classList.remove("gripped");
  }
}

function slide(mine, now, moved) {
  if (!mine || lingering !== mine) return;
  const far = PACE * Math.min(50, Math.max(0, now - mine.last));
  mine.last = now;
  if (now - mine.since > LINGER) {
    const spot = at(mine.event), { x, y } = pull(mine.event, mine.isOnPieces);
    play.classList.add("gripped");
    look(size.zoom, toMm(spot), { x: spot.x + far * x, y: spot.y + far * y });
    moved();
  }
  requestAnimationFrame((next) => slide(mine, next, moved));
}

// Says whether the wheel has made the table larger or smaller; else the page may scroll.
export function roll(event) {
  const isScroll = size.zoom === 1 && !event.ctrlKey && (event.deltaY > 0 || scrollY > 0);
  if (isScroll || !event.target.closest("#table, #things")) return false;
  const point = at(event);
  if (point.y > size.frame.height) return false;
  play.classList.add("gripped");
  clearTimeout(timer);
  timer = setTimeout(() => { if (!isGripped()) play.classList.remove("gripped"); }, AFTER);
  look(size.zoom * Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 400), toMm(point), point);
  return true;
}

// Small pieces are seen as large as they all fit.
function fit() {
  const [across, down] = ["x", "y"].map((side) => lying().map((piece) => piece[side]));
  const between = (all) => (Math.min(...all) + Math.max(...all)) / 2;
  const room = Math.max(...deck.card) + deck.cell; // from the middles of the outermost to their ends, and a cell around
  const [wide, high] = [across, down].map((all) => Math.max(...all) - Math.min(...all) + room);
  look(Math.min(play.clientWidth / wide, size.most / high) / size.fit);
  look(size.zoom, { x: between(across), y: between(down) }); // its frame is a larger one now
  isFitted = true;
}
play.addEventListener("look", () => { isFitted = false; });
play.addEventListener("measure", (event) => {
  if (!isFitted || !lying().length) return;
  event.preventDefault();
  fit();
});

onWorld(() => {
  const now = deck.cell ? world.cards.filter(({ place }) => place === "table").map(({ number }) => number) : [];
  const come = now.filter((number) => !lay.has(number)).length;
  const isGone = lay.size > 0 && !now.length;
  lay = new Set(now);
  if (come >= MANY) fit();
  else if (isGone) look(1);
});

// From the whole table to what lies there, then to what is in the middle.
function closer() {
  const cards = size.zoom === 1 ? lying() : [];
  if (cards.length && deck.cell) fit();
  if (size.zoom > 1 && cards.length) return;
  const [x, y] = ["x", "y"].map((side) => cards.reduce((sum, card) => sum + card[side], 0) / cards.length);
  look(size.zoom * STEP, cards.length ? { x, y } : undefined);
}

const KEYS = { "+": closer, "-": () => look(size.zoom / STEP), 0: () => look(1) };
document.getElementById("closer").addEventListener("click", closer);
document.getElementById("farther").addEventListener("click", KEYS["-"]);

export function key(key) {
  if (!KEYS[key]) return false;
  KEYS[key]();
  return true;
}

play.addEventListener("look", () => { document.getElementById("farther").disabled = size.zoom === 1; });
