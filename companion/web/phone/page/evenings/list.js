// Evenings: the games that were played, dice and curves over all of them, and games that are given away and taken in.
import { language, onLanguage, say } from "/shared/texts.js";
import { isInside, onDoor } from "../door.js";
import { isLost } from "../focus.js";
import { drawCurves, drawDice } from "./charts.js";
import { ask, title, where } from "./games.js";
import { showGame } from "./replay.js";

const AGAIN = 2000; // ms after which the list is asked for anew while games are learnt
const byId = (id) => document.getElementById(id);
const place = byId("place-evenings");
let games = [];
let count = 0;
let unknown = 0;
let isLearning = false;
let wasSeen = false;
let seen = ""; // which game

const element = (kind, text, name = "") => Object.assign(document.createElement(kind), { textContent: text, className: name });
const isSeen = () => !place.hidden && !document.hidden && !byId("all-games").hidden;

function outcome(game) {
  if (game.trouble) return game.trouble;
  if (!game.is_known) return say("evenings-unknown");
  const players = game.players.map((name, seat) => (game.points.length ? `${name} ${game.points[seat]}` : name)).join(" · ");
  const end = game.is_over ? game.winners.length > 0 && game.players.length > 1 && say("evenings-won", { names: game.winners.join(", ") }) : say("evenings-open");
  return [players, end].filter(Boolean).join(" – ");
}

function row(game) {
  const link = element("a", "");
  link.href = `#evenings/${game.name}`;
  link.append(element("strong", title(game)));
  for (const [text, name] of [[where(game), "note"], [outcome(game), ""], [game.kind, "note"]]) if (text) link.append(element("span", text, name));
  const item = element("li", "");
  item.append(link);
  return item;
}

function paint() {
  const focused = document.activeElement?.getAttribute("href");
  byId("games").replaceChildren(...games.map(row));
  // Who goes through the list with the keyboard stays where they were.
  if (focused?.startsWith("#evenings/")) byId("games").querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  byId("games-more").hidden = games.length >= count;
  const told = count ? say("evenings-count", { count }) : say("evenings-none");
  byId("games-count").textContent = unknown ? `${told} ${say("evenings-learning", { count: unknown })}` : told;
}

// What is listed already is asked for once more, and so many more.
async function list(most) {
  const found = [], wanted = language;
  do {
    const part = await ask(`list/${wanted}.json?from=${found.length}`);
    if (!part || wanted !== language) return;
    ({ count, unknown } = part);
    if (!part.games.length) break;
    found.push(...part.games);
  } while (found.length < Math.min(most, count));
  games = found;
  paint();
}

async function overall() {
  const [dice, curves] = await Promise.all([ask(`dice/${language}.json`), ask(`curves/${language}.json`)]);
  byId("dice-part").hidden = !dice?.dice.length;
  drawDice(byId("all-dice"), dice?.dice ?? []);
  byId("curves-part").hidden = !curves?.curves.length;
  drawCurves(byId("curves"), curves?.curves ?? []);
}

// Games are learnt one after the other while somebody looks at the list; while one is played, rarely.
async function learn() {
  if (isLearning) return;
  isLearning = true;
  let painted = Date.now();
  while (unknown && isSeen()) {
    const answer = await fetch("/phone/evenings/learn", { method: "POST" }).catch(() => null);
    if (!answer?.ok) break;
    const told = await answer.json();
    if (!told.unknown || Date.now() - painted > AGAIN) {
      await list(games.length);
      if (!told.unknown) await overall();
      painted = Date.now();
    }
    await new Promise((done) => setTimeout(done, told.rest * 1000));
  }
  isLearning = false;
}

async function look() {
  if (place.hidden) return;
  const name = decodeURIComponent(location.hash.slice(1).split("/")[1] ?? "");
  byId("all-games").hidden = name !== "";
  if (name) { seen = name; showGame(name, games.find((game) => game.name === name)); return; }
  showGame("");
  await list(Math.max(1, games.length));
  // Back from a game: on with the list where they were.
  if (seen && isLost()) byId("games").querySelector(`[href="#evenings/${CSS.escape(seen)}"]`)?.focus();
  seen = "";
  await overall();
  learn();
}

place.addEventListener("seen", () => { wasSeen = true; look(); });
document.addEventListener("visibilitychange", () => { if (isSeen()) learn(); });
// Where there is room all of it is open.
if (matchMedia("(min-width: 52em)").matches) for (const part of byId("of-all").children) part.open = true;

onLanguage(() => { games = []; if (wasSeen) look(); });
addEventListener("hashchange", () => { if (!location.hash.startsWith("#evenings")) showGame(""); });
byId("games-more").addEventListener("click", () => list(games.length + 1));

// Given away and taken in

onDoor(() => {
  byId("exchange").hidden = !isInside;
  byId("outside").hidden = isInside;
});

byId("game-file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  byId("taken-in").textContent = say("evenings-taking-in");
  const answer = await fetch(`/phone/evenings/take-in/${language}`, { method: "POST", body: file }).catch(() => null);
  target.value = "";
  const told = answer?.headers.get("content-type")?.includes("json") ? await answer.json() : null;
  byId("taken-in").textContent = answer?.ok ? say("evenings-taken-in") : told?.why ?? say(answer?.status === 403 ? "outside" : "lost");
  if (answer?.ok) { await list(games.length); overall(); }
});
