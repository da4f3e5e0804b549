// The table to scale, the strip before it, and everything that lies there.
import { on, me } from "./link.js";
import { onLanguage, say } from "./texts.js";

export const play = document.getElementById("play");
const things = document.getElementById("things");
const table = document.getElementById("table");
const strip = document.getElementById("strip");
export const zones = { hand: document.getElementById("hand"), away: document.getElementById("away"), shed: document.getElementById("shed") };
const PILE_LAYERS = 5;
const LEAST_HAND = 0.95;

export let deck = null;
export let world = { cards: [], held: {}, pile: 0, names: [], emma: null, top: null, disturbances: {} };
export let viewer = 0; // whose hand is held up before the table
export const mine = new Map(); // what this browser holds: number to {x, y, turn}, in mm
export const pushed = { numbers: new Set(), x: 0, y: 0 }; // what this browser pushes as one, and how far, in mm
export const size = { mm: 1, hand: 1, left: 0, top: 0, strip: 0 };
const nodes = new Map();
const listeners = [];

export const onWorld = (listener) => listeners.push(listener);
export const lying = () => world.cards.filter((card) => card.place === "table" && !world.held[card.number] && !mine.has(card.number));
export const cardOf = (number) => world.cards.find((card) => card.number === number);
export const isMine = (number) => mine.has(number);
export const heldByOthers = (number) => world.held[number] && world.held[number].by !== me;

const fetchDeck = async () => (await fetch("/deck.json")).json();

export async function prepare() {
  deck = await fetchDeck();
  const [width, height] = deck.table;
  const show = document.getElementById("show");
  Object.assign(show.style, { left: `${(deck.show[0] / width) * 100}%`, top: `${(deck.show[1] / height) * 100}%` });
  new ResizeObserver(measure).observe(play);
  addEventListener("resize", measure);
  measure();
}

// Sizes: as large as the window lets the table be.
export function measure() {
  if (!deck) return;
  const [width, height] = deck.table;
  const isNarrow = matchMedia("(max-width: 899px)").matches;
  const room = play.clientWidth;
  const high = isNarrow ? Infinity : innerHeight - play.getBoundingClientRect().top - scrollY - 24;
  const handRoom = (mm) => deck.card[1] * Math.max(mm, LEAST_HAND) + 46;
  let mm = room / width;
  while (mm > 0.3 && height * mm + handRoom(mm) > high) mm -= 0.005;
  size.mm = mm;
  size.hand = Math.max(mm, LEAST_HAND);
  size.left = Math.max(0, (room - width * mm) / 2);
  size.top = 0;
  play.style.setProperty("--mm", `${mm}px`);
  play.style.setProperty("--hand", size.hand);
  const tableHeight = height * mm;
  Object.assign(table.style, { left: `${size.left}px`, width: `${width * mm}px`, height: `${tableHeight}px` });
  size.strip = tableHeight + 10;
  Object.assign(strip.style, { top: `${size.strip}px`, left: `${size.left}px`, width: `${width * mm}px`, height: `${handRoom(mm)}px` });
  play.style.height = `${size.strip + handRoom(mm)}px`;
  render();
}

export const toMm = (px) => ({ x: (px.x - size.left) / size.mm, y: (px.y - size.top) / size.mm });
export const isOnTable = ({ x, y }) => x >= 0 && y >= 0 && x <= deck.table[0] && y <= deck.table[1];

// What can be played may have changed with what people have set.
export async function renewOffers() {
  const { offers } = await fetchDeck().catch(() => deck);
  deck.offers = offers;
}

let newest = null;
on("world", async (message) => {
  newest = message;
  const isOther = message.deck && message.deck !== deck.name; // another deck lies on the table
  const its = isOther ? await fetchDeck().catch(() => null) : deck;
  if (newest !== message || !its || (isOther && its.name !== message.deck)) return; // more has happened meanwhile
  [deck, world] = [its, message];
  if (viewer >= message.names.length) viewer = 0;
  if (isOther) measure();
  else render();
  for (const listener of listeners) listener(world);
});
on("closed", () => { newest = null; });
onLanguage(() => render());

