// The phone speaks, once somebody has tapped for it: the companion's sounds, and the sentences of its screen.
import { on } from "/shared/link.js";
import { language } from "/shared/texts.js";

const LOUD = 0.15;
const button = document.getElementById("speak");
let audio = null;
let spoken = "";

const isOn = () => button.getAttribute("aria-pressed") === "true";

// Browsers let no page make a sound before somebody has touched it.
button.addEventListener("click", () => {
  audio ??= new AudioContext();
  button.setAttribute("aria-pressed", !isOn());
  if (!isOn()) window.speechSynthesis?.cancel();
});

on("sound", ({ sound }) => {
  if (!isOn()) return;
  let at = audio.currentTime;
  for (const [hertz, seconds] of sound) {
    if (hertz) {
      const tone = new OscillatorNode(audio, { frequency: hertz });
      tone.connect(new GainNode(audio, { gain: LOUD })).connect(audio.destination);
      tone.start(at);
      tone.stop(at + seconds);
    }
    at += seconds;
  }
});

document.getElementById("screen").addEventListener("told", ({ detail }) => {
  if (!isOn() || detail === spoken || !window.speechSynthesis) return;
  spoken = detail;
  speechSynthesis.cancel();
  // The screen's language is the companion's: the page may be read in another one.
  speechSynthesis.speak(Object.assign(new SpeechSynthesisUtterance(detail), { lang: language }));
});
