// Teaching: card after card is read, and offered; its owner moves a rail's end where it is wrong, and says yes.
import { on, send } from "/shared/link.js";
import { onLanguage, say, tell } from "/shared/texts.js";
import { isInside, onDoor } from "./door.js";
import { exchange } from "./focus.js";

const SVG = "http://www.w3.org/2000/svg";
const MOST_VALUE = 4;
const KINDS = ["track", "broken", "chaos"];
const USUAL = [["S", 0], ["N", 0]]; // where rails stand that somebody adds
const SNAP = 2.5; // mm: rails of one deck leave at the same places
const BUSY = 700; // ms until a photograph is offered once more
const byId = (id) => document.getElementById(id);
const svg = byId("card");
let facts = {};
let told = null; // what the page says of the card that is asked about
let size = [63, 88];

function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The edges one after the other, from the top's left end clockwise: a place on them is one number.

const lengths = () => [["N", size[0]], ["E", size[1]], ["S", size[0]], ["W", size[1]]];

function along([edge, offset]) {
  let before = 0;
  for (const [name, length] of lengths()) {
    if (name === edge) return before + length / 2 + ("NE".includes(name) ? offset : -offset);
    before += length;
  }
  return 0;
}

function portAt(place) {
  const round = 2 * (size[0] + size[1]);
  let rest = ((place % round) + round) % round;
  for (const [name, length] of lengths()) {
    if (rest < length) {
      const offset = "NE".includes(name) ? rest - length / 2 : length / 2 - rest;
      return [name, Math.round(offset * 10) / 10];
    }
    rest -= length;
  }
  return ["N", 0];
}

function point([edge, offset]) {
  const [right, down] = [size[0] / 2, size[1] / 2];
  return { N: [offset, -down], S: [offset, down], E: [right, offset], W: [-right, offset] }[edge];
}

// The place on the edges nearest to a point, drawn to where rails of this deck leave.
function nearest(x, y) {
  const [right, down] = [size[0] / 2, size[1] / 2];
  const clamp = (value, most) => Math.max(-most, Math.min(most, value));
  const far = { N: Math.abs(y + down), S: Math.abs(y - down), E: Math.abs(x - right), W: Math.abs(x + right) };
  const edge = Object.keys(far).sort((one, other) => far[one] - far[other])[0];
  const offset = Math.round(("NS".includes(edge) ? clamp(x, right) : clamp(y, down)) * 10) / 10;
  const usual = facts.places?.[edge];
  return [edge, usual !== undefined && Math.abs(usual - offset) < SNAP ? usual : offset];
}

function word([edge, offset]) {
  return say("teach-port", { edge: say(`teach-edge-${edge}`), mm: Math.round(offset) });
}

function place(handle, index) {
  const port = told.ports[index];
  const [x, y] = point(port);
  handle.setAttribute("transform", `translate(${x} ${y})`);
  handle.setAttribute("aria-valuenow", Math.round(along(port)));
  handle.setAttribute("aria-valuetext", word(port));
}

function move(handle, index, port) {
  told.ports[index] = port;
  told.isPlaced = true; // else the edges count, and where on them is measured of all cards together
  place(handle, index);
}

function makeHandle(index) {
  const handle = node("g", { tabindex: "0", role: "slider", "aria-label": say("teach-rail", { number: index + 1 }), "aria-valuemin": 0, "aria-valuemax": 2 * (size[0] + size[1]) });
  handle.append(node("circle", { r: 9, class: "reach" }), node("circle", { r: 4.5, class: "handle" }));
  handle.addEventListener("pointerdown", (event) => { handle.setPointerCapture(event.pointerId); event.preventDefault(); });
  handle.addEventListener("pointermove", (event) => {
    if (!handle.hasPointerCapture(event.pointerId)) return;
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    move(handle, index, nearest(spot.x, spot.y));
  });
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(handle, index, portAt(along(told.ports[index]) + step));
  });
  place(handle, index);
  return handle;
}

function drawCard() {
  const [width, height] = size;
  svg.setAttribute("viewBox", `${-width / 2 - 8} ${-height / 2 - 8} ${width + 16} ${height + 16}`);
  const picture = `/phone/cards/asked.webp?${told.question}`;
  svg.replaceChildren(
    node("image", { x: -width / 2, y: -height / 2, width, height, href: picture, preserveAspectRatio: "none" }),
    node("rect", { x: -width / 2, y: -height / 2, width, height, class: "edge" }),
    ...told.ports.map((_, index) => makeHandle(index)),
  );
}

function radios(box, name, values, chosen, choose) {
  box.replaceChildren(...values.map(([value, text]) => {
    const label = document.createElement("label"), input = document.createElement("input");
    Object.assign(input, { type: "radio", name, value, checked: value === chosen });
    input.addEventListener("change", () => choose(value));
    label.append(input, text);
    return label;
  }));
}

const isTwin = () => facts.asked && facts.other !== undefined;

