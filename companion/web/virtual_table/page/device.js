// The device beside the table: the dots that its screen's driver has written, and five buttons.
import { on, send } from "/shared/link.js";
import { sentences } from "/shared/texts.js";

const HOLD = 800; // ms a button is down until it counts as held
const canvas = document.getElementById("oled");
const paper = canvas.getContext("2d");
const said = document.getElementById("said");

let shown = null;

// Every dot gets the same whole number of the display's pixels, with a hair of dark between them. The glass has its
// size before there is anything to show: what lies below it on a phone must not move away from under a finger.
function paint() {
  const sharp = devicePixelRatio || 1;
  const glass = getComputedStyle(canvas.parentElement);
  const room = canvas.parentElement.clientWidth - parseFloat(glass.paddingLeft) - parseFloat(glass.paddingRight);
  const dot = Math.max(1, Math.floor((room * sharp) / 128));
  if (canvas.width !== 128 * dot) [canvas.width, canvas.height] = [128 * dot, 64 * dot];
  canvas.style.width = `${(128 * dot) / sharp}px`;
  if (!shown) return;
  const bytes = Uint8Array.from(atob(shown.dots), (letter) => letter.charCodeAt(0));
  paper.clearRect(0, 0, canvas.width, canvas.height);
  const light = 0.55 + (0.45 * Math.min(shown.contrast, 160)) / 160;
  const gap = dot >= 5 ? 1 : dot >= 3 ? 0.5 : 0;
  paper.fillStyle = `rgb(${205 * light} ${238 * light} ${255 * light})`;
  paper.beginPath();
  for (let y = 0; y < 64; y++) {
    for (let x = 0; x < 128; x++) {
      if (bytes[16 * y + (x >> 3)] & (0x80 >> (x & 7))) paper.rect(x * dot, y * dot, dot - gap, dot - gap);
    }
  }
  paper.fill();
  canvas.dataset.painted = Number(canvas.dataset.painted ?? 0) + 1;
}

on("screen", (message) => { shown = message; paint(); });
new ResizeObserver(paint).observe(canvas.parentElement);

on("said", ({ text, alert }) => {
  const told = sentences(text);
  if (said.textContent !== told) said.textContent = told;
  canvas.classList.toggle("alert", alert);
});

export function press(button, held = false) {
  send("press", { button, held });
  const node = document.querySelector(`[data-button=${button}]`);
  node.classList.add("pressed");
  setTimeout(() => node.classList.remove("pressed"), held ? 500 : 160);
}

for (const node of document.querySelectorAll("[data-button]")) {
  const button = node.dataset.button;
  let timer = null;
  const down = () => {
    node.classList.add("down");
    timer = setTimeout(() => { timer = null; node.classList.remove("down"); press(button, true); }, HOLD);
  };
  const up = (counts) => {
    node.classList.remove("down");
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    if (counts) press(button);
  };
  node.addEventListener("pointerdown", (event) => { if (event.button === 0) { node.setPointerCapture(event.pointerId); down(); } });
  node.addEventListener("pointerup", () => up(true));
  node.addEventListener("pointercancel", () => up(false));
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  // Enter and space on the button itself, and what screen readers send.
  node.addEventListener("click", (event) => { if (event.detail === 0) press(button, event.shiftKey); });
}
