import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { EndpointName } from '../../../shared/protocol/codes.ts';
import type { Settings } from '../../settings/settings.ts';
import { ForeignHosts, type ForeignHostsDependencies } from '../foreign-hosts.ts';
import { guardLocalRequest, isListedHost } from '../guards.ts';
import { createListener, type ListenerOptions } from '../listener.ts';
import type { ListenAddress } from '../listening.ts';
import { refuseRead } from '../local-access.ts';
import { protocolRoutes } from '../routes/protocol.ts';
import { answerServiceWorker } from '../service-worker.ts';
import type { ListenerKind, ServedStore } from './listener-kind.ts';

/** In lowercase; with it this node tells its own probe from other requests. */
export const PROBE_HEADER = 'x-wellhouse-probe';

export interface LocalListenerOptions {
  readonly log: Logger;
  readonly settings: Settings;
  /** Adds what it serves besides devices. */
  readonly addRoutes: (app: FastifyInstance) => void;
  /** Takes the mark of a request that was let in: this node's own probes bring one. */
  readonly onProbe: (mark: unknown) => void;
  readonly onRefused: NonNullable<ListenerOptions['onRefused']>;
  readonly onAnswered: NonNullable<ListenerOptions['onAnswered']>;
  /** Unix milliseconds. */
  readonly now: ForeignHostsDependencies['now'];
  /** Called when a request names a host for the first time that is not this machine. */
  readonly onForeignHost: ForeignHostsDependencies['onNew'];
}

/** Where the local listener listens: this machine alone. */
export function localAddress(port: number): ListenAddress {
  return { listener: 'local', host: '127.0.0.1', port, variable: 'LOCAL_PORT' };
}

/** The owner's own listener, over the private store. It asks for no proof of who calls, so its guards keep browsers off. */
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
      // A browser may know this port as another program's, from when the node was down.
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
