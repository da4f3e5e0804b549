// What the last roll was, and what the one that may come now holds: exact chances, rounded to be read.
import { on } from "/shared/link.js";
import { language, onLanguage, say } from "/shared/texts.js";
import { die } from "../screen.js";

const LEAST = 0.001; // what is less likely, or as near to certain, is told as less or more than this
const byId = (id) => document.getElementById(id);
let facts = {};

// Rounded to a tenth of a percent; what may happen is never told as impossible, nor as certain.
function percent(chance) {
  const written = (share) => share.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
  if (chance > 0 && chance < LEAST) return `< ${written(LEAST)}`;
  return chance < 1 && chance > 1 - LEAST ? `> ${written(1 - LEAST)}` : written(chance);
}
const mean = (number) => number.toLocaleString(language, { maximumFractionDigits: 2, signDisplay: "negative" });

function row(texts, derails) {
  const made = document.createElement("tr");
  made.append(...texts.map((text, at) => {
    const cell = document.createElement(at ? "td" : "th");
    if (!at) cell.scope = "row";
    cell.textContent = text;
    return cell;
  }));
  made.classList.toggle("derails", derails);
  return made;
}

const line = (key, details) => Object.assign(document.createElement("p"), { textContent: say(key, details) });

function paintRoll({ player, dice, moved, missing, taken }) {
  const wheels = dice.reduce((sum, each) => sum + each, 0);
  byId("roll-title").textContent = say("last-roll", { player: facts.players[player] });
  byId("roll-dice").replaceChildren(...dice.map((value) => die(value, 0, false)));
  byId("roll-dice").setAttribute("aria-label", say("dice", { dice: dice.join(", ") }));
  const came = [["roll-wheels", wheels], ["roll-moved", moved], ["roll-missing", missing], ["roll-taken", taken.length]];
  const told = came.filter(([key, count]) => key !== "roll-missing" || count).map(([key, count]) => say(key, { count }));
  byId("roll-came").textContent = told.join(" · ");
}

function paintOdds({ dice, derailing, cards, pile_change: pile, outcomes }) {
  byId("odds-title").textContent = say("odds-title", { dice });
  byId("odds-told").replaceChildren(
    line("odds-derailing", { chance: percent(derailing) }),
    line("odds-cards", { cards: mean(cards) }),
    line("odds-pile", { points: mean(pile) }),
  );
  byId("odds-outcomes").tBodies[0].replaceChildren(...outcomes.map(({ wheels, chance, missing, cards: taken }) => (
    row([wheels, percent(chance), missing ? say("odds-derails", { count: missing }) : say("odds-forward", { count: wheels }), taken], missing > 0)
  )));
}

function paint() {
  const { room, roll, odds } = facts;
  byId("roll").hidden = room !== "game" || !roll;
  byId("odds").hidden = room !== "game" || !odds;
  if (!byId("roll").hidden) paintRoll(roll);
  if (!byId("odds").hidden) paintOdds(odds);
}

on("facts", (message) => { ({ facts } = message); paint(); });
onLanguage(paint);
