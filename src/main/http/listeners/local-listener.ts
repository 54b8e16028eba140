import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EndpointName } from '../../../shared/protocol/codes.ts';
import type { Settings } from '../../settings/settings.ts';
import { sendError } from '../errors.ts';
import { ForeignHosts, type ForeignHostsDependencies } from '../foreign-hosts.ts';
import { guardLocalRequest, isListedHost } from '../guards.ts';
import { createListener, type ListenerOptions } from '../listener.ts';
import type { ListenAddress } from '../listening.ts';
import { protocolRoutes } from '../routes/protocol.ts';
import type { ListenerKind, ServedStore } from './listener-kind.ts';

// Another program that used this port while the node was down may have registered a service worker. It stays in that
// browser and answers instead of the node. Browsers request its script again, at any path, and run the answer.

/** Deletes the caches, unregisters the service worker, and reloads the pages from the node. */
const SCRIPT = `addEventListener('install', (event) => event.waitUntil(skipWaiting()));
addEventListener('activate', (event) => event.waitUntil(leave()));
async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  await registration.unregister();
  for (const page of pages) await page.navigate(page.url).catch(() => {});
}
`;

/** Answers requests for a service worker's script; no page of ours makes them. Returns whether it was one. */
function answerServiceWorker(request: FastifyRequest, reply: FastifyReply): boolean {
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

/** The header, in lowercase, that marks this node's own probes. */
export const PROBE_HEADER = 'x-wellhouse-probe';

export interface LocalListenerOptions {
  readonly log: Logger;
  readonly settings: Settings;
  /** Adds the routes that are not for devices. */
  readonly addRoutes: (app: FastifyInstance) => void;
  /** Called with the mark of each accepted probe of this node. */
  readonly onProbe: (mark: unknown) => void;
  readonly onRefused: NonNullable<ListenerOptions['onRefused']>;
  readonly onAnswered: NonNullable<ListenerOptions['onAnswered']>;
  /** Unix milliseconds. */
  readonly now: ForeignHostsDependencies['now'];
  /** Called at the first request with a given host that is not this machine. */
  readonly onForeignHost: ForeignHostsDependencies['onNew'];
}

/** Returns the address of the local listener: only on this machine. */
export function localAddress(port: number): ListenAddress {
  return { listener: 'local', host: '127.0.0.1', port, variable: 'LOCAL_PORT' };
}

/** The owner's listener, over the private store. It has no authentication, so its guards keep browsers out. */
export class LocalListener implements ListenerKind {
  readonly name: EndpointName = 'local';
  readonly storeName = 'private';
  readonly hosts: ForeignHosts;
  readonly #options: LocalListenerOptions;
  #allowedHosts: readonly string[] = [];
  #readToken: string | null = null;

  constructor(options: LocalListenerOptions) {
    this.#options = options;
    const { log, now, onForeignHost: onNew } = options;
    this.hosts = new ForeignHosts({ log, now, onNew });
  }

  address({ localPort }: Settings): ListenAddress {
    return localAddress(localPort);
  }

  applySettings({ localAllowedHosts, localReadToken }: Settings): void {
    this.#readToken = localReadToken;
    this.#allowedHosts = localAllowedHosts;
  }

  createServer(served: ServedStore): FastifyInstance {
    const { log, settings, addRoutes, onProbe, onRefused, onAnswered } = this.#options;
    const { maxBodyBytes } = settings;
    const { name } = this;
    const options = {
      name,
      log,
      guard: (request: IncomingMessage) => {
        const refusal = guardLocalRequest(request, this.#allowedHosts);
        const mark = request.headers[PROBE_HEADER];
        if (mark === undefined) this.hosts.note(request, refusal, (host) => isListedHost(this.#allowedHosts, host));
        else if (refusal === null) onProbe(mark);
        return refusal;
      },
      // A browser may have used this port with another program while the node was down.
      intercept: (request: FastifyRequest, reply: FastifyReply) =>
        answerServiceWorker(request, reply) || refuseRead(request, reply, this.#readToken),
      rateLimits: null,
      onRefused,
      onAnswered,
      maxBodyBytes,
    };
    return createListener(options, (app) => {
      protocolRoutes(app, { name, ...served, rateLimits: null, admission: null, maxBodyBytes });
      addRoutes(app);
    });
  }
}

/** Refuses reads without the read token if one is set; returns whether it answered. */
function refuseRead(request: FastifyRequest, reply: FastifyReply, token: string | null): boolean {
  if (token === null || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  // The check uses the route, since a path has many spellings. An unknown route reveals nothing.
  if (request.routeOptions.url?.startsWith('/v1/') !== true) return false;
  const sent = Buffer.from(/^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
  const right = Buffer.from(token);
  if (sent.length === right.length && timingSafeEqual(sent, right)) return false;
  void sendError(reply.header('www-authenticate', 'Bearer'), 'unauthorized');
  return true;
}
