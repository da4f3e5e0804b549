// The page: texts and the deck first, then the line to the table.
import { connect } from "./link.js";
import { prepare } from "./table.js";
import { preferred, speak } from "./texts.js";
import { fillOffers } from "./panels.js";
import "./device.js";
import "./hands.js";
import "./keys.js";
import "./tour.js";

await Promise.all([speak(preferred()), prepare()]);
fillOffers();
document.body.classList.add("ready");
connect();
