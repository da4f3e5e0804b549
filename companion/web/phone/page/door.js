// Coming in: watching is free, who wants to steer types the digits of the companion's screen, and people there say yes.
import { again, on } from "/shared/link.js";
import { onLanguage, remember, remembered, say, tell } from "/shared/texts.js";
import { toThePlace } from "./focus.js";

const ASK = 700; // ms between two questions what came of it
const byId = (id) => document.getElementById(id);
const dialog = byId("door"), says = byId("door-says"), digits = byId("digits");
const elsewhere = document.querySelectorAll("[data-comes-in]"); // buttons that ask to come in, on other places
const listeners = [];
let knock = "";
let state = ""; // what was said last, as a text's key
export let isInside = false;

export const onDoor = (listener) => listeners.push(listener);

on("you", ({ inside }) => {
  isInside = inside;
  byId("ask-in").hidden = inside;
  for (const button of elsewhere) button.hidden = inside;
  for (const listener of listeners) listener();
});
const REASONS = { outside: "outside", door: "door-first", behind: "behind" };
on("refused", ({ reason }) => { if (REASONS[reason]) tell(say(REASONS[reason])); });

function show(next) {
  state = next;
  says.textContent = say(`door-${next}`);
  const isAsked = ["digits", "wrong"].includes(next);
  byId("digits-line").hidden = byId("door-send").hidden = !isAsked;
  byId("door-close").textContent = say(isAsked || next === "people" ? "cancel" : "close");
  if (!isAsked && dialog.open) byId("door-close").focus(); // what had the focus is hidden now
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

// Who has closed the page before it was answered goes on with the same digits.
async function begin() {
  knock = remembered("knock") ?? "";
  const known = knock && await ask("digits", { knock, name: ownName() });
  if (known && known.answer !== "gone") return known.answer;
  const told = await ask("knock", { name: ownName() });
  knock = told.knock ?? "";
  remember("knock", knock);
  return knock ? "digits" : told.answer;
}

byId("come-in").addEventListener("click", async ({ currentTarget: button }) => {
  button.disabled = true; // a second tap would be another phone that asks
  digits.value = "";
  const answer = await begin();
  button.disabled = false;
  button.focus();
  dialog.showModal();
  if (answer === "digits") show(answer);
  else hear(answer);
  if (answer === "digits") digits.focus();
  if (knock) wait(knock);
});
for (const button of elsewhere) button.addEventListener("click", () => byId("come-in").click());
byId("door-close").addEventListener("click", () => dialog.close());
// Nobody else has to wait, at the companion's screen or with another phone, for who comes in no more.
dialog.addEventListener("close", () => {
  setTimeout(toThePlace); // what opened it may be gone now
  if (!knock) return;
  ask("withdraw", { knock });
  remember("knock", "");
  knock = "";
});

async function send() {
  const typed = digits.value.replaceAll(" ", "");
  if (!/^[0-9]{6}$/.test(typed)) { hear("wrong"); return; } // tries are few: this would be one
  const told = await ask("digits", { knock, digits: typed, name: ownName() });
  hear(told.answer);
}
byId("door-send").addEventListener("click", send);
digits.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); send(); } });

function hear(answer) {
  if (answer === "wrong") { show("wrong"); digits.select(); return; }
  if (answer === "digits") return;
  show(answer);
  if (["come-in", "no", "gone"].includes(answer)) remember("knock", "");
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
