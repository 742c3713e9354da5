// The rules' own engine in Python, away from the page: it is loaded once, told the rules, and then asked. What its memory
// holds when it has started is kept where the service worker keeps its files; the next start goes on from there.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL("./", import.meta.url).href;
const CACHE = "belot-engine-{engine}";
const STARTED = here + "{engine}.started";
let ask = null;
let readsFiles = null;
let python = null;

const unpacked = async (name) => python.unpackArchive(await (await fetch(here + name)).arrayBuffer(), "zip");
const through = (stream, body) => new Response(new Response(body).body.pipeThrough(stream));

async function start() {
  const tell = (step) => postMessage({ step });
  tell(1);
  const fetched = ["engine.zip", "rules.json"].map((name) => fetch(here + name));
  const place = (await self.caches?.has(CACHE).catch(() => false)) ? await caches.open(CACHE) : null;
  const isKept = Boolean(place) && await goesOn(place).catch(() => place.delete(STARTED).then(() => false));
  if (!isKept) python = await loadPyodide({ indexURL: here, _makeSnapshot: Boolean(place) });
  tell(2);
  const [engine, rules] = await Promise.all(fetched);
  python.unpackArchive(await engine.arrayBuffer(), "zip");
  tell(3);
  const module = python.pyimport("belot_site.playground.engine");
  if (!isKept) module.use_rules(await rules.text());
  // A device that is full starts the next time as it did now.
  if (!isKept && place) keep(place).catch(() => null);
  ask = (text) => module.ask(text);
  tell(4);
}

async function goesOn(place) {
  const kept = await place.match(STARTED);
  if (!kept) return false;
  const memory = await through(new DecompressionStream("gzip"), kept.body).arrayBuffer();
  python = await loadPyodide({ indexURL: here, _loadSnapshot: memory });
  return true;
}

async function keep(place) {
  const memory = python.makeMemorySnapshot();
  await place.put(STARTED, through(new CompressionStream("gzip"), memory));
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
