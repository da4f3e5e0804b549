// What hands do: take hold, move, turn, lay. By mouse, touch and pen; the keys are in keys.js.
import { fitted, onDot, pieceAt, reachOf } from "./cells.js";
import { REACH, drawn, cardAt, emmaOn } from "./joints.js";
import { on, send } from "/shared/link.js";
import { bring, cardOf, deck, heldByOthers, isFigure, isInFrame, isOnTable, lying, mine, nameOf, nodeOf, onWorld, placeOf, play, render, size, toMm, viewer, world, zones } from "./table.js";
import * as push from "./push.js";
import { remember, remembered, say, tell } from "/shared/texts.js";
import * as view from "./view.js";

const SLOP = 5; // px a pointer may tremble before it drags
const NEAR = { mouse: 16, pen: 20, touch: 28 }; // px: so far off one is on a small table, whatever that is in mm
const PAUSE = 40; // ms between two messages of a movement
const PILE_MM = 55;
const drags = new Map(); // pointer to drag
const sentAt = new Map();
const settling = new Map(); // what was just let go, until the table has answered
const magnet = document.getElementById("magnet");
const tools = document.getElementById("tools");
let chosen = null;

magnet.checked = remembered("magnet") !== "off";
magnet.addEventListener("change", () => remember("magnet", magnet.checked ? "on" : "off"));

export function take(number, pose) {
  if (heldByOthers(number) || (mine.has(number) && !settling.has(number))) return false;
  clearTimeout(settling.get(number));
  settling.delete(number);
  if (!send("hold", { number })) return false;
  mine.set(number, pose);
  choose(null);
  return true;
}

// Where something that is held is drawn to, if the magnet is on.
export function settled(number, pose, from, near = 0) {
  if (!isOnTable(pose)) return pose;
  if (isFigure(number) && deck.cell) return magnet.checked ? onDot(pose, from, lying(), deck) : pose;
  if (isFigure(number)) {
    const card = cardAt(pose, lying(), deck.card);
    return card ? emmaOn(card, from, lying(), deck) : pose;
  }
  const card = cardOf(number);
  if (!magnet.checked || !card) return pose;
  if (deck.cell) return fitted({ ...pose, number }, lying(), deck, Math.max(reachOf(deck), near / size.mm)) ?? pose;
  return drawn({ ...pose, number, face: card.face }, lying(), deck, Math.max(REACH, near / size.mm)) ?? pose;
}

export function hover(number, pose) {
  mine.set(number, pose);
  const now = performance.now();
  if (now - (sentAt.get(number) ?? 0) >= PAUSE) {
    sentAt.set(number, now);
    send("move", { number, ...rounded(pose) });
  }
  render();
}

export function lay(number, pose) {
  send("lay", { number, ...rounded(pose) });
  finish(number, pose);
}

export function put(number, place, owner = 0) {
  send("put", { number, place, owner });
  finish(number, null);
}

export function drop(number) {
  send("drop", { number });
  finish(number, null);
}

const rounded = ({ x, y, turn }) => ({ x: Math.round(x * 100) / 100, y: Math.round(y * 100) / 100, turn: Math.round(turn * 100) / 100 });

// Until the table has answered, a thing stays where it was let go.
function finish(number, pose) {
  if (!pose) mine.delete(number);
  else settling.set(number, setTimeout(() => { settling.delete(number); mine.delete(number); render(); }, 120));
  render();
}

// What is drawn comes into the hand without a word of the device, so the page says it, also how often.
let asked = 0;
let inHands = new Set();
let drew = { turn: null, cards: [] };

export function draw() {
  if (!world.pile) tell(say("pile-empty"));
  else if (send("draw", { owner: viewer })) asked += 1;
}

onWorld(({ cards, turn }) => {
  const hands = cards.filter((card) => card.place === "hand");
  const fresh = hands.filter((card) => card.owner === viewer && !inHands.has(card.number));
  inHands = new Set(hands.map((card) => card.number));
  if (!asked || !fresh.length) return;
  asked -= Math.min(asked, fresh.length);
  if (turn !== drew.turn || turn === null) drew = { turn, cards: [] };
  drew.cards.push(...fresh.map(({ number, face }) => ({ number, face })));
  const details = { count: drew.cards.length, card: called(fresh[0].face), cards: drew.cards.map(({ face }) => called(face)).join(", ") };
  tell(say(drew.cards.length > 1 ? "told-drew-more" : "told-drew", details));
});

const called = (face) => nameOf(face, "card-told");

