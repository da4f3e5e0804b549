// Asking the companion: answers, refusals in its words, files with their progress, and questions before what matters.
import { language, say } from "/shared/texts.js";
import { whileBusy } from "../focus.js";

const PAUSES = [500, 1000, 2000, 4000]; // ms before it is asked once more where the line was lost
const byId = (id) => document.getElementById(id);
const path = (name) => `/phone/care/${name}?language=${language}`;

// What the companion has told, or {refused: why}.
async function heard(status, text) {
  if (status === 403) return { refused: say("outside") };
  try { return JSON.parse(text); } catch { return { refused: say("care-lost"), isLost: true }; }
}

async function askedOnce(name, wish) {
  const answer = await fetch(path(name), wish).catch(() => null);
  return heard(answer?.status, await answer?.text().catch(() => ""));
}

// What changes something may have been heard though the line was lost; what only asks is asked again, or a part of the
// page would stay empty.
export async function ask(name, body) {
  if (body !== undefined) return askedOnce(name, { method: "POST", body: JSON.stringify(body) });
  let told = await askedOnce(name, {});
  for (const pause of PAUSES) {
    if (!told.isLost) break;
    await new Promise((done) => setTimeout(done, pause));
    told = await askedOnce(name, {});
  }
  return told;
}

// A file goes its way piece by piece; how far it has come is seen.
export function give(name, file, progress) {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => Object.assign(progress, { max: total, value: loaded });
    request.upload.onload = () => progress.removeAttribute("value"); // now it is checked: nobody knows how long
    request.onload = () => done(heard(request.status, request.responseText));
    request.onerror = () => done({ refused: say("care-refused-cut") });
    request.open("POST", path(name));
    progress.hidden = false;
    request.send(file);
  }).finally(() => { progress.hidden = true; progress.value = 0; });
}

export function sure(question, yes) {
  const dialog = byId("care-sure");
  byId("care-sure-says").textContent = question;
  byId("care-sure-yes").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true }));
}

// A button that lets a file be chosen, and what is done with it: nothing larger than the companion takes is sent at all.
export function onFile(button, input, most, use) {
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    await whileBusy(button, () => use(file, file.size > most()));
  });
}

export const element = (kind, text, more = {}) => Object.assign(document.createElement(kind), { textContent: text, ...more });
