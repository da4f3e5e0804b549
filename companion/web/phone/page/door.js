// Coming in: watching is free, who wants to steer types the digits of the companion's screen, and people there say yes.
import { again, on } from "/shared/link.js";
import { onLanguage, say, tell } from "/shared/texts.js";

const ASK = 700; // ms between two questions what came of it
const byId = (id) => document.getElementById(id);
const dialog = byId("door"), says = byId("door-says"), digits = byId("digits");
const listeners = [];
let knock = "";
let state = ""; // what was said last, as a text's key
export let isInside = false;

export const onDoor = (listener) => listeners.push(listener);

on("you", ({ inside }) => {
  isInside = inside;
  byId("ask-in").hidden = inside;
  for (const listener of listeners) listener();
});
const REASONS = { outside: "outside", door: "door-first", behind: "behind" };
on("refused", ({ reason }) => { if (REASONS[reason]) tell(say(REASONS[reason])); });

function show(next) {
  state = next;
  says.textContent = say(`door-${next}`);
  byId("digits-line").hidden = byId("door-send").hidden = !["digits", "wrong"].includes(next);
}
onLanguage(() => { if (state) show(state); });

// What this browser is called in the list of those that were let in.
function ownName() {
  const known = /iPhone|iPad|Android|Windows|Macintosh|Linux/.exec(navigator.userAgent)?.[0] ?? "";
  const browser = /Firefox|Edg|Chrome|Safari/.exec(navigator.userAgent)?.[0] ?? "";
  return `${known} ${browser}`.trim();
}

async function ask(path, body) {
  const answer = await fetch(`/phone/${path}`, { method: "POST", body: JSON.stringify(body) }).catch(() => null);
  if (!answer) return { answer: "lost" };
  return answer.headers.get("content-type")?.includes("json") ? answer.json() : { answer: "kept-nothing" };
}

byId("come-in").addEventListener("click", async () => {
  digits.value = "";
  const told = await ask("knock", { name: ownName() });
  knock = told.knock ?? "";
  show(knock ? "digits" : told.answer);
  dialog.showModal();
  if (knock) { digits.focus(); wait(knock); }
});
byId("door-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("close", () => { knock = ""; });

async function send() {
  const told = await ask("digits", { knock, digits: digits.value.replaceAll(" ", ""), name: ownName() });
  hear(told.answer);
}
byId("door-send").addEventListener("click", send);
digits.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); send(); } });

function hear(answer) {
  if (answer === "wrong") { digits.select(); show("wrong"); return; }
  if (answer === "digits") return;
  show(answer);
  if (answer === "come-in") {
    knock = "";
    setTimeout(() => dialog.close(), 1200);
    again(); // from now on this line is one of somebody who was let in
  } else if (answer !== "people") knock = "";
}

// People may say no, or nothing, before anything is typed.
async function wait(mine) {
  while (knock === mine && dialog.open) {
    await new Promise((done) => setTimeout(done, ASK));
    if (knock !== mine) return;
    const told = await ask("digits", { knock, name: ownName() });
    if (knock === mine && told.answer !== "lost") hear(told.answer);
  }
}
