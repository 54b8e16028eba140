import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { ErrorText } from '../../shared/protocol/errors.ts';
import { hostName, isLiteral, isLoopbackName } from './guards.ts';

/** More than a home has tunnels; bounds what a stranger's invented addresses cost. */
const MAX_HOSTS = 20;

/** A Host of requests to the local endpoint that is not this machine itself. */
export interface ForeignHost {
  /** A name or an IP literal, without the port. */
  readonly host: string;
  /** Whether such a request was let in; false: it is a public address that is not listed. */
  readonly isLetIn: boolean;
  readonly count: number;
  /** Unix milliseconds. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The dependencies of watching the Host header. */
export interface ForeignHostsDependencies {
  readonly log: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called when a host is seen for the first time. */
  readonly onNew: () => void;
}

/**
 * The hosts by which something carries requests to the local endpoint, such as a tunnel or a proxy that adds no header: nothing
 * else shows that there is one. Each is logged once.
 */
export class ForeignHosts {
  readonly #dependencies: ForeignHostsDependencies;
  readonly #byHost = new Map<string, ForeignHost>();

  constructor(dependencies: ForeignHostsDependencies) {
    this.#dependencies = dependencies;
  }

  /** In the order in which they were first seen. */
  get all(): readonly ForeignHost[] {
    return [...this.#byHost.values()];
  }

  /** Call this with each request and what it was refused with; `isListed`: the owner allowed its host by name. */
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
        'something carries requests from another host to the local endpoint: whoever reaches it there can read every private reading; set LOCAL_READ_TOKEN if that is intended',
      );
    } else {
      log.warn(
        { host },
        'a request to the local endpoint names a public address and was refused: if your own tunnel has this address, list it in LOCAL_ALLOWED_HOSTS',
      );
    }
  }
}
