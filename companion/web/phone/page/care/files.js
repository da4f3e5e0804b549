// What is saved and loaded as a file: all of the companion, its deck, and another version of its program.
import { language, say, tell } from "/shared/texts.js";
import { ask, give, onFile, sure } from "./asking.js";

const ANSWERED = 700; // ms between two questions what people have said
const LOOKED = 2000; // ms between two questions what has been found
const MOST_LOOKS = 300; // ten minutes, after which systemd lets nobody look any more
const MOST_NAMED = 5; // files
const byId = (id) => document.getElementById(id);

// All of it

const saved = { said: byId("care-saved-said"), most: 0 };

export async function loadSaved() {
  const told = await ask("saved");
  if (told.most === undefined) return;
  saved.most = told.most;
  byId("care-save").href = `/phone/care/companion-backup.zip?language=${language}`;
  byId("care-save").hidden = !told.saves;
  byId("care-nothing").hidden = told.saves;
  byId("care-before").hidden = !told.before;
}

// The file goes its way meanwhile; what is damaged is not in it.
byId("care-save").addEventListener("click", async () => {
  saved.said.textContent = "";
  const { files = [] } = await ask("left-out");
  const named = files.slice(0, MOST_NAMED).join(", ") + (files.length > MOST_NAMED ? " …" : "");
  if (files.length) saved.said.textContent = say("care-left-out", { files: named });
});

function begins(told) {
  saved.said.textContent = told.refused ?? say("care-begins-anew");
  if (!told.refused) tell(say("care-begins-anew"));
}

onFile(byId("care-load"), byId("care-load-file"), () => saved.most, async (file, isLarge) => {
  if (isLarge) { saved.said.textContent = say("care-refused-large"); return; }
  if (!await sure(say("care-load-sure", { file: file.name }), say("care-load"))) return;
  saved.said.textContent = say("care-sending");
  begins(await give("load", file, byId("care-load-way")));
});
byId("care-before").addEventListener("click", async () => {
  if (await sure(say("care-before-sure"), say("care-before"))) begins(await ask("before", {}));
});

// The deck

const deck = { said: byId("care-deck-said"), most: 0 };

function showDeck(told) {
  if (told.most === undefined) return;
  deck.most = told.most;
  byId("care-deck-is").textContent = told.cards ? say("care-deck-cards", { count: told.cards }) : say("care-no-deck");
  byId("care-deck-save").hidden = !told.cards;
  byId("care-deck-save").href = `/phone/care/deck.zip?language=${language}`;
  byId("care-deck-load").hidden = !told.takes;
}
export const loadDeck = async () => showDeck(await ask("deck"));

onFile(byId("care-deck-load"), byId("care-deck-file"), () => deck.most, async (file, isLarge) => {
  if (isLarge) { deck.said.textContent = say("care-refused-large"); return; }
  if (byId("care-deck-save").hidden || await sure(say("care-deck-sure"), say("care-deck-load"))) {
    deck.said.textContent = say("care-sending");
    const told = await give("deck", file, byId("care-deck-way"));
    deck.said.textContent = told.refused ?? say("care-deck-taken");
    showDeck(told);
  }
});

// Another version

const version = { said: byId("care-version-said"), most: 0 };

function showVersion(told) {
  if (told.most === undefined) return;
  version.most = told.most;
  byId("care-running").textContent = say("care-running", { version: told.running });
  byId("care-loaded").textContent = told.loaded ? say("care-version-loaded", { version: told.loaded }) : "";
  byId("care-told").textContent = told.told ? say(`care-told-${told.told}`) : "";
  byId("care-cannot").hidden = told.can;
  byId("care-wheel").hidden = byId("care-back").hidden = !told.can;
  byId("care-put-in").hidden = !told.can || !told.loaded;
  showNewer(told.newer, told.can);
}
export async function loadVersion() {
  const told = await ask("version");
  showVersion(told);
  if (told.newer) waitForNewer(await ask("look", { now: false }));
}

// Where its owner has said that newer versions lie: else nothing is said of them.
function showNewer(newer, can) {
  byId("care-newer-look").hidden = !newer || newer.looking;
  byId("care-newer-put-in").hidden = !can || !newer?.version;
  const found = newer?.version ? "newer" : newer?.trouble ? `newer-${newer.trouble}` : "newer-none";
  const said = newer?.looking ? "newer-looking" : newer?.looked ? found : "";
  const text = said && say(`care-${said}`, { version: newer.version });
  if (byId("care-newer").textContent !== text) byId("care-newer").textContent = text;
}
async function waitForNewer(told) {
  if (told.refused) version.said.textContent = told.refused;
  showVersion(told);
  if (version.waits || !told.newer?.looking) return;
  version.waits = true;
  for (let left = MOST_LOOKS; left > 0 && told.newer?.looking && byId("care-version").open; left--) {
    await new Promise((done) => setTimeout(done, LOOKED));
    told = await ask("version");
    showVersion(told);
  }
  version.waits = false;
  if (told.newer?.looking) showNewer({ looked: true, trouble: "unreachable" }, told.can);
}
byId("care-newer-look").addEventListener("click", async () => {
  version.said.textContent = "";
  waitForNewer(await ask("look", { now: true }));
});

onFile(byId("care-wheel"), byId("care-wheel-file"), () => version.most, async (file, isLarge) => {
  if (isLarge) { version.said.textContent = say("care-refused-large"); return; }
  version.said.textContent = say("care-sending");
  const told = await give("wheel", file, byId("care-wheel-way"));
  version.said.textContent = told.refused ?? "";
  showVersion(told);
});

// The page asks, then people at the table.
async function putIn(what, question, yes) {
  if (!await sure(question, yes)) return;
  let told = await ask("version", { what });
  const { ask: secret } = told;
  while (secret && !told.refused && told.answer !== "come-in") {
    version.said.textContent = say("care-ask-people");
    await new Promise((done) => setTimeout(done, ANSWERED));
    told = await ask("answer", { ask: secret });
  }
  version.said.textContent = told.refused ?? say("care-put-in-soon");
  await loadVersion();
}
byId("care-put-in").addEventListener("click", () => putIn("install", say("care-put-in-sure"), say("care-put-in")));
byId("care-newer-put-in").addEventListener("click", () => putIn("newer", say("care-put-in-sure"), say("care-put-in")));
byId("care-back").addEventListener("click", () => putIn("back", say("care-back-sure"), say("care-back")));
