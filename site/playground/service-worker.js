// Keeps the playground on the device: its engine until there is a newer one, its page for when there is no network.
const KEPT = "belot-{version}";
const OFFLINE = /^(en|nl)\/(try|house-rules|assets|mine)\//;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(
    names.filter((name) => name.startsWith("belot-") && name !== KEPT).map((name) => caches.delete(name)),
  ));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  const path = url.pathname.slice(new URL(self.registration.scope).pathname.length);
  if (path.startsWith("playground/")) event.respondWith(keptFirst(event.request));
  else if (OFFLINE.test(path)) event.respondWith(freshFirst(event.request));
});

// What a page had loaded before this worker stood: asked for again, which the browser mostly answers from its own store.
self.addEventListener("message", (event) => {
  const scope = self.registration.scope;
  const wanted = event.data.keep.filter((url) => url.startsWith(scope) && OFFLINE.test(url.slice(scope.length)));
  event.waitUntil(Promise.all([...new Set(wanted)].map((url) => freshFirst(new Request(url)).catch(() => null))));
});

async function keptFirst(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request, { ignoreSearch: true });
  if (found) return found;
  const fresh = await fetch(request);
  if (fresh.ok) kept.put(request, fresh.clone());
  return fresh;
}

async function freshFirst(request) {
  const kept = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) kept.put(request.url.split("?")[0], fresh.clone());
    return fresh;
  } catch (error) {
    const found = await kept.match(request.url.split("?")[0]);
    if (found) return found;
    throw error;
  }
}
