import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Destination } from '../shared/protocol/codes.ts';
import { sendJson } from './http/errors.ts';
import { createListener } from './http/listener.ts';
import { openApiText } from './http/openapi.ts';
import { RateLimits } from './http/rate-limits.ts';
import { deviceRoutes } from './http/routes/devices.ts';
import { healthRoute } from './http/routes/health.ts';
import { telemetryRoute } from './http/routes/telemetry.ts';
import { Ingest } from './ingest/ingest.ts';
import { Tally } from './ingest/tally.ts';
import { Turnstile } from './ingest/turnstile.ts';
import { UnregisteredDevices } from './ingest/unregistered-devices.ts';
import type { VerifierPool } from './ingest/verifier-pool.ts';
import { closeListeners, listen, urlOf } from './listening.ts';
import type { OwnerEvents } from './owner/events.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';

/** What an endpoint is made of. */
export interface EndpointParts {
  readonly destination: Destination;
  readonly settings: Settings;
  readonly log: Logger;
  /** The store of this endpoint, and no other. */
  readonly store: Store;
  readonly verifier: VerifierPool;
  /** Told of what happens, for the owner's view; null where there is none. */
  readonly events: OwnerEvents | null;
}

/** A listener that is open already and takes the place of the present one, or gives way. */
export interface OpenedListener {
  /** From now on it is the endpoint's; the one before answers what it has, and closes in the background. */
  readonly take: () => void;
  readonly giveUp: () => Promise<void>;
}

/**
 * One endpoint over one store: nothing in here can reach the other store. It outlives its listener, so that another
 * port loses nothing of what is under way or counted.
 */
export class Endpoint {
  readonly destination: Destination;
  readonly unregistered: UnregisteredDevices;
  readonly #parts: EndpointParts;
  readonly #tally: Tally;
  readonly #ingest: Ingest;
  readonly #rateLimits: RateLimits | null;
  readonly #turnstile: Turnstile | null;
  readonly #closing = new Set<Promise<void>>();
  #allowedHosts: readonly string[];
  #addRoutes: (app: FastifyInstance) => void = () => {};
  #app: FastifyInstance | null = null;

  constructor(parts: EndpointParts) {
    const { destination, settings, log, store, verifier, events } = parts;
    this.#parts = parts;
    this.destination = destination;
    this.unregistered = new UnregisteredDevices(destination, verifier, store.unregisteredDevices());
    this.#tally = new Tally(store, this.unregistered, log.child({ endpoint: destination }));
    if (events !== null) this.#tally.onWritten = () => events.attemptsChanged();
    const { rawBinding } = settings;
    const onStored = events === null ? null : (id: string, receivedAt: number) => events.stored(id, receivedAt);
    const { unregistered } = this;
    const tally = this.#tally;
    this.#ingest = new Ingest({ destination, store, verifier, rawBinding, tally, unregistered, onStored });
    this.#rateLimits = destination === 'public' ? new RateLimits(settings.publicRateLimit) : null;
    this.#turnstile = destination === 'public' ? new Turnstile(verifier) : null;
    this.#allowedHosts = settings.localAllowedHosts;
  }

  /** Where it listens; null where it does not. */
  get url(): string | null {
    return this.#app === null ? null : urlOf(this.#app, this.destination);
  }

  /** Adds routes to every listener that is opened from now on. */
  alsoServe(addRoutes: (app: FastifyInstance) => void): void {
    this.#addRoutes = addRoutes;
  }

  /** What may change under a listener that stays. */
  applyLimits({ localAllowedHosts, publicRateLimit }: Settings): void {
    this.#allowedHosts = localAllowedHosts;
    if (this.#rateLimits !== null) this.#rateLimits.perSecond = publicRateLimit;
  }

  /** Opens a listener at a port beside the present one. Throws StartError, with nothing changed. */
  async open(port: number): Promise<OpenedListener> {
    const app = this.#createListener();
    try {
      await listen(app, this.destination, port);
    } catch (error) {
      await app.close();
      throw error;
    }
    return {
      take: () => {
        const before = this.#app;
        this.#app = app;
        this.#retire(before);
      },
      giveUp: () => closeListeners([app]),
    };
  }

  /** Accepts nothing more; what is in flight is answered in the background, which `close` waits for. */
  stopListening(): void {
    const before = this.#app;
    this.#app = null;
    this.#retire(before);
  }

  /** Stops listening and resolves once all has been answered, or after 5 s. */
  async closeListeners(): Promise<void> {
    this.stopListening();
    await Promise.all(this.#closing);
  }

  /** Writes the counts that are not written yet; to be called once nothing listens. */
  async close(): Promise<void> {
    await this.#tally.close();
  }

  #retire(app: FastifyInstance | null): void {
    if (app === null) return;
    const closing = closeListeners([app])
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'a listener did not close cleanly'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #createListener(): FastifyInstance {
    const { destination, log, store, events, settings } = this.#parts;
    const { maxBodyBytes } = settings;
    const rateLimits = this.#rateLimits;
    const allowedHosts = () => this.#allowedHosts;
    const onRegistered = (id: string) => {
      this.unregistered.registered(id);
      events?.devicesChanged();
    };
    const onStorageFault = () => events?.storageFailed();
    return createListener({ destination, log, rateLimits, allowedHosts, maxBodyBytes, onStorageFault }, (app) => {
      healthRoute(app);
      deviceRoutes(app, { store, rateLimits, maxBodyBytes, onRegistered });
      telemetryRoute(app, { ingest: this.#ingest, rateLimits, turnstile: this.#turnstile, maxBodyBytes });
      let description: string | undefined;
      app.get('/openapi.json', (_request, reply) => {
        description ??= openApiText(destination, VERSION);
        return sendJson(reply, description);
      });
      this.#addRoutes(app);
    });
  }
}
