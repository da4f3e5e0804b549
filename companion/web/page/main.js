// The page: texts and the deck first, then the line to the table.
import { connect } from "./link.js";
import { deck, prepare } from "./table.js";
import { preferred, speak } from "./texts.js";
import { fillModes } from "./panels.js";
import "./device.js";
import "./hands.js";
import "./keys.js";
import "./tour.js";

await Promise.all([speak(preferred()), prepare()]);
fillModes(deck.modes);
document.body.classList.add("ready");
connect();
