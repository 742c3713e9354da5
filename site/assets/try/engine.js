// Starts the rules' own engine when it is first asked something, and passes questions to it.
let worker = null;
let asked = 0;
const waiting = new Map();

export async function ask(root, question, tell) {
  if (!worker) await start(root, tell);
  asked += 1;
  const id = asked;
  const found = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  worker.postMessage({ id, text: JSON.stringify(question) });
  return found;
}

async function start(root, tell) {
  tell({ step: 0 });
  try {
    await navigator.serviceWorker?.register(new URL("service-worker.js", root), { scope: new URL("./", root).pathname });
  } catch { /* it works without, as long as there is a network */ }
  if (worker) return;
  worker = new Worker(new URL("playground/worker.js", root), { type: "module" });
  worker.onerror = () => tell({ failed: true });
  worker.onmessage = ({ data }) => {
    if (data.step || data.failed) {
      tell(data);
      return;
    }
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) reject(new Error(data.error));
    else resolve(JSON.parse(data.found));
  };
}
