// What the page says, in the language of its reader.
const WHILE = 12000; // ms that somebody is told what was done
let table = {};
let wanted = "";
let about = ""; // what lies on the table: some sentences are other ones then
const listeners = [];
export let language = "en";
// Our English is British: browsers write its days in the American way unless they are told.
export const locale = () => (language === "en" ? "en-GB" : language);
export const languages = { en: "English", de: "Deutsch", es: "Español" };

export function say(key, details = {}) {
  const text = table[`${key}-${about}`] ?? table[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => details[name] ?? "");
}

export const onLanguage = (listener) => listeners.push(listener);

export async function speak(wish) {
  wanted = wish;
  const answer = await fetch(`${document.documentElement.dataset.texts}/${wish}.json`);
  const told = await answer.json();
  if (wanted !== wish) return; // another one is wanted meanwhile
  ({ language, texts: table } = told);
  remember("language", language);
  document.documentElement.lang = language;
  write();
}

export function speakAbout(what) {
  if (about === what) return;
  about = what;
  write();
}

function write() {
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", say(node.dataset.label));
  for (const listener of listeners) listener();
}

// What stands in several lines, as it is read aloud: each is a sentence.
export const sentences = (lines) => lines.map((text) => (/[.?!…]$/.test(text) ? text : `${text}.`)).join(" ");

export function preferred() {
  const known = [remembered("language") ?? "", ...navigator.languages].map((each) => each.slice(0, 2));
  return known.find((each) => each in languages) ?? "en";
}

// Settings of this browser; a private window may refuse to keep them.
export function remembered(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* not kept */ }
}

// What hands have just done, in a line that is seen and that screen readers say.
const line = document.getElementById("heard");
let timer = null;

export function tell(text) {
  clearTimeout(timer);
  line.textContent = text;
  timer = setTimeout(() => { line.textContent = ""; }, WHILE);
}
