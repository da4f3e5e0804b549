// Dice as bars beside what chance would have, and results as a line; each with its numbers in a table.
import { language, locale, say } from "/shared/texts.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [320, 120, 12];

const element = (kind, text = "", name = "") => Object.assign(document.createElement(kind), { textContent: text, className: name });
const number = (value) => value.toLocaleString(language, { maximumFractionDigits: 1 });

function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function table(caption, heads, rows) {
  const made = element("table", "", "plain"), top = element("tr");
  for (const text of heads) top.append(Object.assign(element("th", text), { scope: "col" }));
  const head = element("thead"), body = element("tbody");
  head.append(top);
  body.append(...rows.map(([first, ...cells]) => {
    const row = element("tr");
    row.append(Object.assign(element("th"), { scope: "row" }), ...cells.map((cell) => {
      const made = element("td");
      made.append(cell);
      return made;
    }));
    row.firstChild.append(first);
    return row;
  }));
  made.append(element("caption", caption), head, body);
  return made;
}

function bar({ times, expected }, most) {
  const drawn = node("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true", class: "bar" });
  const at = (value) => (most ? (98 * value) / most : 0);
  drawn.append(node("rect", { x: 0, y: 2, width: at(times), height: 8, class: "fell" }), node("rect", { x: at(expected), y: 0, width: 1.5, height: 12, class: "expected" }));
  return drawn;
}

export function drawDice(parent, dice) {
  parent.replaceChildren(...dice.map(({ sides, throws, faces, words }) => {
    const part = element("div", "", "die-check"), most = Math.max(...faces.flatMap(({ times, expected }) => [times, expected]));
    const caption = say("evenings-die", { sides: sides.join(" "), throws });
    const heads = ["face", "bar", "times", "expected"].map((name) => say(`evenings-die-${name}`));
    const rows = faces.map((face) => [String(face.face), bar(face, most), number(face.times), number(face.expected)]);
    part.append(table(caption, heads, rows), element("p", words));
    return part;
  }));
}

function line(results, label) {
  const points = results.map(({ points: told }) => told);
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const at = (told, index) => [
    EDGE + ((WIDTH - 2 * EDGE) * (results.length > 1 ? index / (results.length - 1) : 0.5)),
    HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (most > least ? (told - least) / (most - least) : 0.5)),
  ];
  const drawn = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "curve" });
  drawn.append(node("polyline", { points: points.map((told, index) => at(told, index).join(",")).join(" ") }));
  drawn.append(...results.map(({ is_lost: isLost, points: told }, index) => {
    const [cx, cy] = at(told, index);
    return node("circle", { cx, cy, r: 4, class: isLost ? "was-lost" : "" });
  }));
  return drawn;
}

export function drawCurves(parent, curves) {
  parent.replaceChildren(...curves.map(({ player, kind, rules, results }) => {
    const part = element("div", "", "die-check");
    const points = results.map(({ points: told }) => told);
    const label = say("evenings-curve-told", { count: results.length, least: Math.min(...points), most: Math.max(...points) });
    const rows = results.map(({ points: told, is_lost: isLost, date, name }, index) => {
      const day = date ? new Date(date.slice(0, 19)).toLocaleDateString(locale()) : String(index + 1);
      const first = element(name ? "a" : "span", day);
      if (name) first.href = `#evenings/${name}`;
      return [first, String(told), isLost ? say("evenings-lost") : ""];
    });
    const numbers = element("details");
    numbers.append(element("summary", say("evenings-numbers")), table(label, ["game", "points", "end"].map((each) => say(`evenings-curve-${each}`)), rows));
    part.append(element("h3", [player, kind].filter(Boolean).join(" · ")), element("p", rules, "note"), line(results, label), element("p", label, "note"), numbers);
    return part;
  }));
}
