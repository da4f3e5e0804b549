// A past game moment by moment: a slider, a clock that runs as the game did or faster, the table, and what was told.
import { language, say } from "/shared/texts.js";
import { paintStanding } from "../watch/standing.js";
import { draw } from "../watch/watch.js";
import { drawDice } from "./charts.js";
import { ask, title, when, where } from "./games.js";

const STEADY = 1; // seconds for a moment of which the record does not say when it was
const SPEEDS = [1, 4, 16];
const BEFORE = 40; // moments before this one that can be read
const byId = (id) => document.getElementById(id);
const slider = byId("moment"), railway = byId("replay-railway"), story = byId("story");
const element = (kind, text, name = "") => Object.assign(document.createElement(kind), { textContent: text, className: name });
let shown = ""; // which game, and in which language
let game = null;
let moments = [];
let times = []; // when each of them was, in seconds of play
let isTimed = false;
let hasRails = false; // whether it was told where cards lay
let clock = 0;
let speed = SPEEDS[0];
let runs = null; // the time of the last picture while it runs
let faces = new Map(); // the drawings of the record's own cards and figures: where they are, and width and height in mm
const NO_DRAWING = { href: "data:,", size: [63, 88] };

const path = (rest) => `/phone/evenings/games/${encodeURIComponent(game.name)}/${rest}`;
const now = () => Number(slider.value);
const clockTime = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function paint() {
  const { lines, table } = moments[now()];
  const { cards = [], figures = [], points = [], active } = table;
  railway.toggleAttribute("hidden", !cards.length);
  byId("replay-none").hidden = cards.length > 0;
  byId("replay-none").textContent = say(hasRails ? "no-railway" : "evenings-no-rails");
  const { size } = faces.get(cards.find(({ face }) => faces.has(face))?.face) ?? NO_DRAWING;
  const look = ({ face, name, size: own }) => ({ ...NO_DRAWING, size, ...faces.get(face ?? name), isCard: !name && !own });
  if (cards.length) draw(railway, cards, figures, look);
  railway.setAttribute("aria-label", cards.length > 1 ? say("railway-told", { count: cards.length }) : say("railway"));
  slider.setAttribute("aria-valuetext", say("evenings-moment-told", { number: now() + 1, count: moments.length, text: lines.map(([, text]) => text).join(" ") }));
  const seats = Math.max(game.players.length, points.length);
  const players = [...Array(seats).keys()].map((seat) => game.players[seat] ?? say("evenings-seat", { number: seat + 1 }));
  const hrefOf = (name) => (faces.get(name) ?? NO_DRAWING).href;
  byId("standing").hidden = !paintStanding(byId("standing"), { ...table, players, points, active }, hrefOf);
  story.replaceChildren(...moments.slice(Math.max(0, now() - BEFORE), now() + 1).flatMap((moment, index, all) => moment.lines.map(([tone, text]) => {
    const line = element("p", text, tone);
    if (index === all.length - 1) line.setAttribute("aria-current", "step");
    return line;
  })));
  story.scrollTop = story.scrollHeight;
  byId("save-moment").hidden = !cards.length;
  byId("save-moment").href = path(`picture.svg?moment=${now()}`);
  tick();
}

function tick() {
  byId("clock").textContent = isTimed ? clockTime(clock) : `${now() + 1}/${moments.length}`;
  byId("play").textContent = say(runs === null ? "evenings-play" : "evenings-pause");
}

function stop() {
  runs = null;
  if (moments.length) tick();
}

function run(time) {
  if (runs === null) return;
  clock += ((time - runs) / 1000) * speed;
  runs = time;
  let at = now();
  while (at + 1 < times.length && times[at + 1] <= clock) at += 1;
  if (at === now()) tick();
  else { slider.value = at; paint(); }
  if (at + 1 < times.length) requestAnimationFrame(run);
  else stop();
}

byId("play").addEventListener("click", () => {
  if (runs !== null) { stop(); return; }
  if (now() === moments.length - 1) { slider.value = 0; paint(); }
  clock = times[now()];
  runs = performance.now();
  tick();
  requestAnimationFrame(run);
});
slider.addEventListener("input", () => { clock = times[now()]; paint(); });