export function lookAt(person) {
  viewer = person;
  render();
}

export function nameOf(face) {
  const { value, kind, shape } = deck.faces[face];
  const what = kind === "track" ? say(`shape-${shape}`) : say(`kind-${kind}`);
  return say("card", { value, what });
}

function labelOf(card) {
  const where = { table: "where-table", hand: "where-hand", away: "where-away", pile: "where-pile" }[card.place];
  const held = world.held[card.number] ? `, ${say("where-held")}` : "";
  return `${nameOf(card.face)}, ${say(where)}${held}`;
}

function thing(number, make) {
  let node = nodes.get(number);
  if (!node) {
    node = make();
    node.dataset.number = number;
    nodes.set(number, node);
    things.append(node);
  }
  node.dataset.seen = "yes";
  return node;
}

function show(image, face) {
  const src = `/faces/${face}.webp?deck=${encodeURIComponent(deck.name)}`;
  if (image.getAttribute("src") !== src) image.src = src;
}

function makeCard() {
  const node = document.createElement("button");
  node.className = "card";
  node.append(new Image());
  node.firstChild.alt = "";
  node.firstChild.draggable = false;
  return node;
}

function makeEmma() {
  const node = document.createElement("button");
  node.className = "emma";
  const image = new Image();
  image.src = "/page/emma.svg";
  image.alt = "";
  image.draggable = false;
  node.append(image);
  return node;
}

