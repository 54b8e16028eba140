import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { hostPort } from '../../../shared/host-port.ts';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import { isEveryAddress } from '../../../shared/private-address.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { isOwnAddress } from '../../common/own-address.ts';
import { AddressFollower, type Place } from '../../http/address-follower.ts';
import { sendError } from '../../http/errors.ts';
import { guardLocalRequest } from '../../http/guards.ts';
import { createListener } from '../../http/listener.ts';
import { refusalsOf } from '../../http/refusals.ts';
import type { Settings } from '../../settings/settings.ts';
import { CONTENT_TYPES, type Exposition, expositionFor } from './exposition.ts';

const PAGE = '/operator';
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
} as const;

export interface MetricsListenerDependencies {
  readonly log: Logger;
  readonly events: NodeEvents;
  readonly write: (format: Exposition) => Promise<string>;
  /** Returns the operator's page of a shared store, at /operator; undefined if there is no such store. */
  readonly page?: (query: { readonly posting: number; readonly before: string | null }) => Promise<string>;
  readonly onChange: () => void;
}

/**
 * The listener for Prometheus, with one path. On a loopback address it needs no token; on any other address it does not
 * listen without one.
 */
export class MetricsListener {
  readonly #dependencies: MetricsListenerDependencies;
  readonly #follower: AddressFollower<'token'>;
  #token: string | null = null;

  constructor(dependencies: MetricsListenerDependencies) {
    this.#dependencies = dependencies;
    this.#follower = new AddressFollower<'token'>({
      name: 'metrics listener',
      log: dependencies.log,
      place: null,
      isHere: (address) => isEveryAddress(address) || isOwnAddress(address),
      prepare: async ({ address }) => {
        return this.#token === null && !isLoopback(address) ? { reason: 'token', detail: null } : null;
      },
      createServer: () => this.#createServer(),
      onChange: () => dependencies.onChange(),
    });
  }

  get standing(): Connections['metrics'] {
    const { standing } = this.#follower;
    if (standing.state === 'off') return { state: 'off', url: null, reason: null, detail: null };
    const url = `http://${hostPort(standing.address, standing.port)}/metrics`;
    if (standing.state === 'listening') return { state: 'listening', url, reason: null, detail: null };
    return { state: 'waiting', url, reason: standing.reason, detail: standing.detail };
  }

  /** Applies the settings and the token. */
  async apply({ metricsPort, metricsAddress }: Settings, token: string | null): Promise<void> {
    const wasOpen = this.#token === null;
    this.#token = token;
    const place: Place | null = metricsPort === null ? null : { address: metricsAddress, port: metricsPort };
    // A server that required a token must not continue without one.
    if (token === null && !wasOpen) await this.#follower.moveTo(null);
    await this.#follower.moveTo(place);
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
  }

  #createServer(): FastifyInstance {
    const { log, events, write, page } = this.#dependencies;
    return createListener(
      {
        ...{ name: 'metrics', log, rateLimits: null, maxBodyBytes: 1024, hidesTheRest: true },
        onRefused: refusalsOf(events, 'metrics'),
        // Without a token, a web page in any browser on this machine could try to reach it.
        guard: (request: IncomingMessage) => (this.#token === null ? guardLocalRequest(request, []) : null),
        intercept: (request, reply) => {
          if (this.#isAllowed(request)) return false;
          const scheme = request.url.startsWith(PAGE) ? 'Basic realm="Wellhouse", charset="UTF-8"' : 'Bearer';
          void sendError(reply.header('www-authenticate', scheme), 'unauthorized');
          return true;
        },
      },
      (app) => {
        app.get('/metrics', async (request, reply) => {
          const format = expositionFor(request.headers.accept);
          return reply.header('content-type', CONTENT_TYPES[format]).send(await write(format));
        });
        if (page === undefined) return;
        app.get<{ Querystring: Record<string, unknown> }>(PAGE, async ({ query }, reply) => {
          const posting = /^\d{1,6}$/.test(String(query.posting)) ? Number(query.posting) : 0;
          const before = /^[0-9a-f]{64}$/.test(String(query.before)) ? String(query.before) : null;
          return reply.headers(PAGE_HEADERS).send(await page({ posting, before }));
        });
      },
    );
  }

  #isAllowed({ headers }: FastifyRequest): boolean {
    if (this.#token === null) return true;
    const sent = Buffer.from(sentToken(headers.authorization ?? ''));
    const right = Buffer.from(this.#token);
    return sent.length === right.length && timingSafeEqual(sent, right);
  }
}

/** Returns the token of a request. A browser sends it as the password of any user. */
function sentToken(authorization: string): string {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+) *$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}
