// The table to scale, the strip before it, and everything that lies there.
import { on, me } from "/shared/link.js";
import { onLanguage, say } from "/shared/texts.js";

export const play = document.getElementById("play");
const things = document.getElementById("things");
const table = document.getElementById("table");
const strip = document.getElementById("strip");
const frameNode = document.getElementById("frame");
export const zones = { hand: document.getElementById("hand"), away: document.getElementById("away"), shed: document.getElementById("shed") };
const PILE_LAYERS = 5;
const LARGEST = 3; // px for a millimetre
const GAP = 10; // px between the table and the hand

export let deck = null;
export let world = { cards: [], held: {}, pile: 0, names: [], emma: null, top: null, disturbances: {} };
export let viewer = 0; // whose hand is held up before the table
export const mine = new Map(); // what this browser holds: number to {x, y, turn}, in mm
export const pushed = { numbers: new Set(), x: 0, y: 0 }; // what this browser pushes as one, and how far, in mm
// px for a millimetre on the table and (times `hand`) in a hand; where the table begins, and what of it is seen.
export const size = { mm: 1, fit: 1, zoom: 1, hand: 1, left: 0, top: 0, name: 30, frame: { left: 0, width: 0, height: 0 } };
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
  const style = getComputedStyle(play);
  const room = play.clientWidth;
  const name = document.querySelector(".zone .name").offsetHeight + 10;
  const handRoom = (mm) => deck.card[1] * Math.max(mm, size.least) + name + 14;
  size.least = Number(style.getPropertyValue("--least"));
  const high = innerHeight - play.getBoundingClientRect().top - scrollY - 24;
  // On a high page the hand may be below what is seen: one scrolls there.
  const most = style.getPropertyValue("--may-scroll").trim() ? Infinity : high;
  let mm = room / width;
  while (mm > 0.3 && height * mm + GAP + handRoom(mm) > most) mm -= 0.005;
  size.fit = mm;
  size.hand = Math.max(mm, size.least);
  size.name = name;
  size.most = Math.max(height * mm, high - handRoom(mm) - GAP);
  play.style.setProperty("--hand", size.hand);
  Object.assign(strip.style, { left: `${(room - width * mm) / 2}px`, width: `${width * mm}px`, height: `${handRoom(mm)}px` });
  look(size.zoom, toMm(middle()), middle());
}

const middle = () => ({ x: size.frame.left + size.frame.width / 2, y: size.frame.height / 2 });

// So many times larger than the whole table, with a spot of it (mm) at a place of the page (px), if that can be.
export function look(zoom, spot = toMm(middle()), at = middle()) {
  const [width, height] = deck.table;
  const room = play.clientWidth, { frame } = size;
  size.zoom = Math.max(1, Math.min(zoom, LARGEST / size.fit));
  size.mm = size.fit * size.zoom;
  frame.width = Math.min(room, width * size.mm);
  frame.height = Math.min(size.most, height * size.mm);
  frame.left = (room - frame.width) / 2;
  const within = (start, least, most) => Math.min(Math.max(start, least), most);
  size.left = within(at.x - spot.x * size.mm, frame.left + frame.width - width * size.mm, frame.left);
  size.top = within(at.y - spot.y * size.mm, frame.height - height * size.mm, 0);
  play.style.setProperty("--mm", `${size.mm}px`);
  play.classList.toggle("close", size.zoom > 1);
  Object.assign(table.style, { left: `${size.left}px`, top: `${size.top}px`, width: `${width * size.mm}px`, height: `${height * size.mm}px` });
  Object.assign(frameNode.style, { left: `${frame.left}px`, width: `${frame.width}px`, height: `${frame.height}px` });
  strip.style.top = `${frame.height + GAP}px`;
  play.style.height = `${frame.height + GAP + strip.offsetHeight}px`;
  render();
  play.dispatchEvent(new Event("look"));
}

// Brings a spot of the table (mm) into sight.
export function bring(spot) {
  if (isOnTable(spot) && !isInFrame(onTable(spot))) look(size.zoom, spot);
}

export const toMm = (px) => ({ x: (px.x - size.left) / size.mm, y: (px.y - size.top) / size.mm });
export const isInFrame = ({ x, y }) => x >= size.frame.left && x <= size.frame.left + size.frame.width && y >= 0 && y <= size.frame.height;
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
  [deck, world] = [its, { ...message, emma: message.figures.find(({ number }) => number === its.emma)?.at ?? null }];
  if (viewer >= message.names.length) viewer = 0;
  if (isOther) measure();
  else render();
  for (const listener of listeners) listener(world);
});
on("closed", () => { newest = null; });
onLanguage(measure);

export function lookAt(person) {
  viewer = person;
  render();
}

export function nameOf(face, form = "card") {
  const { value, kind, shape } = deck.faces[face];
  const what = kind === "track" ? say(`shape-${shape}`) : say(`kind-${kind}`);
  return say(form, { value, what });
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
  image.src = "/shared/emma.svg";
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
  const y = box.top - home.top + size.name + (deck.card[1] * size.hand) / 2;
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
  const isOver = pose && isOnTable(pose) && isInFrame(onTable(pose));
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
  const stands = world.emma ? { ...onTable(withPush(deck.emma, world.emma)), turn: world.emma.turn, scale: 1, layer: 140 } : shed;
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
