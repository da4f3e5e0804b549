// What is asked about past games, and how they are called.
import { locale, say } from "/shared/texts.js";

export async function ask(path) {
  const answer = await fetch(`/phone/evenings/${path}`).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

// The time that clocks showed where the game was played.
export function when(date) {
  const time = new Date(date.slice(0, 19));
  return Number.isNaN(time.getTime()) ? date : time.toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

export function where({ place: at, round, table }) {
  const told = [at, round && say("evenings-round", { round }), table && say("evenings-table", { table })];
  return told.filter(Boolean).join(" · ");
}

export function title(game) {
  const named = game.name === "now" ? say("evenings-now") : "";
  return [named, game.date ? when(game.date) : ""].filter(Boolean).join(" · ") || (/^\d/.test(game.name) ? say("evenings-no-date", { number: parseInt(game.name, 10) }) : "");
}
