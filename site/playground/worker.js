// The rules' own engine in Python, away from the page: it is loaded once, told the rules, and then asked.
import { loadPyodide } from "./pyodide.mjs";

let ask = null;

async function start() {
  const here = new URL("./", import.meta.url).href;
  const tell = (step) => postMessage({ step });
  tell(1);
  const python = await loadPyodide({ indexURL: here });
  tell(2);
  const [engine, rules] = await Promise.all(["engine.zip", "rules.json"].map((name) => fetch(here + name)));
  python.unpackArchive(await engine.arrayBuffer(), "zip");
  tell(3);
  const module = python.pyimport("playground_engine");
  module.use_rules(await rules.text());
  ask = (text) => module.ask(text);
  tell(4);
}

const started = start().catch((error) => { postMessage({ failed: String(error) }); });

onmessage = async (event) => {
  await started;
  if (!ask) return;
  const { id, text } = event.data;
  try {
    postMessage({ id, found: ask(text) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
};
