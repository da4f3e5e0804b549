// The settings, as with the buttons: each is sent alone, and what the companion says then is shown.
import { on } from "/shared/link.js";
import { languages, say } from "/shared/texts.js";
import { ask, element } from "./asking.js";

const PAUSE = 600; // ms: the companion's screen may change often, its settings seldom do
const byId = (id) => document.getElementById(id);
const part = byId("care-settings"), said = byId("care-settings-said");
const names = [...part.querySelectorAll("[data-setting=names]")];
let timer = null;

for (const [key, name] of Object.entries(languages)) byId("care-language").append(new Option(name, key));

function put(field, value) {
  if (field === document.activeElement && field.type === "text") return; // somebody is writing there
  if (field.type === "checkbox") field.checked = value;
  else field.value = value;
}

function paint(told) {
  for (const field of part.querySelectorAll("[data-setting]:not([data-setting=names])")) put(field, told[field.dataset.setting] ?? "");
  names.forEach((field, seat) => {
    put(field, told.names[seat]);
    field.maxLength = told.longest.name;
    field.setAttribute("aria-label", say("care-name", { number: seat + 1 }));
    field.placeholder = say("care-name", { number: seat + 1 });
  });
  for (const field of part.querySelectorAll("[data-words]")) field.maxLength = told.longest.words;
  byId("care-own-deck").hidden = told.own_deck === null;
  // The button that was pressed is another one now.
  const focused = [...byId("care-options").querySelectorAll("button")].indexOf(document.activeElement);
  byId("care-options").replaceChildren(...told.games.filter(({ options }) => options.length).flatMap(({ game, title, options }) => [
    element("h2", title),
    ...options.map((option) => element("button", option, { className: "quiet outlined", onclick: () => change({ name: "games", value: option, at: game }) })),
  ]));
  byId("care-options").querySelectorAll("button")[focused]?.focus();
}

async function change(body) {
  const told = await ask("settings", body);
  said.textContent = told.refused ?? say("care-set");
  if (told.refused) await load();
  else paint(told);
}

for (const field of part.querySelectorAll("[data-setting]")) {
  field.addEventListener("change", () => {
    const value = field.type === "checkbox" ? field.checked : field.value;
    const name = field.dataset.setting;
    change(name === "names" ? { name, value, at: names.indexOf(field) } : { name, value });
  });
}

export async function load() {
  const told = await ask(`settings/${document.documentElement.lang}.json`);
  if (told.names) paint(told);
}

// Somebody may change them with the buttons meanwhile.
on("screen", () => {
  if (!part.open || byId("place-care").hidden || byId("care-inside").hidden) return;
  clearTimeout(timer);
  timer = setTimeout(load, PAUSE);
});
