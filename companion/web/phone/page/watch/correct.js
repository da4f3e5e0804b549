// Correcting: a card is tapped, and its owner says what it is; the last thing done is taken back.
import { on, send } from "/shared/link.js";
import { onLanguage, say, tell } from "/shared/texts.js";
import { isInside, onDoor } from "../door.js";
import { load, nameOf, onFaces } from "./faces.js";
import { faceOf } from "./watch.js";

const byId = (id) => document.getElementById(id);
const dialog = byId("correct"), railway = byId("railway");
let present = null;
let asked = null; // the card that is asked about

// A card of the railway: where it lies in it, and what it is taken for.
function called(place) {
  const number = place + 1, name = nameOf(present.cards.find((card) => card.place === place)?.face);
  return name ? say("correct-card-named", { number, name }) : say("correct-card", { number });
}

function paint() {
  const canDo = isInside && present !== null;
  document.body.classList.toggle("steers", canDo);
  byId("take-back").hidden = !canDo || !present.moment;
  byId("tap").hidden = !canDo || !present.cards.length;
  // A card that was read anew, or is gone: what would be said of it is of no use any more.
  if (dialog.open && !present?.cards.some(({ card, face }) => card === asked.card && face === asked.face)) dialog.close();
  if (!railway.classList.contains("edits")) railway.setAttribute("role", canDo && present.cards.length ? "group" : "img"); // an image's parts are nothing for screen readers
  for (const image of byId("faces").querySelectorAll("img")) image.alt = nameOf(image.dataset.face);
  for (const node of railway.querySelectorAll("[data-card]")) {
    if (canDo && present.cards.some(({ place }) => place === Number(node.dataset.card))) {
      node.setAttribute("tabindex", "0");
      node.setAttribute("role", "button");
      node.setAttribute("aria-label", called(Number(node.dataset.card)));
    } else for (const name of ["tabindex", "role", "aria-label"]) node.removeAttribute(name);
  }
}

on("present", (message) => { ({ present } = message); paint(); });
onDoor(paint);
onLanguage(paint);
onFaces(paint);
railway.addEventListener("drawn", paint);

function ask(place) {
  if (!isInside || !present) return;
  asked = present.cards.find((card) => card.place === place) ?? null;
  if (!asked?.may.length) { tell(say("correct-nothing")); return; }
  byId("correct-title").textContent = say("correct-which");
  byId("faces").replaceChildren(...asked.may.map((face) => {
    const button = document.createElement("button"), image = new Image();
    Object.assign(image, { src: faceOf(face), alt: nameOf(face), loading: "lazy" });
    image.dataset.face = face;
    button.append(image);
    button.addEventListener("click", () => {
      send("correct", { card: asked.card, was: asked.face, face });
      dialog.close();
    });
    return button;
  }));
  dialog.showModal();
  load();
  byId("faces").querySelector("button").focus();
}

const placeOf = (event) => event.target.closest("[data-card]")?.dataset.card;
railway.addEventListener("click", (event) => { if (placeOf(event)) ask(Number(placeOf(event))); });
railway.addEventListener("keydown", (event) => {
  if (!placeOf(event) || !["Enter", " "].includes(event.key)) return;
  event.preventDefault();
  ask(Number(placeOf(event)));
});
byId("correct-close").addEventListener("click", () => dialog.close());
// The railway may have been drawn anew meanwhile.
dialog.addEventListener("close", () => railway.querySelector(`[data-card="${asked.place}"]`)?.focus({ preventScroll: true }));
byId("take-back").addEventListener("click", () => { if (present) send("back", { moment: present.moment }); });
