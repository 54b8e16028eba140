import type { FastifyReply, FastifyRequest } from 'fastify';

// A program that had this port while the node was down may have registered a service worker, which outlives it and
// answers for the node in that browser. Browsers ask for its script again, by whatever path, and take what they are given.

/** Deletes what was cached, takes itself out, and has the pages loaded again from the node. */
const SCRIPT = `addEventListener('install', (event) => event.waitUntil(skipWaiting()));
addEventListener('activate', (event) => event.waitUntil(leave()));
async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  await registration.unregister();
  for (const page of pages) await page.navigate(page.url).catch(() => {});
}
`;

/** Answers the request for the script of a service worker, which no page of ours makes. Returns whether it was one. */
export function answerServiceWorker(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.headers['service-worker'] !== 'script') return false;
  reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'",
      'content-type': 'text/javascript; charset=utf-8',
      'service-worker-allowed': '/',
    })
    .send(SCRIPT);
  return true;
}