function ask() {
  const asked = facts.asked ?? null;
  // Whether it is the same as another one is asked on the screen, with both beside one another.
  const isShown = asked && isInside && !isTwin(), had = byId("asked").contains(document.activeElement);
  byId("asked").hidden = !isShown;
  if (!isShown && had) byId("taught-count").focus({ preventScroll: true });
  if (!asked) { told = null; return; }
  // What somebody has changed stays, as long as it is the same question.
  if (told?.question === asked.question) return;
  told = { ...asked, ports: asked.ports.map((port) => [...port]) };
  showAsked();
  // Who has said by keys what the card before was goes on with this one.
  if (document.activeElement === byId("taught-count")) (byId("values").querySelector(":checked") ?? byId("values").querySelector("input")).focus({ preventScroll: true });
}

function showAsked() {
  radios(byId("values"), "value", Array.from({ length: MOST_VALUE }, (_, index) => [index + 1, String(index + 1)]), told.value, (value) => { told.value = value; byId("right").disabled = false; });
  byId("right").disabled = told.value === null;
  radios(byId("kinds"), "kind", KINDS.map((kind) => [kind, say(`teach-kind-${kind}`)]), told.kind, (kind) => {
    told.kind = kind;
    if (kind === "chaos") told.ports = [];
    else if (!told.ports.length) told.ports = USUAL.map(([edge]) => [edge, facts.places?.[edge] ?? 0]);
    drawCard();
  });
  drawCard();
}

byId("right").addEventListener("click", () => {
  if (told) send("card", { asked: told.question, value: told.value, kind: told.kind, ports: told.ports, placed: told.isPlaced ?? false });
});

function figure(src, alt, text) {
  const made = document.createElement("figure");
  made.append(Object.assign(new Image(), { src, alt }), ...(text ? [Object.assign(document.createElement("figcaption"), { textContent: text })] : []));
  return made;
}

const taughtFigure = (number, text = "") => figure(`/phone/cards/${number}.webp`, say("teach-taught-card", { number }), text);

function pair() {
  const { doubt, other, asked, emma } = facts;
  const shown = doubt ? [doubt.number, doubt.other].filter((number) => number !== null).map((number) => taughtFigure(number)) : [];
  if (isTwin()) shown.push(figure(`/phone/cards/asked.webp?${asked.question}`, say("teach-card"), say("teach-this")), taughtFigure(other, say("teach-other")));
  if (emma !== undefined) shown.push(figure(`/phone/cards/emma.webp?${emma}`, say("teach-emma"), say("teach-emma")));
  const wasHidden = byId("pair").hidden;
  byId("pair").hidden = !shown.length;
  byId("pair").replaceChildren(...shown);
  if (wasHidden && shown.length && !byId("place-teach").hidden) scrollTo(0, 0);
}

function list() {
  const { cards = [] } = facts;
  byId("taught-count").textContent = say("teach-taught", { count: cards.length });
  const known = new Map([...byId("taught").children].map((item) => [item.dataset.key, item]));
  byId("taught").replaceChildren(...cards.map(({ number, value, kind, ports }) => {
    const key = `${number} ${value} ${kind} ${ports.map(([edge]) => edge).join("")}`;
    if (known.has(key)) return known.get(key);
    const item = document.createElement("li");
    const image = Object.assign(new Image(), { src: `/phone/cards/${number}.webp`, alt: say("teach-taught-card", { number }), loading: "lazy" });
    item.dataset.key = key;
    item.append(image, kind === "track" ? String(value) : `${value} · ${say(`teach-kind-${kind}`)}`);
    return item;
  }));
}

function paint() {
  const isTeaching = facts.room === "teaching";
  byId("teach-begin").hidden = !isInside;
  byId("teach-begin").disabled = facts.room !== "lobby";
  byId("teach-hint").textContent = !isInside ? say("teach-come-in") : facts.room !== "lobby" ? say("teach-leave") : "";
  if (isTeaching) exchange(byId("teach-outside"), byId("teach-inside"), byId("screen"));
  else exchange(byId("teach-inside"), byId("teach-outside"), byId("teach-begin"));
  if (!isTeaching) return;
  size = facts.card_mm;
  byId("send-photograph").hidden = !isInside || facts.step !== "waiting";
  ask();
  pair();
  list();
}

on("facts", (message) => { ({ facts } = message); paint(); });
onDoor(paint);
onLanguage(() => { if (told) showAsked(); byId("taught").replaceChildren(); paint(); });
byId("teach-begin").addEventListener("click", () => send("open", { line: "teach" }));

// Photographs of a phone, one after the other: each is looked at, and asked about, before the next one.

async function sendPhotograph(file) {
  for (;;) {
    const answer = await fetch(`/phone/photograph/${document.documentElement.lang}`, { method: "POST", body: file }).catch(() => null);
    if (!answer) { tell(say("door-lost")); return false; }
    const { answer: said, why } = await answer.json().catch(() => ({ answer: "refused", why: say("outside") }));
    if (said === "looking") return true;
    if (said !== "busy") { tell(why || say("teach-leave")); return false; }
    // People have to say first what the card before is.
    await new Promise((done) => setTimeout(done, BUSY));
    if (facts.room !== "teaching") return false;
  }
}

byId("photograph").addEventListener("change", async () => {
  const files = [...byId("photograph").files];
  for (const [index, file] of files.entries()) {
    tell(say("teach-sending", { number: index + 1, count: files.length }));
    if (!(await sendPhotograph(file))) break;
  }
  byId("photograph").value = "";
});
