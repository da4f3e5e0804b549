// What the cards of the game that is played are called: screen readers say it, where others see a picture.
import { on } from "/shared/link.js";
import { say } from "/shared/texts.js";

let faces = {};
let room = "";
const listeners = [];

export const onFaces = (listener) => listeners.push(listener);

// A card that nobody knows yet has no name rather than that of a program.
export function nameOf(id) {
  if (!(id in faces)) return "";
  const { value, kind, rails, aside } = faces[id];
  const way = say(`correct-rails-${rails}`);
  return say(`correct-face-${kind}`, { value, rails: aside ? say("correct-aside", { rails: way }) : way });
}

export async function load() {
  const answer = await fetch("/phone/faces.json").catch(() => null);
  if (!answer?.ok) return;
  ({ faces } = await answer.json());
  for (const listener of listeners) listener();
}

// Between two games the deck may become another one.
on("facts", ({ facts }) => {
  const before = room;
  ({ room = "" } = facts);
  if (room === "game" && before !== room) load();
});
