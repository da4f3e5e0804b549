// What eyes see of pieces made of square cells with a dot in each: where the next piece fits, where a vehicle stands.
import { difference, turned } from "./joints.js";

const NEAR = 0.75; // of a cell: so far from where it fits a piece is drawn there

// The middles of a lying piece's cells.
export function dots(piece, { card: [width, height], cell, cells }) {
  return cells.map(([column, row]) => {
    const at = turned({ x: (column + 0.5) * cell - width / 2, y: (row + 0.5) * cell - height / 2 }, piece.turn);
    return { x: piece.x + at.x, y: piece.y + at.y };
  });
}

// The piece that has a cell there; the one that was laid last, if there are several.
export function pieceAt(point, lying, deck) {
  return lying.findLast((piece) => dots(piece, deck).some((dot) => {
    const { x, y } = turned({ x: point.x - dot.x, y: point.y - dot.y }, -piece.turn);
    return Math.max(Math.abs(x), Math.abs(y)) <= deck.cell / 2;
  })) ?? null;
}

const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
const nearest = (point, all) => all.reduce((best, each) => (best && far(best, point) <= far(each, point) ? best : each), null);

// Where a piece that is held fits to one that lies there: edge to edge, dots in line; null if it fits nowhere near.
export function fitted(piece, lying, deck, reach) {
  const others = lying.filter((other) => other.number !== piece.number);
  let best = null;
  for (const other of others) {
    const turn = other.turn + 90 * Math.round((piece.turn - other.turn) / 90);
    const size = ({ turn: by }) => (Math.round((by - other.turn) / 90) % 2 ? [deck.card[1], deck.card[0]] : deck.card);
    const at = turned({ x: piece.x - other.x, y: piece.y - other.y }, -other.turn);
    const [mine, its] = [size({ turn }), deck.card];
    // Whole cells lie between the corners of both.
    const [x, y] = [at.x, at.y].map((middle, axis) => {
      const apart = (its[axis] - mine[axis]) / 2;
      return deck.cell * Math.round((middle + apart) / deck.cell) - apart;
    });
    const isBeside = Math.abs(x) <= (mine[0] + its[0]) / 2 + 1 && Math.abs(y) <= (mine[1] + its[1]) / 2 + 1;
    const there = turned({ x, y }, other.turn);
    const way = { x: other.x + there.x, y: other.y + there.y, turn };
    const away = far(way, piece);
    if (!isBeside || away > reach || (best && away >= best.away)) continue;
    const mineAt = dots(way, deck);
    if (others.some((each) => dots(each, deck).some((dot) => mineAt.some((at) => far(at, dot) < deck.cell / 2)))) continue;
    best = { way, away };
  }
  return best?.way ?? null;
}

export const reachOf = (deck) => NEAR * deck.cell;

// A vehicle on the dot below it, along the piece, unless it was turned by hand; beside all pieces it stays where it is.
export function onDot(pose, from, lying, deck) {
  const piece = pieceAt(pose, lying, deck);
  if (!piece) return pose;
  const isTurned = difference(pose.turn, from?.turn ?? 0) > 45;
  const along = piece.turn + (deck.card[0] >= deck.card[1] ? 90 : 0);
  const step = isTurned ? 90 : 180;
  const dot = nearest(pose, dots(piece, deck));
  return { ...dot, turn: along + step * Math.round((pose.turn - along) / step) };
}

// The dot after the one below a vehicle, in the order in which pieces were laid, or before it.
export function nextDot(pose, step, lying, deck) {
  const all = lying.flatMap((piece) => dots(piece, deck));
  if (!all.length) return null;
  const here = pieceAt(pose, lying, deck) ? all.indexOf(nearest(pose, all)) : step > 0 ? -1 : 0;
  return all[(here + step + all.length) % all.length];
}
