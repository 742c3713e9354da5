// Starts the rules' own engine when it is first asked something, and passes questions to it.
const PATIENCE = 5000; // milliseconds until the engine is fetched without being kept
const READY = 4; // the step at which the worker can answer

let worker = null;
let starting = null;
let asked = 0;
const waiting = new Map();

// Whoever is about to ask has it started, so that it is there when the question is.
export function wake(root, tell) {
  starting ||= start(root, tell);
  return starting;
}

export async function ask(root, question, tell) {
  await wake(root, tell);
  asked += 1;
  const id = asked;
  const found = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, text: JSON.stringify(question) });
  return found;
}

async function start(root, tell) {
  tell({ step: 0 });
  await keepForLater();
  worker = new Worker(new URL("playground/worker.js", root), { type: "module" });
  const fail = () => {
    starting = null;
    worker.terminate();
    tell({ failed: true });
    for (const { reject } of waiting.values()) reject(new Error("failed"));
    waiting.clear();
  };
  worker.onerror = fail;
  worker.onmessage = ({ data }) => {
    if (data.failed) { fail(); return; }
    if (data.step === READY) navigator.serviceWorker?.ready.then(({ active }) => active.postMessage({ engine: true }));
    if (data.step) { tell(data); return; }
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) reject(new Error(data.error));
    else resolve(JSON.parse(data.found));
  };
}

// The service worker that site.js starts has to stand before the engine is fetched, or it could not keep it.
async function keepForLater() {
  const service = navigator.serviceWorker;
  if (service) await Promise.race([standing(service), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}

function standing(service) {
  if (service.controller) return null;
  return new Promise((resolve) => service.addEventListener("controllerchange", resolve, { once: true }));
}