function paintSpeeds() {
  byId("speeds").replaceChildren(...SPEEDS.map((each) => {
    const label = element("label", ""), input = Object.assign(document.createElement("input"), { type: "radio", name: "speed", value: each, checked: each === speed });
    input.addEventListener("change", () => { speed = each; });
    label.append(input, `${each}×`);
    return label;
  }));
}

// Drawings of the record's own cards and figures, one after the other; as large as they say themselves.
async function fetchFaces(mine) {
  const used = new Set(moments.flatMap(({ table: { cards = [], figures = [] } }) => [...cards.map(({ face }) => face), ...figures.map(({ name }) => name)]));
  for (const face of used) {
    const answer = await fetch(path(`faces/${encodeURIComponent(face)}.svg`)).catch(() => null);
    const drawing = answer?.ok ? await answer.text() : "";
    if (mine !== shown) return;
    const box = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(drawing);
    if (!box) continue;
    faces.set(face, { href: URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" })), size: [Number(box[1]), Number(box[2])] });
    paint();
  }
}

function forget() {
  runs = null;
  for (const { href } of faces.values()) URL.revokeObjectURL(href);
  [moments, times, faces, clock] = [[], [], new Map(), 0];
  for (const part of ["replay", "picture", "game-dice-part"]) byId(part).hidden = true;
  for (const part of ["game-title", "game-occasion", "game-says"]) byId(part).textContent = "";
  byId("picture-end").removeAttribute("src");
}

// When each moment was: what the record does not say comes at a steady pace.
function timed() {
  isTimed = moments.some(({ at }) => at !== null);
  let before = -STEADY;
  return moments.map(({ at }) => { before = Math.max(before, at ?? before + STEADY); return before; });
}

async function tell(mine, at) {
  const told = await ask(`games/${encodeURIComponent(game.name)}/told/${language}.json`);
  if (mine !== shown) return;
  byId("game-says").textContent = told ? (told.is_whole ? "" : say("evenings-not-whole")) : game.trouble || say("evenings-unreadable");
  if (!told) return;
  ({ moments } = told);
  times = timed();
  hasRails = moments.some(({ table }) => table.cards?.length);
  slider.max = moments.length - 1;
  slider.value = at;
  clock = times[at];
  byId("save-record").href = path("record.jsonl");
  byId("replay").hidden = false;
  paintSpeeds();
  paint();
  if (hasRails) {
    byId("picture").hidden = false;
    byId("picture-end").src = byId("save-picture").href = path(told.is_whole ? "picture.svg" : `picture.svg?moment=${moments.length - 1}`);
    byId("picture-end").alt = say("evenings-picture");
  }
  fetchFaces(mine);
}

// A game by its name, as the list has it if it does already; "" for none.
export async function showGame(name, listed) {
  const mine = name && `${name} ${language}`;
  byId("one-game").hidden = !name;
  if (mine === shown) return;
  // In another language it goes on from the same moment.
  const at = name && shown.startsWith(`${name} `) ? now() : 0;
  shown = mine;
  forget();
  if (!name) return;
  byId("game-says").textContent = say("evenings-telling");
  game = listed ?? { name, date: "", place: "", round: "", table: "", players: [], kind: "", trouble: "" };
  for (let from = 0, all = 1; !listed && from < all;) {
    const part = await ask(`list/${language}.json?from=${from}`);
    if (mine !== shown) return;
    listed = part?.games.find((each) => each.name === name);
    game = listed ?? game;
    all = part?.count ?? 0;
    from += part?.games.length || all;
  }
  byId("game-title").textContent = [...game.players].join(", ") || title(game);
  byId("game-occasion").textContent = [game.date && when(game.date), where(game), game.kind].filter(Boolean).join(" · ");
  byId("game-title").focus({ preventScroll: true });
  await tell(mine, at);
  const dice = await ask(`dice/${language}.json?game=${encodeURIComponent(name)}`);
  if (mine !== shown || !dice?.dice.length) return;
  drawDice(byId("game-dice"), dice.dice);
  byId("game-dice-part").hidden = false;
}
