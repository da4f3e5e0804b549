// The table to scale, the strip before it, and everything that lies there.
import { on, me } from "/shared/link.js";
import { language, onLanguage, say, speakAbout } from "/shared/texts.js";

export const play = document.getElementById("play");
const things = document.getElementById("things");
const table = document.getElementById("table");
const strip = document.getElementById("strip");
const frameNode = document.getElementById("frame");
export const zones = { hand: document.getElementById("hand"), away: document.getElementById("away"), shed: document.getElementById("shed") };
const PILE_LAYERS = 5; // as many are drawn of a pile
const LARGEST = 3; // px for a millimetre
const FINGER = 44; // px: as large the smallest thing can be seen
const GAP = 10; // px between the table and the hand

export let deck = null;
export let world = { cards: [], held: {}, pile: 0, names: [], figures: [], top: null, disturbances: {} };
export let viewer = 0; // whose hand is held up before the table
export const mine = new Map(); // what this browser holds: number to {x, y, turn}, in mm
export const pushed = { numbers: new Set(), x: 0, y: 0 }; // what this browser pushes as one, and how far, in mm
// px for a millimetre on the table and (times `hand`) in a hand; where the table begins, and what of it is seen.
export const size = { mm: 1, fit: 1, zoom: 1, largest: LARGEST, hand: 1, left: 0, top: 0, name: 30, frame: { left: 0, width: 0, height: 0 } };
const nodes = new Map();
const listeners = [];

export const onWorld = (listener) => listeners.push(listener);
export const lying = () => world.cards.filter((card) => card.place === "table" && !world.held[card.number] && !mine.has(card.number));
export const cardOf = (number) => world.cards.find((card) => card.number === number);
export const isFigure = (number) => number <= 0;
export const figureOf = (number) => world.figures.find((figure) => figure.number === number);
// Where a card lies on the table, or a figure stands; null where it does not.
export function placeOf(number) {
  if (isFigure(number)) return figureOf(number)?.at ?? null;
  const card = cardOf(number);
  return card?.place === "table" ? card : null;
}
export const isMine = (number) => mine.has(number);
export const heldByOthers = (number) => world.held[number] && world.held[number].by !== me;

const fetchDeck = async () => (await fetch("/deck.json")).json();

export async function prepare() {
  deck = await fetchDeck();
  dress();
  const [width, height] = deck.table;
  const show = document.getElementById("show");
  Object.assign(show.style, { left: `${(deck.show[0] / width) * 100}%`, top: `${(deck.show[1] / height) * 100}%` });
  new ResizeObserver(measure).observe(play);
  addEventListener("resize", measure);
  measure();
}

// How large its cards are, and what they are: cards with rails, or pieces made of cells.
function dress() {
  const [width, height] = deck.card;
  play.classList.toggle("pieces", deck.cell > 0);
  play.classList.toggle("shaped", deck.shaped);
  for (const [name, mm] of [["--wide", width], ["--high", height], ["--round", Math.min(3, Math.min(width, height) / 12)]]) play.style.setProperty(name, mm);
  const narrowest = Math.min(...Object.values(deck.looks).flatMap(({ size: its }) => its));
  size.largest = Math.max(LARGEST, FINGER / narrowest);
  speakAbout(deck.cell ? "pieces" : "");
}

// Sizes: as large as the window lets the table be.
export function measure() {
  if (!deck) return;
  const [width, height] = deck.table;
  const style = getComputedStyle(play);
  const room = play.clientWidth;
  const name = document.querySelector(".zone .name").offsetHeight + 10;
  // Of the figures of pieces there are many: two rows of them.
  const high = deck.cell ? Math.max(deck.card[1], 2 * largest(1) + 6) : deck.card[1];
  const handRoom = (mm) => high * Math.max(mm, size.least) + name + 14;
  size.least = Number(style.getPropertyValue("--least"));
  const seen = innerHeight - play.getBoundingClientRect().top - scrollY - 24;
  // On a high page the hand may be below what is seen: one scrolls there.
  const most = style.getPropertyValue("--may-scroll").trim() ? Infinity : seen;
  let mm = room / width;
  while (mm > 0.3 && height * mm + GAP + handRoom(mm) > most) mm -= 0.005;
  size.fit = mm;
  size.hand = Math.max(mm, size.least);
  size.name = name;
  size.most = Math.max(height * mm, seen - handRoom(mm) - GAP);
  play.style.setProperty("--hand", size.hand);
  Object.assign(strip.style, { left: `${(room - width * mm) / 2}px`, width: `${width * mm}px`, height: `${handRoom(mm)}px` });
  // Who looks at all that lies there goes on doing so.
  if (play.dispatchEvent(new Event("measure", { cancelable: true }))) look(size.zoom, toMm(middle()), middle());
}

const largest = (side) => Math.max(...Object.values(deck.looks).map(({ size: its }) => its[side])); // of the figures
const middle = () => ({ x: size.frame.left + size.frame.width / 2, y: size.frame.height / 2 });

