// The rules' own engine in Python, away from the page: it is loaded once, told the rules, and then asked.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL("./", import.meta.url).href;
let ask = null;
let readsFiles = null;
let python = null;

const unpacked = async (name) => python.unpackArchive(await (await fetch(here + name)).arrayBuffer(), "zip");

async function start() {
  const tell = (step) => postMessage({ step });
  tell(1);
  const fetched = ["engine.zip", "rules.json"].map((name) => fetch(here + name));
  python = await loadPyodide({ indexURL: here });
  tell(2);
  const [engine, rules] = await Promise.all(fetched);
  python.unpackArchive(await engine.arrayBuffer(), "zip");
  tell(3);
  const module = python.pyimport("belot_site.playground.engine");
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
    const question = JSON.parse(text);
    if (question.ask === "table" && "text" in question.input) await (readsFiles ||= unpacked("yaml.zip"));
    postMessage({ id, found: ask(text) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
};