function set(node, { x, y, turn, scale, layer, hidden = false }) {
  // The short way round.
  const before = Number(node.dataset.turn ?? turn);
  const after = before + ((((turn - before) % 360) + 540) % 360) - 180;
  node.dataset.turn = after;
  node.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%) rotate(${after}deg) scale(${scale})`;
  node.style.zIndex = layer;
  node.hidden = hidden;
}

const withPush = (number, pose) => (pushed.numbers.has(number) ? { ...pose, x: pose.x + pushed.x, y: pose.y + pushed.y } : pose);
const onTable = (pose) => ({ x: size.left + pose.x * size.mm, y: size.top + pose.y * size.mm });

// Where a card lies in the strip: side by side, closer where there are many.
function slots(cards, zone, step) {
  const box = zone.getBoundingClientRect(), home = play.getBoundingClientRect();
  const width = deck.card[0] * size.hand;
  const left = box.left - home.left + 10 + width / 2, right = box.right - home.left - 10 - width / 2;
  const gap = cards.length > 1 ? Math.min(step, (right - left) / (cards.length - 1)) : 0;
  const y = box.top - home.top + 30 + (deck.card[1] * size.hand) / 2;
  return cards.map((_, index) => ({ x: left + index * gap, y }));
}

function draggedPose(number) {
  return mine.get(number) ?? (world.held[number]?.x === undefined ? null : world.held[number]);
}

function placeCards() {
  const groups = { table: [], hand: [], away: [], pile: [] };
  for (const card of world.cards) groups[card.place].push(card);
  const others = groups.hand.filter((card) => card.owner !== viewer);
  const hand = groups.hand.filter((card) => card.owner === viewer);
  const spread = { hand: slots(hand, zones.hand, deck.card[0] * size.hand + 8), away: slots(groups.away, zones.away, 15) };
  groups.table.forEach((card, index) => placeCard(card, { ...onTable(withPush(card.number, card)), turn: card.turn, scale: 1, layer: 20 + index }));
  const larger = size.hand / size.mm;
  hand.forEach((card, index) => placeCard(card, { ...spread.hand[index], turn: card.turn, scale: larger, layer: 200 + index }));
  groups.away.forEach((card, index) => placeCard(card, { ...spread.away[index], turn: 0, scale: larger, layer: 200 + index }));
  others.forEach((card) => placeCard(card, { ...handTab(card.owner), turn: 0, scale: 0.2, layer: 1, hidden: true }));
  groups.pile.forEach((card) => placeCard(card, { ...onTable({ x: deck.pile[0], y: deck.pile[1] }), turn: 0, scale: 1, layer: 60 }));
}

function handTab() {
  const box = zones.hand.getBoundingClientRect(), home = play.getBoundingClientRect();
  return { x: box.right - home.left - 40, y: box.top - home.top + 20 };
}

function placeCard(card, rest) {
  const node = thing(card.number, makeCard);
  show(node.firstChild, card.face);
  const pose = draggedPose(card.number);
  const isHeld = mine.has(card.number) || Boolean(world.held[card.number]);
  const isOver = pose && isOnTable(pose);
  node.classList.toggle("held", isHeld);
  node.classList.toggle("mine", mine.has(card.number) || pushed.numbers.has(card.number));
  node.classList.toggle("theirs", Boolean(heldByOthers(card.number)));
  node.classList.toggle("doubled", card.place === "hand");
  node.setAttribute("aria-label", labelOf(card));
  node.setAttribute("aria-pressed", mine.has(card.number));
  const larger = isOver ? 1 : size.hand / size.mm;
  set(node, pose ? { ...onTable(pose), turn: pose.turn, scale: larger, layer: 900 } : rest);
}

function placeEmma() {
  const node = thing(deck.emma, makeEmma);
  const pose = draggedPose(deck.emma);
  const box = zones.shed.getBoundingClientRect(), home = play.getBoundingClientRect();
  const shed = { x: (box.left + box.right) / 2 - home.left, y: (box.top + box.bottom) / 2 - home.top + 8, turn: 0, scale: 1.4 * (size.hand / size.mm), layer: 210 };
  const stands = world.emma ? { ...onTable(withPush(deck.emma, world.emma)), turn: world.emma.turn, scale: 1, layer: 500 } : shed;
  node.classList.toggle("held", mine.has(deck.emma) || Boolean(world.held[deck.emma]));
  node.classList.toggle("mine", mine.has(deck.emma) || pushed.numbers.has(deck.emma));
  node.setAttribute("aria-label", `${say("emma")}, ${say(world.emma ? "where-table" : "where-beside")}`);
  set(node, pose ? { ...onTable(pose), turn: pose.turn, scale: 1.15, layer: 950 } : stands);
}

function placePile() {
  const number = "pile";
  const node = thing(number, () => {
    const made = document.createElement("button");
    made.className = "pile";
    for (let layer = 0; layer < PILE_LAYERS; layer++) {
      const back = new Image();
      back.alt = "";
      back.draggable = false;
      back.style.transform = `translate(${-0.5 * layer}px, ${-1.1 * layer}px) rotate(${(layer % 3) - 1}deg)`;
      made.append(back);
    }
    return made;
  });
  const isTopHeld = world.top !== null && (world.held[world.top] || mine.has(world.top));
  const left = world.pile - (isTopHeld ? 1 : 0);
  for (const back of node.children) show(back, "back");
  [...node.children].forEach((back, layer) => { back.hidden = layer >= Math.min(PILE_LAYERS, Math.ceil(left / 8)); });
  node.classList.toggle("empty", left <= 0);
  node.setAttribute("aria-label", say(left > 0 ? "pile" : "pile-empty"));
  set(node, { ...onTable({ x: deck.pile[0], y: deck.pile[1] }), turn: 0, scale: 1, layer: 10 });
}

export function render() {
  if (!deck) return;
  for (const node of nodes.values()) node.dataset.seen = "";
  if (deck.name) placePile();
  placeCards();
  placeEmma();
  for (const [number, node] of nodes) {
    if (node.dataset.seen) continue;
    node.remove();
    nodes.delete(number);
  }
  things.classList.toggle("ready", Boolean(world.ready));
}

export const nodeOf = (number) => nodes.get(number);
