// While the table does not answer: a veil over all of the page says so, and nothing can be done.
import { on } from "/shared/link.js";
import { onWorld } from "./table.js";
import { say } from "/shared/texts.js";

const veiled = document.querySelectorAll("header, main");
export let isLost = false;
let before = null;

function veil(isUp) {
  if (isUp === isLost) return;
  isLost = isUp;
  if (isUp) {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close("cancel");
    before = document.activeElement;
  }
  for (const part of veiled) part.inert = isUp;
  document.body.classList.toggle("lost", isUp);
  document.getElementById("lost").textContent = isUp ? say("lost") : "";
  if (!isUp) before.focus();
}

export const lose = () => veil(true);
on("closed", lose);
onWorld(({ ready, failure }) => { if (ready || failure) veil(false); });
