// Aiming: the live picture with what is seen drawn on it, and the one thing that is to be done next, in words.
import { on, send } from "/shared/link.js";
import { onLanguage, say } from "/shared/texts.js";
import { isInside, onDoor } from "./door.js";
import { exchange } from "./focus.js";
import { watch } from "./view.js";

const byId = (id) => document.getElementById(id);
let facts = {};

const look = watch(byId("aim-view"), { isSeen: () => facts.room === "aiming" && !byId("place-aim").hidden, told });

function told(isThere) {
  byId("aim-seen").hidden = !isThere;
  return measure();
}

async function measure() {
  const answer = await fetch("/phone/aim.json").catch(() => null);
  const { sharpness } = answer?.ok ? await answer.json() : {};
  byId("aim-meter").hidden = !sharpness?.best_known;
  if (!sharpness?.best_known) return;
  byId("sharpness").value = sharpness.percent;
  byId("sharpness").setAttribute("aria-valuetext", say("aim-sharp", { percent: sharpness.percent }));
}

function paint() {
  const isAiming = facts.room === "aiming";
  byId("aim-begin").hidden = !isInside;
  byId("aim-begin").disabled = facts.room !== "lobby";
  byId("aim-hint").textContent = !isInside ? say("teach-come-in") : facts.room !== "lobby" ? say("teach-leave") : "";
  byId("aim-view").alt = say("camera");
  if (isAiming) exchange(byId("aim-outside"), byId("aim-inside"), byId("screen"));
  else exchange(byId("aim-inside"), byId("aim-outside"), byId("aim-begin"));
  if (!isAiming) return;
  look();
}

on("facts", (message) => { ({ facts } = message); paint(); });
onDoor(paint);
onLanguage(paint);
byId("place-aim").addEventListener("seen", look);
byId("aim-begin").addEventListener("click", () => send("open", { line: "aim" }));
