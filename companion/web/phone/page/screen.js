// What stands on the companion's screen, in the reader's size, and its five buttons.
import { on, send } from "/shared/link.js";
import { onLanguage, say } from "/shared/texts.js";
import { isInside, onDoor } from "./door.js";

const HOLD = 800; // ms a button is down until it counts as held
const byId = (id) => document.getElementById(id);
const buttons = [...document.querySelectorAll("[data-button]")];
let shown = null;

const paragraph = (text) => Object.assign(document.createElement("p"), { textContent: text });

// A wheel die shows wheels; another one its number.
export function die(value, sides, isHeld) {
  const node = document.createElement("span");
  node.className = isHeld ? "die held" : "die";
  node.textContent = sides ? value : "●".repeat(value);
  return node;
}

// A long list is scrolled to its chosen line; the page stays where it is.
function showChosen() {
  const list = byId("choices"), chosen = list.querySelector("[aria-current]");
  if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
}

function paint() {
  if (!shown) return;
  byId("heading").textContent = shown.heading;
  byId("words").textContent = shown.main;
  byId("lines").replaceChildren(...shown.lines.map(paragraph));
  byId("choices").replaceChildren(...shown.choices.map((text, index) => {
    const item = Object.assign(document.createElement("li"), { textContent: text });
    if (index === shown.chosen) item.setAttribute("aria-current", "true");
    return item;
  }));
  showChosen();
  byId("screen").classList.toggle("alert", shown.alert);
  const dice = shown.tumbling ? [] : shown.dice;
  byId("dice").replaceChildren(...dice.map((value, index) => die(value, shown.sides[index] ?? 0, shown.held.includes(index))));
  byId("dice").hidden = !dice.length;
  byId("dice").setAttribute("aria-label", dice.length ? say("dice", { dice: dice.join(", ") }) : "");
  buttons.forEach((node, index) => {
    const key = shown.keys[index];
    const name = say(`button-${node.dataset.button}`);
    node.textContent = key || name;
    node.classList.toggle("idle", !key);
    node.setAttribute("aria-label", key ? `${name}: ${key}` : name);
    node.disabled = !isInside;
  });
  const told = [shown.heading, shown.main, ...shown.lines, ...shown.choices.slice(shown.chosen, shown.chosen + 1)].filter(Boolean);
  // While somebody comes in the screen is for those who sit before it.
  if (!told.length) { told.push(say("dark")); byId("lines").replaceChildren(paragraph(told[0])); }
  const spoken = told.map((text) => (/[.?!…]$/.test(text) ? text : `${text}.`)).join(" ");
  if (byId("spoken").textContent !== spoken) byId("spoken").textContent = spoken;
}

on("screen", ({ screen }) => { shown = screen; paint(); byId("screen").dispatchEvent(new CustomEvent("told", { detail: byId("spoken").textContent })); });
onDoor(paint);
onLanguage(paint);

// Screen and buttons are there once, and move to the place that is seen.
for (const home of document.querySelectorAll(".screen-place")) {
  home.closest("section").addEventListener("seen", () => { home.append(byId("screen")); showChosen(); });
}

for (const node of buttons) {
  const button = node.dataset.button;
  let timer = null;
  const down = () => {
    node.classList.add("down");
    timer = setTimeout(() => { timer = null; node.classList.remove("down"); send("press", { button, held: true }); }, HOLD);
  };
  const up = (counts) => {
    node.classList.remove("down");
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    if (counts) send("press", { button });
  };
  node.addEventListener("pointerdown", (event) => { if (event.button === 0 && !node.disabled) { node.setPointerCapture(event.pointerId); down(); } });
  node.addEventListener("pointerup", () => up(true));
  node.addEventListener("pointercancel", () => up(false));
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  // Enter and space on the button itself, and what screen readers send.
  node.addEventListener("click", (event) => { if (event.detail === 0) send("press", { button, held: event.shiftKey }); });
}
