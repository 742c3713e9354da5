// Keeps on the device what is needed where there is no network: every question, lesson and sheet of a language that was
// visited, each page that was read, and the playground's engine until there is a newer one: the score sheet counts by it.
const ENGINE = "belot-engine-{engine}";
const PAGES = "belot-pages-{pages}";
const LANGUAGES = {languages};
const ENGINE_FILES = {files};
const PATIENCE = 3000; // milliseconds until a page that is kept is shown in place of one that does not come
const AT_ONCE = 6;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith("belot-") && name !== ENGINE && name !== PAGES).map((name) => caches.delete(name)),
  ));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
  if (path.startsWith("playground/")) event.respondWith(keptFirst(event.request));
  else if (LANGUAGES.includes(path.split("/")[0])) event.respondWith(freshFirst(event.request));
});

self.addEventListener("message", (event) => {
  const { keep, mine, engine } = event.data;
  if (LANGUAGES.includes(keep)) event.waitUntil(keepLanguage(keep).then(() => mine && keepRules(keep, mine)).catch(() => null));
  if (engine) event.waitUntil(keepEngine().catch(() => null));
});

const listOf = (language) => self.registration.scope + "playground/offline-" + language + ".json";

// Once for each edition of the pages; what was begun goes on at the next visit. The list itself is kept last.
async function keepLanguage(language) {
  const root = self.registration.scope + language + "/";
  const told = listOf(language);
  const pages = await caches.open(PAGES);
  if (await pages.match(told)) return;
  const list = await fetch(told);
  const wanted = (await list.clone().json()).map((path) => root + path);
  await keepAll(pages, wanted);
  await pages.put(told, list);
}

// The rules of the game that somebody plays, each with its page, once.
async function keepRules(language, variant) {
  const root = self.registration.scope + language + "/";
  const told = root + "mine/" + variant + ".json?rules";
  const pages = await caches.open(PAGES);
  if (await pages.match(told)) return;
  const own = await fetch(told);
  await keepAll(pages, Object.keys((await own.clone().json()).answers).filter((path) => path.startsWith("rules/")).map((path) => root + path));
  await pages.put(told, own);
}

async function keepAll(pages, wanted) {
  const one = async () => {
    for (let url = wanted.shift(); url; url = wanted.shift()) if (!(await pages.match(url))) await pages.add(url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

// Once somebody has used it; one file after another, so that whoever reads on need not wait for it.
async function keepEngine() {
  const kept = await caches.open(ENGINE);
  for (const name of ENGINE_FILES) {
    const url = self.registration.scope + "playground/" + name;
    if (!(await kept.match(url))) await kept.add(url);
  }
}

async function keptFirst(request) {
  const kept = await caches.open(ENGINE);
  const found = await kept.match(request, { ignoreSearch: true });
  if (found) return found;
  const fresh = await fetch(request);
  if (fresh.ok) kept.put(request, fresh.clone());
  return fresh;
}

async function freshFirst(request) {
  const pages = await caches.open(PAGES);
  const address = request.url.split("?")[0];
  const fresh = fetch(request).then((found) => {
    if (found.ok) pages.put(address, found.clone());
    return found;
  });
  const kept = await pages.match(address);
  if (!kept) return request.mode === "navigate" ? fresh.catch(() => notKept(request.url)) : fresh;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, kept));
  return Promise.race([fresh.catch(() => kept), late]);
}

// A page that is not kept: ours says so and leads to those that are; in a language that was never visited, that of another.
async function notKept(address) {
  const scope = self.registration.scope;
  const pages = await caches.open(PAGES);
  for (const language of [address.slice(scope.length).split("/")[0], ...LANGUAGES]) {
    const page = scope + language + "/offline/";
    if (!address.startsWith(page) && await pages.match(page)) return Response.redirect(page + "?from=" + encodeURIComponent(address));
  }
  return Response.error();
}
