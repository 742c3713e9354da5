// The suite in Python, away from the page: it is loaded once, and told a file to judge.
import { loadPyodide } from "./pyodide.mjs";

const here = new URL("./", import.meta.url).href;

async function start() {
  const archives = ["engine.zip", "log.zip"].map((name) => fetch(here + name));
  const python = await loadPyodide({ indexURL: here });
  for (const archive of await Promise.all(archives)) {
    if (!archive.ok) throw new Error(archive.statusText);
    python.unpackArchive(await archive.arrayBuffer(), "zip");
  }
  python.pyimport("belot_site.playground.stand_ins").install((doing, done, all) => postMessage({ doing, done, all }));
  return { python, log: python.pyimport("belot_site.playground.log") };
}

const started = start();

onmessage = async ({ data }) => {
  try {
    const { python, log } = await started;
    postMessage({ ready: true });
    python.FS.writeFile(data.name, new Uint8Array(data.bytes));
    const found = log.judge(data.name, data.profile, data.seconds);
    python.FS.unlink(data.name);
    postMessage({ found });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
