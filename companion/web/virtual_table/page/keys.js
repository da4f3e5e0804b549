// Everything by keys: a card is picked up, moved, turned and laid; the device's buttons have letters.
import { nextDot } from "./cells.js";
import { nextCard, ways } from "./joints.js";
import { press } from "./device.js";
import { draw, drop, hover, lay, put, settled, take, turn, turnHeld } from "./hands.js";
import { isLost } from "./lost.js";
import * as push from "./push.js";
import { bring, cardOf, deck, heldByOthers, isFigure, isOnTable, lying, mine, nodeOf, nameOf, placeOf, pushed, viewer, world } from "./table.js";
import { onLanguage, say, tell } from "/shared/texts.js";
import * as view from "./view.js";

const BUTTONS = { r: "roll", p: "pass", b: "back", arrowup: "up", arrowdown: "down" };
const MOVES = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] };
let picked = null; // {number, pose, way, from}

function pickUp(number) {
  if (number === null || heldByOthers(number)) return;
  const card = cardOf(number);
  const lies = placeOf(number);
  const left = mine.get(number); // just let go
  const pose = left ? { ...left } : lies ? { x: lies.x, y: lies.y, turn: lies.turn } : { x: deck.table[0] / 2, y: deck.table[1] / 2, turn: card?.turn ?? 0 };
  if (!take(number, pose)) return;
  picked = { number, pose, way: -1, from: isFigure(number) ? lies : null };
  hover(number, pose);
  tell(say("heard-picked"));
}

function finish(action, text) {
  const { number } = picked;
  action();
  picked = null;
  tell(say(text));
  // What came from the pile has become a thing of its own.
  const here = document.activeElement;
  if (here === document.body || here.classList.contains("pile")) setTimeout(() => nodeOf(number)?.focus(), 200);
}

// The next place where the rails carry on; Emma: the card before her, or behind; a vehicle: the next dot.
function jump(step) {
  const { number, pose } = picked;
  if (isFigure(number) && deck.cell) {
    const dot = nextDot(pose, step, lying(), deck);
    if (dot) picked.pose = settled(number, { ...dot, turn: pose.turn }, pose);
  } else if (isFigure(number)) {
    const card = nextCard(pose, step, lying(), deck);
    if (card) picked.pose = settled(number, { x: card.x, y: card.y, turn: pose.turn }, pose);
  } else {
    const card = cardOf(number);
    const found = card ? ways({ ...pose, number, face: card.face }, lying(), deck) : [];
    if (found.length) {
      picked.way = (picked.way + step + found.length) % found.length;
      picked.pose = found[picked.way];
      tell(say("heard-place", { number: picked.way + 1, count: found.length }));
    } else tell(say("heard-no-place"));
  }
  hover(number, picked.pose);
}

function withPicked(event, key) {
  const { number } = picked;
  if (!mine.has(number)) { picked = null; return false; }
  const step = event.shiftKey ? 1 : deck.cell || 10;
  if (MOVES[key]) {
    const moved = { ...picked.pose, x: picked.pose.x + step * MOVES[key][0], y: picked.pose.y + step * MOVES[key][1] };
    // From cell to cell; a little means a little.
    picked.pose = deck.cell && !event.shiftKey ? settled(number, moved, picked.pose) : moved;
    hover(number, picked.pose);
  } else if (key === "t") {
    picked.pose = { ...picked.pose, turn: picked.pose.turn + (event.shiftKey ? 5 : 90) };
    hover(number, picked.pose);
  } else if (key === "n") jump(event.shiftKey ? -1 : 1);
  else if (key === "s" && !deck.cell) { picked.pose = { x: deck.show[0], y: deck.show[1], turn: 0 }; hover(number, picked.pose); }
  else if (key === "enter" || key === " ") {
    if (isOnTable(picked.pose)) finish(() => lay(number, picked.pose), "heard-laid");
  } else if (key === "h" && !isFigure(number) && !deck.cell) finish(() => put(number, "hand", viewer), "where-hand");
  else if (key === "x") finish(() => put(number, "away"), "where-away");
  else if (key === "escape") finish(() => drop(number), "heard-dropped");
  else return false;
  if (picked) bring(picked.pose);
  return true;
}

function withPushed(event, key) {
  const step = event.shiftKey ? 1 : 10;
  if (MOVES[key]) push.by(pushed.x + step * MOVES[key][0], pushed.y + step * MOVES[key][1]);
  else if (key === "enter" || key === " ") { push.end(); tell(say("heard-pushed")); }
  else if (key === "escape") { push.stop(); tell(say("heard-dropped")); }
  else return false;
  return true;
}

function onThing(event, key, node) {
  const number = node.classList.contains("pile") ? world.top : Number(node.dataset.number);
  if (key === "enter") pickUp(number);
  else if (key === "t" && !node.classList.contains("pile")) turn(number, event.shiftKey ? -90 : 90);
  else if (key === "m" && number !== null && push.begin(number)) tell(say("heard-push"));
  else if (key === "x" && number !== null && !node.classList.contains("pile")) { if (take(number, { x: -100, y: -100, turn: 0 })) put(number, "away"); }
  else return false;
  return true;
}

addEventListener("keydown", (event) => {
  if (isLost || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("select, input")) return;
  const key = event.key.toLowerCase();
  const node = event.target.closest(".card, .figure, .pile");
  let isDone = false;
  const isHandled = push.isPushing() || picked;
  if (push.isPushing()) isDone = withPushed(event, key);
  else if (picked) isDone = withPicked(event, key);
  else if (key === "t" && turnHeld(event.shiftKey ? -90 : 90)) isDone = true;
  else if (node) isDone = onThing(event, key, node);
  if (!isDone && !isHandled && BUTTONS[key] && !event.repeat) { press(BUTTONS[key], event.shiftKey); isDone = true; }
  if (!isDone && !isHandled && key === "d" && !event.repeat) { draw(); isDone = true; }
  if (!isDone && view.key(key)) isDone = true;
  if (!isDone && !isHandled && /^[1-9]$/.test(key)) {
    const hand = world.cards.filter((card) => card.place === "hand" && card.owner === viewer);
    if (hand[key - 1]) { nodeOf(hand[key - 1].number)?.focus(); tell(nameOf(hand[key - 1].face)); isDone = true; }
  }
  if (isDone) event.preventDefault();
});

const KEYS = [
  ["R P ↑ ↓ B", "buttons"], ["D", "draw"], ["1–9", "choose"], ["↵", "pick"], ["N", "next"], ["← ↑ → ↓", "move"], ["T", "turn"],
  ["M", "push"], ["S", "show"], ["H", "hand"], ["X", "away"], ["Esc", "escape"], ["+ − 0", "zoom"],
];
const OF_CARDS = ["draw", "choose", "show", "hand"];

function explain() {
  const rows = KEYS.filter(([, name]) => !deck?.cell || !OF_CARDS.includes(name));
  document.getElementById("keys").replaceChildren(...rows.flatMap(([row, name]) => {
    const term = document.createElement("dt"), what = document.createElement("dd");
    term.textContent = row;
    what.textContent = say(`key-${name}`);
    return [term, what];
  }));
}
onLanguage(explain);
