// The line to the companion: messages both ways; found again when it breaks.
const listeners = {};
let socket = null;
let wait = 250;
let isRenewed = false;
export let me = "";

export function on(type, listener) {
  (listeners[type] ??= []).push(listener);
}

export function send(type, details = {}) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify({ type, ...details }));
  return true;
}

function tell(type, message) {
  for (const listener of listeners[type] ?? []) listener(message);
}

// The first time somebody is here, their language comes along.
export function connect(path, brought = "") {
  socket = new WebSocket(`ws://${location.host}${path}${brought && `?language=${brought}`}`);
  socket.onopen = () => { wait = 250; tell("open"); };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "you") me = message.are;
    tell(message.type, message);
  };
  socket.onclose = () => {
    if (!isRenewed) tell("closed");
    setTimeout(() => connect(path), isRenewed ? 0 : wait);
    if (!isRenewed) wait = Math.min(2 * wait, 4000);
    isRenewed = false;
  };
}

// The same line once more: what this browser may do has changed.
export function again() {
  isRenewed = true;
  socket.close();
}
