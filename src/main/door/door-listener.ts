import type { IncomingMessage, RequestListener, ServerOptions } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { guardDoorRequest } from '../http/guards.ts';
import { HANDSHAKE_TIMEOUT_MS, limitHandshakes, type TlsConnections } from '../http/limits/handshakes.ts';
import { KnownAddresses } from '../http/limits/known-addresses.ts';
import { RateLimits } from '../http/limits/rate-limits.ts';
import { createListener, type ListenerOptions } from '../http/listener.ts';
import type { Settings } from '../settings/settings.ts';
import type { DoorTls } from './tls/certificate.ts';

export interface DoorListenerOptions {
  readonly log: Logger;
  readonly settings: Settings;
  /** The certificate in use. */
  readonly tls: () => DoorTls;
  readonly onRefused: NonNullable<ListenerOptions['onRefused']>;
  readonly onAnswered: NonNullable<ListenerOptions['onAnswered']>;
  /** The latest addresses of the paired clients. */
  readonly lastAddresses: readonly string[];
}

/** More than any call needs; a keystore has a separate limit. */
const MAX_BODY_BYTES = 1024 ** 2;

/**
 * The listener for people: only TLS, without the devices' protocol. It outlives its servers, so that a change of
 * address does not reset the limits.
 */
export class DoorListener {
  readonly #options: DoorListenerOptions;
  readonly #rateLimits: RateLimits;
  readonly #known = new KnownAddresses();
  #server: Server | null = null;
  #connections: TlsConnections | null = null;

  constructor(options: DoorListenerOptions) {
    this.#options = options;
    // A proxy on this machine may forward requests from anywhere over loopback.
    this.#rateLimits = new RateLimits(options.settings.publicRateLimit, { sparesLoopback: false, known: this.#known });
    for (const address of options.lastAddresses) this.#known.add(address);
  }

  /** Applies the settings that can change without a new server. */
  applySettings({ publicRateLimit }: Settings): void {
    this.#rateLimits.perSecond = publicRateLimit;
  }

  /** Uses the present certificate for new connections; open ones stay. */
  followCertificate(): void {
    this.#server?.setSecureContext(tlsOptions(this.#options.tls()));
  }

  /** Records that a paired client uses a connection. Strangers' connections are closed before it. */
  letIn(socket: Socket): void {
    this.#connections?.letIn(socket);
  }

  /** Creates a server, which does not listen yet. */
  createServer(addRoutes: (app: FastifyInstance) => void): FastifyInstance {
    const { log, tls, onRefused, onAnswered } = this.#options;
    const options = {
      name: 'door' as const,
      log,
      guard: (request: IncomingMessage) => guardDoorRequest(request, (name) => tls().facts.isName(name)),
      rateLimits: this.#rateLimits,
      onRefused,
      onAnswered,
      maxBodyBytes: MAX_BODY_BYTES,
      hidesTheRest: true,
      createServer: (options: ServerOptions, handler: RequestListener) => {
        const server = createServer(
          { ...options, ...tlsOptions(tls()), handshakeTimeout: HANDSHAKE_TIMEOUT_MS },
          handler,
        );
        this.#connections = limitHandshakes(server, this.#known);
        // A client without TLS gets no answer.
        server.on('tlsClientError', (_error, socket) => socket.destroy());
        this.#server = server;
        return server;
      },
    };
    return createListener(options, addRoutes);
  }
}

/**
 * Cipher suites with forward secrecy and authenticated encryption: those of TLS 1.3, and the equivalent ones of 1.2.
 */
const CIPHERS = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ...['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305', 'ECDHE-RSA-AES128-GCM-SHA256'],
].join(':');

function tlsOptions({ cert, key }: DoorTls) {
  return { cert, key, minVersion: 'TLSv1.2', ciphers: CIPHERS } as const;
}