function putOntoPile(number, isFromPile) {
  const card = cardOf(number); // one from the pile is not known before it has been seen
  drew.cards = drew.cards.filter((each) => each.number !== number);
  tell(card ? say("told-pile", { card: called(card.face) }) : say("heard-dropped"));
  if (isFromPile) drop(number);
  else put(number, "pile");
}

on("refused", ({ reason }) => {
  asked = 0;
  if (reason !== "message") {
    for (const drag of drags.values()) drag.isLost = heldByOthers(drag.number);
    for (const number of [...mine.keys()]) if (heldByOthers(number)) mine.delete(number);
    render();
  }
});
on("closed", () => { mine.clear(); drags.clear(); view.linger(null); render(); });

// Pointers

const pointOf = (event) => {
  const home = play.getBoundingClientRect();
  return toMm({ x: event.clientX - home.left, y: event.clientY - home.top });
};

function isIn(zone, event) {
  const box = zone.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}

// What lies exactly there; browsers give a finger to what is small and near it, as to Emma on her card. Of small
// vehicles side by side it is the nearest, and a finger that is on none of them means one that is near.
function thingAt(event) {
  const things = ".card, .figure, .pile";
  const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(things) ?? event.target.closest(things);
  if (!deck.cell || (!found?.matches(".figure") && event.pointerType !== "touch")) return pieceOf(found, event);
  const away = (node) => {
    const box = node.getBoundingClientRect();
    return Math.hypot(event.clientX - (box.left + box.right) / 2, event.clientY - (box.top + box.bottom) / 2);
  };
  const nearest = world.figures.map(({ number }) => nodeOf(number)).reduce((best, node) => (best && away(best) <= away(node) ? best : node), null);
  return found?.matches(".figure") || (nearest && away(nearest) < NEAR.touch / 2) ? nearest : pieceOf(found, event);
}

// Where one piece has nothing another one can be reached.
function pieceOf(found, event) {
  const number = Number(found?.dataset.number);
  if (!deck.shaped || !found?.matches(".card") || !placeOf(number)) return found;
  const home = play.getBoundingClientRect();
  const piece = pieceAt(toMm({ x: event.clientX - home.left, y: event.clientY - home.top }), lying(), deck);
  return piece ? nodeOf(piece.number) : null;
}

play.addEventListener("pointerdown", (event) => {
  const node = thingAt(event);
  if (event.button > 0) return;
  if (drags.size) {
    const [pointer, drag] = [...drags][0];
    if (drag.isMoving || drag.isPush) { drag.turn += 90; return; } // a second finger turns what the first one holds
    drags.delete(pointer); // two fingers at once mean the table, whatever lies under them
    view.grip(drag.last);
    view.grip(event);
    return;
  }
  if (!node || view.isGripped()) {
    if (event.target.closest("button") && !node) return;
    choose(null);
    if (view.isGripped() || event.target.closest("#table")) view.grip(event);
    return;
  }
  const isPile = node.classList.contains("pile");
  const number = isPile ? world.top : Number(node.dataset.number);
  if (number === null || heldByOthers(number)) return;
  const card = cardOf(number);
  const point = pointOf(event);
  const lies = placeOf(number);
  if (lies && (event.shiftKey || push.isToolOn()) && push.begin(number)) {
    drags.set(event.pointerId, { start: point, isPush: true, turn: 0 });
    choose(null);
    play.setPointerCapture(event.pointerId);
    return;
  }
  drags.set(event.pointerId, {
    number, isPile, node, from: isFigure(number) ? lies : null, near: NEAR[event.pointerType] ?? NEAR.mouse,
    turn: lies?.turn ?? card?.turn ?? 0, start: { x: event.clientX, y: event.clientY },
    grip: lies ? { x: lies.x - point.x, y: lies.y - point.y } : { x: 0, y: 0 },
    last: event, isMoving: false, isLost: false,
  });
  play.setPointerCapture(event.pointerId);
});

function poseOf(drag, event) {
  const point = pointOf(event);
  return settled(drag.number, { x: point.x + drag.grip.x, y: point.y + drag.grip.y, turn: drag.turn }, drag.from, drag.near);
}