// So many times larger than the whole table, with a spot of it (mm) at a place of the page (px), if that can be.
export function look(zoom, spot = toMm(middle()), at = middle()) {
  const [width, height] = deck.table;
  const room = play.clientWidth, { frame } = size;
  size.zoom = Math.max(1, Math.min(zoom, size.largest / size.fit));
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
  [deck, world] = [its, message];
  if (viewer >= message.names.length) viewer = 0;
  if (isOther) {
    dress();
    measure();
  } else render();
  for (const listener of listeners) listener(world);
});
on("closed", () => { newest = null; });
onLanguage(measure);

export function lookAt(person) {
  viewer = person;
  render();
}

export function nameOf(face, form = "card") {
  if (deck.cell) return say("piece");
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
  showAt(image, src);
}

function showAt(image, src) {
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

function makeFigure() {
  const node = makeCard();
  node.className = "figure";
  return node;
}

// The game knows what its figures are called; Emma is Emma.
const nameOfFigure = (its) => deck.called[language]?.[its] ?? say(its);

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
export const onTable = (pose) => ({ x: size.left + pose.x * size.mm, y: size.top + pose.y * size.mm });

// Where a card lies in the strip: side by side, closer where there are many.
function slots(cards, zone, step) {
  const box = zone.getBoundingClientRect(), home = play.getBoundingClientRect();
  const width = deck.card[0] * size.hand;
  const left = box.left - home.left + 10 + width / 2, right = box.right - home.left - 10 - width / 2;
  const gap = cards.length > 1 ? Math.max(0, Math.min(step, (right - left) / (cards.length - 1))) : 0;
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
  const spread = { hand: slots(hand, zones.hand, deck.card[0] * size.hand + 8), away: slots(groups.away, zones.away, deck.cell ? 0 : 15) };
  groups.table.forEach((card, index) => placeCard(card, { ...onTable(withPush(card.number, card)), turn: card.turn, scale: 1, layer: 20 + index }));
  const larger = size.hand / size.mm;
  hand.forEach((card, index) => placeCard(card, { ...spread.hand[index], turn: card.turn, scale: larger, layer: 200 + index }));
  // Pieces lie on one another.
  const below = deck.cell ? groups.away.length - PILE_LAYERS : 0;
  groups.away.forEach((card, index) => {
    const { x, y } = spread.away[index], up = deck.cell ? Math.max(0, index - below) : 0;
    placeCard(card, { x, y: y - up, turn: 0, scale: larger, layer: 200 + index, hidden: index < below });
  });
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

// Figures beside the table stand in rows: one alone is larger, for it is Emma.
function garage(count) {
  const box = zones.shed.getBoundingClientRect(), home = play.getBoundingClientRect();
  const left = box.left - home.left, top = box.top - home.top;
  if (!deck.cell) return () => ({ x: left + box.width / 2, y: top + box.height / 2 + 8, scale: 1.4 });
  const [width, height] = [0, 1].map((side) => largest(side) * size.hand + 6);
  const most = Math.max(1, Math.floor((box.height - size.name) / height));
  const rows = Math.min(most, Math.ceil((count * width) / (box.width - 12)));
  const columns = Math.ceil(count / rows);
  const step = Math.min(width, (box.width - width - 12) / Math.max(1, columns - 1));
  return (index) => ({ x: left + 6 + width / 2 + step * (index % columns), y: top + size.name + height * (0.5 + Math.floor(index / columns)), scale: 1 });
}

function placeFigures() {
  const beside = world.figures.filter(({ at }) => !at);
  const spot = garage(beside.length);
  world.figures.forEach((figure, index) => placeFigure(figure, index, () => spot(beside.indexOf(figure))));
}

function placeFigure({ number, look: its, at }, index, spot) {
  const node = thing(number, makeFigure);
  const { src, size: [width, height] } = deck.looks[its];
  showAt(node.firstChild, src);
  node.style.setProperty("--across", width);
  node.style.setProperty("--along", height);
  const pose = draggedPose(number);
  node.classList.toggle("held", mine.has(number) || Boolean(world.held[number]));
  node.classList.toggle("mine", mine.has(number) || pushed.numbers.has(number));
  node.classList.toggle("theirs", Boolean(heldByOthers(number)));
  node.setAttribute("aria-label", `${nameOfFigure(its)}, ${say(at ? "where-table" : "where-beside")}`);
  node.setAttribute("aria-pressed", mine.has(number));
  if (pose) set(node, { ...onTable(pose), turn: pose.turn, scale: 1.15, layer: 950 });
  else if (at) set(node, { ...onTable(withPush(number, at)), turn: at.turn, scale: 1, layer: 110 + index });
  else {
    const { x, y, scale } = spot();
    set(node, { x, y, turn: 0, scale: scale * (size.hand / size.mm), layer: 210 });
  }
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
  if (deck.name && (world.pile || !deck.cell)) placePile();
  placeCards();
  placeFigures();
  for (const [number, node] of nodes) {
    if (node.dataset.seen) continue;
    node.remove();
    nodes.delete(number);
  }
  things.classList.toggle("ready", Boolean(world.ready));
}

export const nodeOf = (number) => nodes.get(number);
