import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { hostPort } from '../../shared/host-port.ts';
import { get } from '../common/http-client.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { PROBE_HEADER } from '../http/listeners/local-listener.ts';
import type { Part } from './part.ts';

const HOUR_MS = 3_600_000;
/** The timeout is long: a busy machine is slow, and the next check is an hour away. */
const TIMEOUT_MS = 5000;

export interface ExposureDependencies {
  readonly localUrl: () => string;
  /** This machine's addresses on its networks. */
  readonly addresses: () => readonly string[];
  readonly events: NodeEvents;
  readonly log: Logger;
}

/**
 * Checks at each of this machine's other addresses whether the local endpoint answers there. The endpoint binds only to
 * loopback, but a proxy or a VPN client on this machine may forward requests to it. Checks at the start, every hour,
 * and when the endpoint's address changes.
 */
export class Exposure implements Part {
  readonly name = 'exposure';
  readonly #dependencies: ExposureDependencies;
  /** The mark of the latest accepted probe. */
  #seen = '';
  #found: readonly string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #end: (() => void) | null = null;
  readonly #stopping = new AbortController();

  constructor(dependencies: ExposureDependencies) {
    this.#dependencies = dependencies;
  }

  /** The addresses, with port, at which the local endpoint answered. */
  get found(): readonly string[] {
    return this.#found;
  }

  /** Call this with the mark of each accepted request at the local endpoint. */
  readonly onProbe = (mark: unknown): void => {
    if (typeof mark === 'string') this.#seen = mark;
  };

  start(): void {
    this.#timer = setInterval(() => void this.#look(), HOUR_MS).unref();
    this.#end = this.#dependencies.events.on('listenersChanged', () => void this.#look());
    // The start does not wait for it: an address that drops packets would delay the start.
    void this.#look();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#end?.();
    this.#stopping.abort();
  }

  async #look(): Promise<void> {
    const port = Number(new URL(this.#dependencies.localUrl()).port || 80);
    const found: string[] = [];
    // Probes run one after another, so that the latest mark is from this probe or an earlier one.
    for (const address of this.#dependencies.addresses()) {
      const mark = randomUUID();
      await probe(address, port, mark, this.#stopping.signal);
      if (this.#seen === mark) found.push(hostPort(address, port));
    }
    if (found.length > 0) {
      const text =
        'THE LOCAL ENDPOINT ANSWERS OTHER MACHINES: anyone who reaches these addresses can read every private reading';
      this.#dependencies.log.error({ addresses: found }, text);
    }
    if (found.join() === this.#found.join()) return;
    this.#found = found;
    this.#dependencies.events.emit('exposureChanged', () => ({}));
  }
}

/** Sends one request; resolves for any outcome. */
function probe(address: string, port: number, mark: string, stopping: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), stopping]);
    const request = get({
      host: address,
      port,
      path: '/health',
      agent: false,
      signal,
      headers: { [PROBE_HEADER]: mark },
    });
    request.on('response', (response) => response.resume());
    request.on('error', () => resolve());
    request.on('close', resolve);
  });
}
