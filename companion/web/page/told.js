// What hands have just done, in a line that is seen and that screen readers say.
const WHILE = 12000; // ms
const line = document.getElementById("heard");
let timer = null;

export function tell(text) {
  clearTimeout(timer);
  line.textContent = text;
  timer = setTimeout(() => { line.textContent = ""; }, WHILE);
}
