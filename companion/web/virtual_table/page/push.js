// Pushing the whole railway: Shift and drag, the tool beside a chosen card, or the key M with the arrows.
import { cardAt, joined } from "./joints.js";
import { on, send } from "/shared/link.js";
import { deck, heldByOthers, isFigure, lying, placeOf, pushed, render, world } from "./table.js";

const tool = document.getElementById("push");
let isSent = false;

export const isPushing = () => pushed.numbers.size > 0 && !isSent;
export const isToolOn = () => tool.getAttribute("aria-pressed") === "true";
export const setTool = (isOn) => tool.setAttribute("aria-pressed", isOn);
tool.addEventListener("click", () => setTool(!isToolOn()));

// Takes hold of all cards that lie side by side with one, and of the figures on them.
export function begin(number) {
  const place = placeOf(number);
  const card = isFigure(number) ? place && cardAt(place, lying(), deck.card) : place;
  if (!card || pushed.numbers.size) return false;
  const cards = joined(card, lying(), deck);
  if (cards.some((each) => heldByOthers(each.number))) return false;
  pushed.numbers = new Set(cards.map((each) => each.number));
  for (const { number: figure, at } of world.figures) {
    const under = at && cardAt(at, lying(), deck.card);
    if (under && pushed.numbers.has(under.number)) pushed.numbers.add(figure);
  }
  [pushed.x, pushed.y, isSent] = [0, 0, false];
  render();
  return true;
}

export function by(x, y) {
  [pushed.x, pushed.y] = [x, y];
  render();
}

// Leaves the cards there; until the table has answered they are drawn there.
export function end() {
  const numbers = [...pushed.numbers].filter((each) => !isFigure(each));
  const round = (mm) => Math.round(mm * 10) / 10;
  setTool(false);
  if ((!pushed.x && !pushed.y) || !send("push", { numbers, x: round(pushed.x), y: round(pushed.y) })) stop();
  else isSent = true;
}

export function stop() {
  [pushed.numbers, pushed.x, pushed.y, isSent] = [new Set(), 0, 0, false];
  render();
}

on("world", () => isSent && stop());
on("refused", () => isSent && stop());
on("closed", () => pushed.numbers.size && stop());
