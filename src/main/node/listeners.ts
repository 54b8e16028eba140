import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { EndpointName } from '../../shared/protocol/codes.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { ListenerKind } from '../http/listeners/listener-kind.ts';
import { closeServer, listen, urlOf } from '../http/listening.ts';
import type { Settings } from '../settings/settings.ts';
import type { Intakes } from './intakes.ts';
import type { Part } from './part.ts';

export interface ListenersDependencies {
  readonly kinds: readonly ListenerKind[];
  readonly intakes: Intakes;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
}

/** The node's listeners, which follow its settings. */
export class Listeners implements Part {
  readonly name = 'listeners';
  readonly #dependencies: ListenersDependencies;
  readonly #servers = new Map<ListenerKind, FastifyInstance>();
  readonly #closing = new Set<Promise<void>>();
  #settings: Settings | null = null;

  constructor(dependencies: ListenersDependencies) {
    this.#dependencies = dependencies;
  }

  /** The URL of each listener; null if it does not listen. */
  get urls(): Record<EndpointName, string | null> {
    const urls: Record<EndpointName, string | null> = { local: null, public: null };
    for (const [{ name }, server] of this.#servers) urls[name] = urlOf(server);
    return urls;
  }

  async start(): Promise<void> {
    await this.#follow(this.#dependencies.settings);
  }

  /** Applies new settings, all or none: rejects with StartError if an address is not available. One call at a time. */
  async apply(settings: Settings): Promise<void> {
    const before = JSON.stringify(this.urls);
    await this.#follow(settings);
    const { urls } = this;
    if (JSON.stringify(urls) === before) return;
    this.#dependencies.log.info({ publicUrl: urls.public, localUrl: urls.local }, 'listeners changed');
    this.#dependencies.events.emit('listenersChanged', () => ({ urls }));
  }

  /** Stops listening; resolves once all requests have been answered, or after 5 s. */
  async stop(): Promise<void> {
    for (const kind of this.#servers.keys()) this.#replace(kind, null);
    await Promise.all(this.#closing);
  }

  /** Opens the new addresses before it closes others, so that an unavailable one changes nothing. */
  async #follow(settings: Settings): Promise<void> {
    const opened = new Map<ListenerKind, FastifyInstance>();
    try {
      for (const kind of this.#dependencies.kinds) {
        if (this.#isToOpen(kind, settings)) opened.set(kind, await this.#open(kind, settings));
      }
    } catch (error) {
      await Promise.all([...opened.values()].map(closeServer));
      throw error;
    }
    for (const kind of this.#dependencies.kinds) {
      if (opened.has(kind)) this.#replace(kind, opened.get(kind)!);
      else if (kind.address(settings) === null) this.#replace(kind, null);
      kind.applySettings(settings);
    }
    this.#settings = settings;
  }

  #isToOpen(kind: ListenerKind, settings: Settings): boolean {
    const address = kind.address(settings);
    if (address === null) return false;
    const before = this.#settings === null ? null : kind.address(this.#settings);
    return before === null || before.host !== address.host || before.port !== address.port;
  }

  async #open(kind: ListenerKind, settings: Settings): Promise<FastifyInstance> {
    const server = kind.createServer(await this.#dependencies.intakes.open(kind.storeName));
    try {
      await listen(server, kind.address(settings)!);
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /**
   * Replaces the server of a listener. The former one answers its requests and closes in the background; `stop` waits
   * for it.
   */
  #replace(kind: ListenerKind, server: FastifyInstance | null): void {
    const before = this.#servers.get(kind);
    if (server === null) this.#servers.delete(kind);
    else this.#servers.set(kind, server);
    if (before === undefined) return;
    const closing = closeServer(before)
      .catch((error: unknown) => this.#dependencies.log.error({ err: error }, 'a listener did not close cleanly'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
