// The rules in the reader's language, clause by clause; the one that forbade what was tried last is marked.
import { on } from "/shared/link.js";
import { language, onLanguage, say } from "/shared/texts.js";

const byId = (id) => document.getElementById(id);
const search = byId("rules-search");
let games = [];
let told = ""; // in which language, and of which game, they are here
let played = "";
let forbidden = "";

const element = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });

function chapter({ title, clauses }, wanted) {
  const list = document.createElement("dl");
  for (const { id, text } of clauses) {
    if (wanted && !`${id} ${text} ${title}`.toLowerCase().includes(wanted)) continue;
    const row = document.createElement("div");
    if (id === forbidden) row.className = "broken";
    row.append(element("dt", id), element("dd", text));
    list.append(row);
  }
  return list.children.length ? [element("h3", title), list] : [];
}

function paint() {
  const wanted = search.value.trim().toLowerCase();
  byId("chapters").replaceChildren(...games.flatMap(({ title, chapters }) => {
    const found = chapters.flatMap((each) => chapter(each, wanted));
    return found.length ? [element("h2", title), ...found] : [];
  }));
  const clause = games.flatMap(({ chapters }) => chapters.flatMap(({ clauses }) => clauses)).find(({ id }) => id === forbidden);
  byId("forbidden").textContent = clause ? say("rules-forbidden", { clause: clause.id, text: clause.text }) : "";
  if (!byId("chapters").children.length && wanted) byId("chapters").append(element("p", say("rules-none")));
}

async function fetchThem() {
  if (byId("place-rules").hidden || told === `${language} ${played}`) return;
  const wanted = `${language} ${played}`;
  const answer = await fetch(`/phone/rules/${language}.json`).catch(() => null);
  if (!answer?.ok || wanted !== `${language} ${played}`) return;
  ({ games } = await answer.json());
  told = wanted;
  paint();
}

byId("place-rules").addEventListener("seen", fetchThem);
search.addEventListener("input", paint);
onLanguage(() => {
  search.placeholder = say("rules-search");
  fetchThem();
});
on("facts", ({ facts }) => { played = facts.game ? `${facts.game} ${facts.kind}` : ""; fetchThem(); });
on("present", ({ present }) => {
  if (forbidden === (present?.forbidden ?? "")) return;
  forbidden = present?.forbidden ?? "";
  paint();
});
