// What a game draws itself of all that lies and stands on the table, and what people call it.
import { on } from "/shared/link.js";
import { language, onLanguage } from "/shared/texts.js";

let names = {};
let played = "";
const listeners = [];

export const onCalled = (listener) => listeners.push(listener);
export const called = (name) => names[name] ?? "";
export const inWords = (all) => all.map(called).filter(Boolean).join(", ");
export const drawn = (name) => `/phone/drawings/${encodeURIComponent(name)}.svg`;

// Figures side by side; the first one of a train looks away from the others.
export function row(all, { isTrain = false, href = drawn } = {}) {
  const node = document.createElement("span");
  node.className = isTrain ? "figures train" : "figures";
  if (inWords(all)) {
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", inWords(all));
  }
  node.append(...all.map((name) => Object.assign(new Image(), { src: href(name), alt: "" })));
  return node;
}

async function load() {
  const wanted = `${language} ${played}`;
  const answer = played && await fetch(`/phone/called/${language}.json`).catch(() => null);
  if (!answer?.ok || wanted !== `${language} ${played}`) return;
  names = await answer.json();
  for (const listener of listeners) listener();
}

on("facts", ({ facts }) => {
  const before = played;
  played = facts.room === "game" ? `${facts.game} ${facts.kind}` : "";
  if (played !== before) load();
});
onLanguage(load);
