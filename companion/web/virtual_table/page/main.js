// The page: texts and the deck first, then the line to the table.
import { connect } from "/shared/link.js";
import { prepare } from "./table.js";
import { language, preferred, remembered, speak } from "/shared/texts.js";
import { fillOffers } from "./panels.js";
import "./device.js";
import "./hands.js";
import "./keys.js";
import { lose } from "./lost.js";
import "./tour.js";

const isKnown = remembered("language") !== null;

async function begin() {
  try {
    await Promise.all([speak(preferred()), prepare()]);
  } catch {
    lose();
    await new Promise((done) => setTimeout(done, 1000));
    await begin();
  }
}

await begin();
fillOffers();
document.body.classList.add("ready");
connect("/table", isKnown ? "" : language);
