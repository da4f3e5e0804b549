// How it stands, a row for each player: points, cards, trains and speeds, each where a game has it.
import { say } from "/shared/texts.js";
import { drawn, row as figuresInRow } from "./drawings.js";

export function cell(content, kind = "td") {
  const made = document.createElement(kind);
  made.append(content);
  return made;
}

const COLUMNS = [
  ["points", ({ points }) => points],
  ["penalties", ({ piles }) => piles?.map(({ length }) => length)],
  ["train", ({ rows }, href) => rows?.map((each) => figuresInRow(each, { isTrain: true, href }))],
  ["speed", ({ speeds }) => speeds?.some((each) => each !== null) && speeds.map((each) => each ?? "–")],
];

// ``href`` says of a figure's name where its drawing is.
export function paintStanding(table, { players, active, ...facts }, href = drawn) {
  const columns = COLUMNS.map(([name, of]) => [name, of(facts, href)]).filter(([, all]) => all?.length);
  table.tHead.rows[0].replaceChildren(...["player", ...columns.map(([name]) => name)].map((name) => {
    const head = cell(say(name), "th");
    head.scope = "col";
    return head;
  }));
  table.tBodies[0].replaceChildren(...players.map((name, seat) => {
    const line = document.createElement("tr"), head = cell(name, "th");
    head.scope = "row";
    if (seat === active) line.setAttribute("aria-current", "true");
    line.append(head, ...columns.map(([, all]) => cell(all[seat] ?? "")));
    return line;
  }));
  return columns.length > 0;
}
