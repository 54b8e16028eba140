import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { ErrorText } from '../../shared/protocol/errors.ts';
import { hostName, isLiteral, isLoopbackName } from './guards.ts';

/** A home has fewer tunnels. The limit bounds the cost of addresses that a stranger invents. */
const MAX_HOSTS = 20;

/** A Host header of requests to the local endpoint that does not name this machine. */
export interface ForeignHost {
  /** A name or an IP literal, without the port. */
  readonly host: string;
  /** Whether such requests are accepted; false if the host is a public address that is not listed. */
  readonly isLetIn: boolean;
  readonly count: number;
  /** Unix milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface ForeignHostsDependencies {
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called when a host is seen for the first time. */
  readonly onNew: () => void;
}

/**
 * The foreign hosts in requests to the local endpoint. They are the only sign of a tunnel or a proxy that adds no
 * header. Each is logged once.
 */
export class ForeignHosts {
  readonly #dependencies: ForeignHostsDependencies;
  readonly #byHost = new Map<string, ForeignHost>();

  constructor(dependencies: ForeignHostsDependencies) {
    this.#dependencies = dependencies;
  }

  /** In order of their first request. */
  get all(): readonly ForeignHost[] {
    return [...this.#byHost.values()];
  }

  /** Call this with each request and its refusal. `isListed` returns whether the owner allowed a host by name. */
  note(request: IncomingMessage, refusal: ErrorText | null, isListed: (name: string) => boolean): void {
    const name = hostName(request);
    if (name === null || isLoopbackName(name) || isListed(name)) return;
    if (refusal !== null && !(refusal === 'host_not_allowed' && isLiteral(name))) return;
    const known = this.#byHost.get(name);
    if (known === undefined && this.#byHost.size >= MAX_HOSTS) return;
    const [now, isLetIn] = [this.#dependencies.now(), refusal === null];
    const { count = 0, firstAt = now } = known ?? {};
    this.#byHost.set(name, { host: name, isLetIn, count: count + 1, firstAt, lastAt: now });
    if (known?.isLetIn === isLetIn) return;
    this.#log(name, isLetIn);
    this.#dependencies.onNew();
  }

  #log(host: string, isLetIn: boolean): void {
    const { log } = this.#dependencies;
    if (isLetIn) {
      log.warn(
        { host },
        'a tunnel or proxy forwards requests from another host to the local endpoint: anyone who reaches that host can read every private reading; set LOCAL_READ_TOKEN if that is intended',
      );
    } else {
      log.warn(
        { host },
        'a request to the local endpoint names a public address and was refused: if your own tunnel has this address, list it in LOCAL_ALLOWED_HOSTS',
      );
    }
  }
}
