// What stands on the companion's screen, in the reader's size, and its five buttons.
import { on, send } from "/shared/link.js";
import { onLanguage, say, sentences } from "/shared/texts.js";
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
  list.tabIndex = list.scrollHeight > list.clientHeight ? 0 : -1; // else keys could not scroll it
  if (chosen) list.scrollTop = chosen.offsetTop - list.offsetTop - (list.clientHeight - chosen.offsetHeight) / 2;
}

// A line is moved to and chosen by one tap. What was tapped goes along: a tap that comes too late does nothing.
function choice(text, index) {
  const item = document.createElement("li"), { heading } = shown;
  if (!isInside) { item.textContent = text; return item; }
  const button = Object.assign(document.createElement("button"), { textContent: text });
  button.addEventListener("click", () => send("tap", { line: index, text, heading }));
  item.append(button);
  return item;
}

const lines = () => [...byId("choices").querySelectorAll("button")];
let list = ""; // which list it is that stands there

function paintChoices() {
  const focused = lines().indexOf(document.activeElement), before = list;
  list = JSON.stringify([shown.heading, shown.choices, isInside]);
  // The same list stays as it is, under the finger that is on it.
  if (list !== before) byId("choices").replaceChildren(...shown.choices.map(choice));
  [...byId("choices").children].forEach((item, index) => {
    if (index === shown.chosen) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  });
  lines().forEach((button, index) => { button.tabIndex = index === shown.chosen ? 0 : -1; }); // for Tab one stop
  showChosen();
  // The keyboard goes on in the list that has come, or with what there is to press now.
  if (focused >= 0 && list !== before) (lines()[shown.chosen] ?? buttons[0]).focus({ preventScroll: true });
}

byId("choices").addEventListener("keydown", (event) => {
  const all = lines(), at = all.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  all[(to + all.length) % all.length].focus();
});

function paint() {
  if (!shown) return;
  byId("heading").textContent = shown.heading;
  byId("words").textContent = shown.main;
  byId("lines").replaceChildren(...shown.lines.map(paragraph));
  paintChoices();
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
  if (!told.length) { told.push(say(shown.map ? "map" : "dark")); byId("lines").replaceChildren(paragraph(told[0])); }
  const spoken = sentences(told);
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
