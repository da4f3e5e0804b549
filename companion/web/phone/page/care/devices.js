// What the doctor says of the devices, and what can be tried while the companion runs.
import { say } from "/shared/texts.js";
import { whileBusy } from "../focus.js";
import { ask, element } from "./asking.js";

const AGAIN = 400; // ms between two questions what has been pressed
const byId = (id) => document.getElementById(id);
const said = byId("care-devices-said"), tried = byId("care-tried");
const BUTTONS = ["roll", "pass", "up", "down", "back"];
let isTrying = false;

byId("care-examine").addEventListener("click", async ({ target }) => {
  said.textContent = say("care-examining");
  let told = {};
  await whileBusy(target, async () => { told = await ask(`findings/${document.documentElement.lang}.json`); });
  const findings = told.findings ?? [];
  const bad = findings.filter(({ verdict }) => verdict === "bad").length;
  said.textContent = told.refused ?? (bad ? say("care-to-mend", { count: bad }) : say("care-all-good"));
  byId("care-findings").replaceChildren(...findings.map(({ part, verdict, word, says }) => {
    const row = document.createElement("li");
    row.dataset.verdict = verdict;
    row.append(element("strong", `${part}: ${word}`), element("span", says));
    return row;
  }));
});

function paint(pressed) {
  tried.replaceChildren(...BUTTONS.map((button) => {
    const isSeen = pressed.includes(button);
    const name = say(`button-${button}`);
    return element("li", isSeen ? `${name} ✓` : name, { className: isSeen ? "seen" : "" });
  }));
}

byId("care-try").addEventListener("click", async () => {
  if (isTrying) return;
  let told = await ask("trial", {});
  said.textContent = told.refused ?? say("care-trying");
  if (told.refused) return;
  isTrying = true;
  tried.hidden = false;
  let pressed = [];
  while (told.on) {
    ({ pressed } = told);
    paint(pressed);
    await new Promise((done) => setTimeout(done, AGAIN));
    const next = await ask("trial");
    told = next.refused ? { on: false } : next;
  }
  isTrying = false;
  const missing = BUTTONS.filter((button) => !pressed.includes(button)).map((button) => say(`button-${button}`));
  said.textContent = missing.length ? say("care-not-pressed", { buttons: missing.join(", ") }) : say("care-tried-all");
});

byId("care-look").addEventListener("click", async () => {
  const answer = await fetch("/phone/camera.jpg").catch(() => null);
  const view = byId("care-view"), isThere = answer?.status === 200;
  said.textContent = isThere ? "" : say("no-view");
  view.hidden = !isThere;
  if (!isThere) return;
  if (view.src.startsWith("blob:")) URL.revokeObjectURL(view.src);
  view.src = URL.createObjectURL(await answer.blob());
  view.alt = say("camera");
});
