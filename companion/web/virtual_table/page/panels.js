// What stands beside the device: the camera's view, the robot, disturbances, another game, whose hand it is.
import { send } from "/shared/link.js";
import { isLost } from "./lost.js";
import { deck, lookAt, onWorld, play, renewOffers, viewer, world, zones } from "./table.js";
import { language, languages, onLanguage, remember, remembered, say, speak } from "/shared/texts.js";

const byId = (id) => document.getElementById(id);
const status = byId("status");

// The camera's view, while it is looked at

const view = byId("view");
const large = byId("large");
let isLooking = false;
byId("enlarge").addEventListener("click", () => { large.firstChild.src = view.src; large.showModal(); });
large.addEventListener("click", () => large.close());

async function look() {
  if (isLooking) return;
  isLooking = true;
  while (byId("camera-panel").open && !document.hidden) {
    const answer = await fetch(byId("read").checked ? "/camera.jpg?read" : "/camera.jpg").catch(() => null);
    if (answer?.status === 200) {
      const old = view.src;
      view.src = URL.createObjectURL(await answer.blob());
      if (large.open) large.firstChild.src = view.src;
      if (old.startsWith("blob:")) URL.revokeObjectURL(old);
    }
    await new Promise((done) => setTimeout(done, 400));
  }
  isLooking = false;
}
byId("camera-panel").addEventListener("toggle", look);
document.addEventListener("visibilitychange", look);

// The robot, and the cards dealt

for (const choice of document.querySelectorAll("[name=robot]")) {
  choice.addEventListener("change", () => send("play", { speed: choice.value }));
}
byId("set-up").addEventListener("click", () => send("play", { speed: "until-dealt" }));
byId("deal").addEventListener("click", () => send("deal"));

// Disturbances

for (const choice of document.querySelectorAll("[name=light]")) {
  choice.addEventListener("change", () => send("disturb", { light: choice.value }));
}
for (const name of ["glare", "hand"]) {
  const box = document.querySelector(`[name=${name}]`);
  box.addEventListener("change", () => send("disturb", { [name]: box.checked }));
}
for (const name of ["display", "camera"]) { // switched on, these are pulled out
  const box = document.querySelector(`[name=${name}]`);
  box.addEventListener("change", () => send("disturb", { [name]: !box.checked }));
}
byId("bump").addEventListener("click", () => send("disturb", { bump: true }));

let bumps = null;
onWorld(({ disturbances, robot, trouble, dealt, cards, figures, pile, ready, failure, title }) => {
  for (const choice of document.querySelectorAll("[name=light]")) choice.checked = choice.value === disturbances.light;
  for (const name of ["glare", "hand"]) document.querySelector(`[name=${name}]`).checked = disturbances[name];
  for (const name of ["display", "camera"]) document.querySelector(`[name=${name}]`).checked = !disturbances[name];
  for (const choice of document.querySelectorAll("[name=robot]")) choice.checked = choice.value === robot;
  play.dataset.light = disturbances.light;
  play.classList.toggle("glare", disturbances.glare);
  play.classList.toggle("careless", disturbances.hand);
  byId("device").classList.toggle("unplugged", !disturbances.display);
  if (bumps !== null && bumps !== disturbances.bumps) {
    play.classList.remove("bumped");
    requestAnimationFrame(() => play.classList.add("bumped"));
  }
  bumps = disturbances.bumps;
  byId("trouble").textContent = trouble;
  // What anybody sees who looks at the table.
  const laid = cards.filter((card) => card.place === "table").length;
  const stands = figures.some(({ at }) => at);
  byId("invitation").hidden = !ready || laid > 0 || (dealt && !deck.cell) || robot !== "off" || Object.keys(world.held).length > 0;
  byId("deal").hidden = dealt || !stands || pile === 0 || deck.cell > 0 || robot !== "off";
  zones.shed.classList.toggle("calls", !stands && laid >= 4);
  document.title = byId("title").textContent = title.replaceAll("'", "’") || say("device");
  status.textContent = failure || (ready ? "" : say("laying"));
  people();
});

// Whose hand it is

function people() {
  const list = byId("people");
  const { names } = world;
  zones.hand.classList.toggle("shared", names.length > 1);
  if (names.length < 2) { list.replaceChildren(); return; }
  const wanted = names.map((name, owner) => `${name} ${world.cards.filter((card) => card.place === "hand" && card.owner === owner).length}`);
  if (list.children.length !== names.length) {
    list.replaceChildren(...names.map((_, owner) => {
      const tab = document.createElement("button");
      tab.className = "tab";
      tab.setAttribute("role", "tab");
      // After two fingers browsers make no click of the next tap.
      for (const kind of ["pointerup", "click"]) tab.addEventListener(kind, () => { lookAt(owner); people(); });
      return tab;
    }));
  }
  wanted.forEach((text, owner) => {
    const tab = list.children[owner];
    if (tab.textContent !== text) tab.textContent = text;
    tab.setAttribute("aria-selected", owner === viewer);
  });
}

// Another game

const dialog = byId("new-dialog");
byId("new-game").addEventListener("click", async () => {
  await renewOffers();
  if (isLost) return; // the table went away while it was asked what can be played
  fillOffers();
  dialog.showModal();
});
dialog.addEventListener("close", () => {
  if (dialog.returnValue !== "begin") return;
  const chosen = dialog.querySelector("[name=mode]:checked")?.value;
  if (!chosen) return;
  const [game, kind] = chosen.split(" ");
  send("new", { game, kind });
});

// What can be played, each game below its name.
export function fillOffers() {
  const offers = deck.offers[language] ?? deck.offers.en;
  byId("modes").replaceChildren(...offers.flatMap(({ game, kind, title }, index) => {
    const label = document.createElement("label"), input = document.createElement("input"), text = document.createElement("span");
    const isPlayed = world.game?.[0] === game && world.game[1] === kind;
    Object.assign(input, { type: "radio", name: "mode", value: `${game} ${kind}`, checked: isPlayed || index === 0 });
    text.textContent = title;
    label.append(input, text);
    if (offers[index - 1]?.game === game) return [label];
    return [Object.assign(document.createElement("h3"), { textContent: deck.games[game] }), label];
  }));
}
onLanguage(() => { if (deck) fillOffers(); });

// Language and light

const choice = byId("language");
choice.addEventListener("change", () => send("speak", { language: choice.value }));
// The device may also be told by its buttons, or in another window.
onWorld((world) => { if (world.language !== language) speak(world.language).catch(() => {}); });
onLanguage(() => {
  choice.replaceChildren(...Object.entries(languages).map(([each, name]) => new Option(name, each, false, each === language)));
  choice.value = language;
});

const root = document.documentElement;
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
if (remembered("theme")) root.dataset.theme = remembered("theme");
byId("theme").addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  remember("theme", root.dataset.theme);
});

// What is opened is seen, also where there is little room below the device.
for (const panel of document.querySelectorAll("details")) {
  panel.addEventListener("toggle", () => { if (panel.open) panel.scrollIntoView({ block: "nearest" }); });
}
