// What the page says, in the language of its reader.
let table = {};
const listeners = [];
export let language = "en";
export let languages = ["en"];

export function say(key, details = {}) {
  const text = table[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => details[name] ?? "");
}

export const onLanguage = (listener) => listeners.push(listener);

export async function speak(wanted) {
  const answer = await fetch(`/texts/${wanted}.json`);
  if (!answer.ok) return speak("en");
  ({ language, languages, texts: table } = await answer.json());
  document.documentElement.lang = language;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = say(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", say(node.dataset.label));
  for (const listener of listeners) listener();
}

export function preferred() {
  const kept = remembered("language");
  return kept ?? navigator.language.slice(0, 2);
}

// Settings of this browser; a private window may refuse to keep them.
export function remembered(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function remember(key, value) {
  try { localStorage.setItem(key, value); } catch { /* not kept */ }
}
