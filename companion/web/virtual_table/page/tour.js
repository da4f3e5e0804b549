// Start here: six steps through the table, for somebody who sits down for the first time.
import { on } from "/shared/link.js";
import { deck } from "./table.js";
import { onLanguage, say } from "/shared/texts.js";

const STEPS = [
  ["#table", "table"], ["#glass", "screen"], ["#buttons", "buttons"], ["#strip", "hand"], ["#shed", "emma"], ["#robot-panel", "more"],
];
const bubble = document.getElementById("tour");
const byId = (id) => document.getElementById(id);
let steps = STEPS;
let step = -1;
let before = null;

function show(next) {
  document.querySelector(".toured")?.classList.remove("toured");
  step = next;
  bubble.hidden = step < 0 || step >= steps.length;
  if (bubble.hidden) {
    step = -1;
    before?.focus();
    return;
  }
  const [where, key] = steps[step];
  const node = document.querySelector(where);
  byId("tour-count").textContent = say("tour-count", { number: step + 1, count: steps.length });
  byId("tour-title").textContent = say(`tour-${key}-title`);
  byId("tour-text").textContent = say(`tour-${key}`);
  byId("tour-next").textContent = say(step === steps.length - 1 ? "tour-done" : "tour-next");
  node.classList.add("toured");
  node.scrollIntoView({ block: "nearest" });
  place(node);
  byId("tour-next").focus({ preventScroll: true });
}

function place(node) {
  const box = node.getBoundingClientRect(), own = bubble.getBoundingClientRect();
  const isBeside = box.left - own.width - 20 > 0 && box.width < innerWidth / 2;
  const isLarge = box.width > innerWidth / 2 && box.height > innerHeight / 2;
  const left = isLarge ? box.left + 20 : isBeside ? box.left - own.width - 16 : box.left + box.width / 2 - own.width / 2;
  const isRoomBelow = box.bottom + own.height + 20 < innerHeight;
  const isRoomAbove = box.top - own.height - 20 > 0;
  const top = isLarge ? box.top + 20 : isBeside ? box.top : isRoomBelow ? box.bottom + 12 : isRoomAbove ? box.top - own.height - 12 : box.top + box.height / 2 - own.height / 2;
  bubble.style.left = `${Math.max(8, Math.min(left, innerWidth - own.width - 8))}px`;
  bubble.style.top = `${Math.max(8, Math.min(top, innerHeight - own.height - 8))}px`;
}

byId("start-here").addEventListener("click", () => {
  before = byId("start-here");
  steps = STEPS.filter(([, key]) => key !== "hand" || !deck.cell);
  show(0);
});
byId("tour-next").addEventListener("click", () => show(step + 1));
byId("tour-end").addEventListener("click", () => show(-1));
bubble.addEventListener("keydown", (event) => {
  if (event.key === "Escape") show(-1);
  if (event.key !== "Tab") event.stopPropagation();
});
onLanguage(() => { if (step >= 0) show(step); });
on("closed", () => { if (step >= 0) show(-1); });
