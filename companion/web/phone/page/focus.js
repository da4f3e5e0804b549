// What has the keyboard may go away, or be out of use for a while: then who types goes on where it makes sense.

export const isLost = () => document.activeElement === document.body || !document.activeElement.checkVisibility();

// One part takes the place of another; what was typed there goes on at the heir.
export function exchange(gone, come, heir) {
  const had = !gone.hidden && gone.contains(document.activeElement);
  gone.hidden = true;
  come.hidden = false;
  if (had) heir.focus({ preventScroll: true });
}

// The first thing on the place that is seen, if nothing else has it.
export function toThePlace() {
  if (!isLost()) return;
  const all = [...document.querySelectorAll("main > section:not([hidden]) :is(button, a, input, summary)")];
  all.find((node) => !node.disabled && node.checkVisibility())?.focus({ preventScroll: true });
}

// A button that must not be pressed again before the work is done.
export async function whileBusy(button, work) {
  const had = document.activeElement === button;
  button.disabled = true;
  await work();
  button.disabled = false;
  if (had && isLost()) button.focus({ preventScroll: true });
}
