// Looking after the companion: its parts are told when they are opened, and only to those that were let in.
import { again } from "/shared/link.js";
import { onLanguage, say, tell } from "/shared/texts.js";
import { isInside, onDoor } from "../door.js";
import { ask, element, sure } from "./asking.js";
import "./devices.js";
import { loadDeck, loadSaved, loadVersion } from "./files.js";
import { load as loadSettings } from "./settings.js";

const byId = (id) => document.getElementById(id);
const place = byId("place-care"), said = byId("care-phones-said");

let isLeaving = false; // this phone has just been sent away by its own owner

async function loadPhones() {
  const answer = await fetch("/phone/keys").catch(() => null);
  if (!answer?.ok) return;
  const { keys } = await answer.json();
  byId("care-phones-list").replaceChildren(...keys.map(({ id, name, me }) => {
    const row = document.createElement("li");
    const called = name || say("care-no-name");
    const button = element("button", say("care-send-away"), { className: "quiet outlined", onclick: () => sendAway(id, called, me) });
    button.setAttribute("aria-label", say("care-send-away-whom", { name: called }));
    row.append(element("span", me ? say("care-this-one", { name: called }) : called), button);
    return row;
  }));
}

async function sendAway(id, name, isMine) {
  if (isMine && !await sure(say("care-send-me-away"), say("care-send-away"))) return;
  const answer = await fetch("/phone/revoke", { method: "POST", body: JSON.stringify({ id }) }).catch(() => null);
  if (answer?.ok && isMine) {
    isLeaving = true;
    again(); // from now on this line is one of somebody who only watches
    return;
  }
  said.textContent = answer?.ok ? say("care-sent-away", { name }) : say("care-lost");
  await loadPhones();
  byId("care-phones").querySelector("summary").focus();
}

async function loadLog() {
  const { lines = [] } = await ask("log");
  byId("care-log-lines").value = lines.length ? lines.join("\n") : say("care-log-empty");
}

byId("care-copy").addEventListener("click", async () => {
  const lines = byId("care-log-lines");
  lines.select();
  // Browsers give a page the clipboard only over a line that is encrypted; what is selected they copy.
  const isCopied = document.execCommand("copy");
  byId("care-log-said").textContent = isCopied ? say("care-copied") : say("care-copy-yourself");
});
byId("care-log-again").addEventListener("click", loadLog);

const loads = {
  "care-phones": loadPhones, "care-settings": loadSettings, "care-saved": loadSaved,
  "care-deck": loadDeck, "care-version": loadVersion, "care-log": loadLog,
};

function refresh() {
  byId("care-inside").hidden = !isInside;
  byId("care-outside").hidden = isInside;
  if (isLeaving && !isInside) {
    isLeaving = false;
    said.textContent = "";
    // What had the focus is gone: it goes to the way back in, and what has come of it is said there.
    if (!place.hidden) byId("care-outside").querySelector("[data-comes-in]").focus();
    tell(say("care-sent-me-away"));
  }
  if (!isInside || place.hidden) return;
  for (const [id, load] of Object.entries(loads)) if (byId(id).open) load();
}

for (const [id, load] of Object.entries(loads)) byId(id).addEventListener("toggle", () => { if (byId(id).open && isInside) load(); });
place.addEventListener("seen", refresh);
onDoor(refresh);
onLanguage(refresh);
refresh();
