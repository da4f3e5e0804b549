// What the small map on the companion's screen points out is pointed out on the table of the page as well.
import { on } from "/shared/link.js";
import { node } from "./watch.js";

const railway = document.getElementById("railway");
let map = null;
let present = null;

// The map counts in cells, from the middle of the first one.
const at = (dot) => map.dots[dot].map((length) => (length + 0.5) * present.cell_mm);

function paint() {
  railway.querySelectorAll(".pointed").forEach((old) => old.remove());
  // While something is put right it is the pieces themselves that are marked.
  if (map?.type !== "network" || !present?.cell_mm || present.tools?.length || !railway.querySelector("[data-card]")) return;
  const { way, moved, marked, figures } = map, size = present.cell_mm;
  if (way.length > 1) {
    const points = way.map(at), [[x, y], [fromX, fromY]] = [points.at(-1), points.at(-2)];
    const turn = (Math.atan2(y - fromY, x - fromX) * 180) / Math.PI;
    const head = { d: `M0 ${-size / 3}L${size / 2.5} 0L0 ${size / 3}z`, transform: `translate(${x} ${y}) rotate(${turn})` };
    const line = { points: points.map((point) => point.join(" ")).join(" ") };
    for (const name of ["edge", "way"]) railway.append(node("polyline", { ...line, class: `pointed ${name}` }), node("path", { ...head, class: `pointed ${name}` }));
  }
  for (const dot of new Set([...marked, ...moved.map((index) => figures[index].dot)])) {
    const [cx, cy] = at(dot);
    railway.append(node("circle", { cx, cy, r: 0.62 * size, class: "pointed ring" }));
  }
}

on("screen", ({ screen }) => { map = screen.map; paint(); });
on("present", (message) => { ({ present } = message); paint(); });
railway.addEventListener("drawn", paint);
