// What eyes see of rails: where they end, where a card would carry them on. Millimetres, degrees clockwise.
export const REACH = 26;
const WORTH_OF_A_DEGREE = 0.3;
const JOINED = 9;
const OVERLAP = 5;
const BESIDE = 12;

const radians = (degrees) => (degrees * Math.PI) / 180;
const norm = (degrees) => ((degrees % 360) + 360) % 360;
export const difference = (one, other) => Math.abs(norm(one - other + 180) - 180);
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

export function turned(point, degrees) {
  const cos = Math.cos(radians(degrees)), sin = Math.sin(radians(degrees));
  return { x: point.x * cos - point.y * sin, y: point.x * sin + point.y * cos };
}

// The ends of a lying card's rails, each with the way in which one leaves the card there.
export function ends(card, deck) {
  return deck.faces[card.face].ports.map((port) => {
    const at = turned(port, card.turn);
    return { x: card.x + at.x, y: card.y + at.y, heading: norm(port.heading + card.turn) };
  });
}

// The ends that no other card's rails meet.
export function openEnds(cards, deck) {
  const all = cards.flatMap((card) => ends(card, deck).map((end) => ({ ...end, number: card.number })));
  return all.filter((end) => !all.some((other) => other.number !== end.number && far(end, other) < JOINED));
}

function corners(card, [width, height], inset) {
  const x = width / 2 - inset, y = height / 2 - inset;
  return [[-x, -y], [x, -y], [x, y], [-x, y]].map(([dx, dy]) => {
    const at = turned({ x: dx, y: dy }, card.turn);
    return { x: card.x + at.x, y: card.y + at.y };
  });
}

export function overlap(one, other, size, inset = OVERLAP / 2) {
  if (far(one, other) > Math.hypot(...size) - 2 * inset) return false;
  const a = corners(one, size, inset), b = corners(other, size, inset);
  for (const angle of [one.turn, one.turn + 90, other.turn, other.turn + 90]) {
    const axis = turned({ x: 1, y: 0 }, angle);
    const along = (points) => points.map((point) => point.x * axis.x + point.y * axis.y);
    const [pa, pb] = [along(a), along(b)];
    if (Math.max(...pa) < Math.min(...pb) || Math.max(...pb) < Math.min(...pa)) return false;
  }
  return true;
}

// The cards that lie side by side with one, or with each other.
export function joined(card, lying, deck) {
  const group = [card];
  for (const here of group) {
    group.push(...lying.filter((other) => !group.some((each) => each.number === other.number) && overlap(here, other, deck.card, -BESIDE / 2)));
  }
  return group;
}

// Every way in which a card can carry on rails that lie there.
export function ways(card, lying, deck) {
  const size = deck.card;
  const others = lying.filter((other) => other.number !== card.number);
  const found = [];
  for (const end of openEnds(others, deck)) {
    deck.faces[card.face].ports.forEach((port) => {
      const turn = norm(end.heading + 180 - port.heading);
      const at = turned(port, turn);
      const way = { x: end.x - at.x, y: end.y - at.y, turn };
      if (!others.some((other) => overlap(way, other, size))) found.push(way);
    });
  }
  return found;
}

// Where a card that is held near rails is drawn to, over so many mm; null if it is drawn nowhere.
export function drawn(card, lying, deck, reach) {
  let best = null, least = Infinity;
  for (const way of ways(card, lying, deck)) {
    const away = far(card, way);
    const cost = away + WORTH_OF_A_DEGREE * difference(card.turn, way.turn);
    if (away <= reach && cost < least) [best, least] = [way, cost];
  }
  return best;
}

export function cardAt(point, lying, [width, height]) {
  const under = lying.filter((card) => {
    const at = turned({ x: point.x - card.x, y: point.y - card.y }, -card.turn);
    return Math.abs(at.x) <= width / 2 && Math.abs(at.y) <= height / 2;
  });
  return under.at(-1) ?? null;
}

function neighbours(card, lying, deck) {
  const mine = ends(card, deck);
  return mine.map((end) => lying.find((other) =>
    other.number !== card.number && ends(other, deck).some((theirs) => far(end, theirs) < JOINED)));
}

// The cards from one on, leaving it by one of its ends, each with the end by which it is entered.
function journey(start, port, lying, deck) {
  const way = [];
  let here = start, leave = port;
  for (let step = 0; step < lying.length; step++) {
    const next = neighbours(here, lying, deck)[leave];
    if (!next || next.number === start.number) break;
    const gate = ends(here, deck)[leave];
    const entry = ends(next, deck).map((end) => far(end, gate)).reduce((low, d, i, all) => (d < all[low] ? i : low), 0);
    way.push({ card: next, entry });
    [here, leave] = [next, 1 - entry];
  }
  return way;
}

function standing(card, entry, deck) {
  const [enter, leave] = [ends(card, deck)[entry], ends(card, deck)[1 - entry]];
  const x = (enter.x + 2 * card.x + leave.x) / 4, y = (enter.y + 2 * card.y + leave.y) / 4;
  return { x, y, turn: norm((Math.atan2(leave.x - enter.x, enter.y - leave.y) * 180) / Math.PI) };
}

// Emma on the middle of a card's rails, looking the way she came along.
export function emmaOn(card, from, lying, deck) {
  if (!deck.faces[card.face].ports.length) return { x: card.x, y: card.y, turn: from?.turn ?? 0 };
  const old = from && cardAt(from, lying, deck.card);
  if (old && old.number !== card.number && deck.faces[old.face].ports.length) {
    for (const port of [0, 1]) {
      const stop = journey(old, port, lying, deck).find((each) => each.card.number === card.number);
      if (stop) {
        const back = difference(standing(old, 1 - port, deck).turn, from.turn) > 90;
        return standing(card, back ? 1 - stop.entry : stop.entry, deck);
      }
    }
  }
  if (from) {
    const [one, other] = [standing(card, 0, deck), standing(card, 1, deck)];
    return difference(one.turn, from.turn) <= difference(other.turn, from.turn) ? one : other;
  }
  // The end of the railway is where the newest card lies.
  const newest = (port) => Math.max(-1, ...journey(card, port, lying, deck).map((each) => lying.indexOf(each.card)));
  return standing(card, newest(0) > newest(1) ? 1 : 0, deck);
}

// The card before her, or behind her.
export function nextCard(emma, step, lying, deck) {
  const here = cardAt(emma, lying, deck.card);
  if (!here || !deck.faces[here.face].ports.length) return lying.at(-1) ?? null;
  const forward = difference(standing(here, 0, deck).turn, emma.turn) <= 90 ? 1 : 0;
  return journey(here, step > 0 ? forward : 1 - forward, lying, deck)[0]?.card ?? null;
}
