// The page on a phone: which of its places is seen, light and language, and the line to the companion.
import { connect, on } from "/shared/link.js";
import { language, languages, onLanguage, preferred, remember, remembered, say, speak } from "/shared/texts.js";
import "./aim.js";
import "./care/care.js";
import "./watch/correct.js";
import "./door.js";
import "./evenings/list.js";
import "./watch/odds.js";
import "./rules.js";
import "./screen.js";
import "./teach.js";
import "./voice.js";
import "./watch/edit.js";
import "./watch/watch.js";
import "./watch/way.js";

const byId = (id) => document.getElementById(id);
const places = [...document.querySelectorAll("#places a")].map((link) => link.hash.slice(1));

// Which place is seen is in the address: the way back leads to the one before.
function go() {
  const [wanted] = location.hash.slice(1).split("/"); // behind it is what of the place is seen
  const place = places.includes(wanted) ? wanted : places[0];
  for (const name of places) byId(`place-${name}`).hidden = name !== place;
  for (const link of document.querySelectorAll("#places a")) {
    if (link.hash === `#${place}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId(`place-${place}`).dispatchEvent(new Event("seen"));
  scrollTo(0, 0);
}
addEventListener("hashchange", go);

// Light and language

const isDark = () => (remembered("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const theme = remembered("theme");
if (theme) document.documentElement.dataset.theme = theme;
byId("theme").addEventListener("click", () => {
  const next = isDark() ? "light" : "dark";
  remember("theme", next);
  document.documentElement.dataset.theme = next;
});

const select = byId("language");
for (const [key, name] of Object.entries(languages)) select.append(new Option(name, key));
select.addEventListener("change", () => speak(select.value));
onLanguage(() => { select.value = language; document.title = say("title"); });

// While the companion does not answer nothing on the page is true any more.

let had = null; // what the keyboard was at

function lose(isLost) {
  if (isLost) had ??= document.activeElement;
  document.body.classList.toggle("lost", isLost);
  for (const part of document.querySelectorAll("header, #places, main")) part.inert = isLost;
  byId("lost").textContent = isLost ? say("lost") : "";
  if (isLost) return;
  had?.focus({ preventScroll: true });
  had = null;
}
on("closed", () => lose(true));
on("you", () => lose(false));

async function begin() {
  try {
    await speak(preferred());
  } catch {
    await new Promise((done) => setTimeout(done, 1000));
    await begin();
  }
}

await begin();
go();
connect("/phone/line");
document.body.classList.add("ready");