function follow(drag, event) {
  drag.last = event;
  if (drag.isLost) return;
  if (drag.isPush) {
    const point = pointOf(event);
    push.by(point.x - drag.start.x, point.y - drag.start.y);
    view.linger(event, () => follow(drag, drag.last));
    return;
  }
  if (!drag.isMoving) {
    if (Math.hypot(event.clientX - drag.start.x, event.clientY - drag.start.y) < SLOP) return;
    drag.isMoving = true;
    if (!take(drag.number, poseOf(drag, event))) { drag.isLost = true; return; }
    play.classList.add("dragging");
  }
  hover(drag.number, poseOf(drag, event));
  view.linger(event, () => follow(drag, drag.last), deck.cell > 0 && isFigure(drag.number));
}

play.addEventListener("pointermove", (event) => {
  const drag = drags.get(event.pointerId);
  if (drag) follow(drag, event);
});

function end(event) {
  const drag = drags.get(event.pointerId);
  if (!drag) return;
  drags.delete(event.pointerId);
  view.linger(null);
  play.classList.remove("dragging");
  if (drag.isPush) { if (event.type === "pointercancel") push.stop(); else push.end(); return; }
  if (drag.isLost) return;
  if (!drag.isMoving) tap(drag);
  else if (event.type === "pointercancel") drop(drag.number);
  else letGo(drag, event);
}
play.addEventListener("pointerup", end);
play.addEventListener("pointercancel", end);

function letGo(drag, event) {
  const pose = poseOf(drag, event);
  const isCard = !isFigure(drag.number);
  const home = play.getBoundingClientRect();
  const isSeen = isInFrame({ x: event.clientX - home.left, y: event.clientY - home.top });
  const toPile = deck.cell ? Infinity : Math.hypot(pose.x - deck.pile[0], pose.y - deck.pile[1]);
  if (isIn(zones.away, event) && isCard) put(drag.number, "away");
  else if (isIn(zones.hand, event) && isCard) {
    if (drag.isPile) asked += 1;
    put(drag.number, "hand", viewer);
  }
  else if ((isIn(zones.shed, event) || isIn(zones.away, event)) && !isCard) put(drag.number, "away");
  else if (isCard && isSeen && toPile < PILE_MM) putOntoPile(drag.number, drag.isPile);
  else if (isSeen && isOnTable(pose)) lay(drag.number, pose);
  else {
    drop(drag.number);
    tell(say("heard-dropped"));
  }
}

function tap(drag) {
  if (drag.isPile) draw();
  else choose(drag.number === chosen ? null : drag.number);
}

// Turning: keys, the wheel, the other mouse button, a second finger, or the tool beside a chosen card.
export function turnHeld(degrees) {
  const drag = [...drags.values()][0];
  if (!drag || drag.isPush) return false;
  drag.turn += degrees;
  if (drag.isMoving) follow(drag, drag.last);
  return true;
}

play.addEventListener("wheel", (event) => {
  if (drags.size) turnHeld(event.deltaY > 0 ? 90 : -90);
  else if (!view.roll(event)) return;
  event.preventDefault();
}, { passive: false });
play.addEventListener("contextmenu", (event) => {
  const node = thingAt(event);
  if (drags.size || node) event.preventDefault();
  if (!turnHeld(90) && node) turn(Number(node.dataset.number), 90);
});

export function turn(number, degrees) {
  send("turn", { number, degrees: isFigure(number) && !deck.cell ? 180 : degrees });
}

// The tool that turns a chosen card.
export function choose(number) {
  chosen = number;
  placeTools();
}

export function placeTools() {
  const node = chosen === null ? null : nodeOf(chosen);
  tools.hidden = !node || node.hidden || mine.has(chosen) || cardOf(chosen)?.place === "away";
  const isLaid = chosen !== null && placeOf(chosen);
  document.getElementById("push").hidden = !isLaid;
  if (tools.hidden) { push.setTool(false); return; }
  const box = node.getBoundingClientRect(), home = play.getBoundingClientRect();
  const at = { x: (box.left + box.right) / 2 - home.left, y: (box.top + box.bottom) / 2 - home.top };
  tools.hidden = isLaid && !isInFrame(at);
  tools.style.left = `${Math.min(box.right - home.left - 8, play.clientWidth - (isLaid ? 88 : 44))}px`;
  tools.style.top = `${Math.max(box.top - home.top - 22, 0)}px`;
}
document.getElementById("turn").addEventListener("click", () => chosen !== null && turn(chosen, 90));
document.getElementById("things").addEventListener("transitionend", placeTools);
on("world", () => placeTools());
play.addEventListener("look", placeTools);
// Who goes there by keys sees it.
play.addEventListener("focusin", (event) => {
  const place = placeOf(Number(event.target.dataset.number));
  if (place && event.target.matches(":focus-visible")) bring(place);
});
