import { existsSync, mkdirSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
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
import { loadOrCreateIdentity } from './identity.ts';
import { Ingest } from './ingest/ingest.ts';
import { Tally } from './ingest/tally.ts';
import { UnregisteredDevices } from './ingest/unregistered-devices.ts';
import { VerifierPool } from './ingest/verifier-pool.ts';
import { lockDataDir } from './node-lock.ts';
import { OwnerEvents } from './owner/events.ts';
import type { OwnerService } from './owner/service.ts';
import { type OwnerView, openOwnerView } from './owner/view.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { prepareStore } from './store/database.ts';
import { Store } from './store/store.ts';
import type { StoreBounds } from './store/write-jobs.ts';
import { WriterThread } from './store/writer.ts';
import { VERSION } from './version.ts';

/** How long a stop waits for requests in flight. */
const STOP_WITHIN_MS = 5000;
const CLOSE_IDLE_EVERY_MS = 20;
/** Strangers never get the last of the disk: the private store needs it. */
const MIN_FREE_BYTES = 512 * 1024 ** 2;

const HOSTS: Record<Destination, string> = { public: '0.0.0.0', local: '127.0.0.1' };
const STORE_FILES: Record<Destination, string> = { public: 'public.db', local: 'private.db' };

/** A running node. */
export interface Node {
  /** Its public key, lowercase hex. */
  readonly publicKey: string;
  /** Where the endpoints listen; null where the public one is off. */
  readonly publicUrl: string | null;
  readonly localUrl: string;
  /** What the owner's view calls; null where it was not asked for. */
  readonly owner: OwnerService | null;
  /** Opens the owner's view in a browser, and is as secret as its token; null where there is no browser home. */
  readonly uiLink: string | null;
  /** Stops accepting, finishes what is in flight (at most 5 s), commits and closes. */
  stop(): Promise<void>;
}

/** What a node does for its owner besides serving devices. */
export interface NodeOptions {
  /** Where the owner's view is at home; null: nowhere. */
  readonly ownerView: 'browser' | 'desktop' | null;
  /** Replaces the token of the browser home. */
  readonly newUiToken?: boolean;
}

/** Parts that are stopped in the reverse order of their start, each even if another fails. */
class Shutdown {
  readonly #steps: (() => unknown)[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.#log.error({ err: error }, 'a part did not stop cleanly');
      }
    }
  }
}

/** Starts a node. Throws StartError, with everything closed again, where it can't. */
export async function startNode(
  settings: Settings,
  log: Logger,
  options: NodeOptions = { ownerView: null },
): Promise<Node> {
  const shutdown = new Shutdown(log);
  try {
    return await compose(settings, log, shutdown, options);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function compose(settings: Settings, log: Logger, shutdown: Shutdown, options: NodeOptions): Promise<Node> {
  const dataDir = resolve(settings.dataDir);
  makeDataDir(dataDir);
  shutdown.add(lockDataDir(dataDir));
  const storePaths = { public: join(dataDir, STORE_FILES.public), local: join(dataDir, STORE_FILES.local) };
  const identity = loadOrCreateIdentity(dataDir, existsSync(storePaths.public) || existsSync(storePaths.local));

  const destinations: Destination[] = settings.publicEnabled ? ['local', 'public'] : ['local'];
  for (const destination of destinations) {
    const path = storePaths[destination];
    if (!identity.created && !existsSync(path))
      log.warn({ store: path }, 'there is no such store beside the identity: made a new, empty one');
    prepareStore(path, destination);
  }
  const writerThread = new WriterThread(log);
  shutdown.add(() => writerThread.close());
  const verifier = new VerifierPool(log);
  shutdown.add(() => verifier.close());

  const urls: Record<Destination, string | null> = { public: null, local: null };
  const stores: Partial<Record<Destination, Store>> = {};
  const openStore = async (destination: Destination): Promise<Store> => {
    const bounds = destination === 'public' ? publicBounds(settings) : null;
    const path = storePaths[destination];
    const writer = await writerThread.open({ path, durability: settings.durability, bounds });
    const store = new Store(path, writer, identity.publicKey);
    shutdown.add(() => store.close());
    stores[destination] = store;
    return store;
  };
  const events = options.ownerView === null ? null : new OwnerEvents();
  const endpoints: Partial<Record<Destination, Endpoint>> = {};
  for (const destination of destinations) {
    const store = await openStore(destination);
    endpoints[destination] = endpoint(destination, { settings, log, store, verifier, shutdown, events });
  }
  let view: OwnerView | null = null;
  if (events !== null) {
    const home = options.ownerView!;
    if (stores.public === undefined && isUsable(storePaths.public, log)) await openStore('public');
    const parts = {
      log,
      nodeInfo: () => {
        return { version: VERSION, publicKey: identity.publicKey, ...urlsOf(urls), dataDir, home };
      },
      stores: { private: stores.local!, public: stores.public ?? null },
      paths: { private: storePaths.local, public: stores.public === undefined ? null : storePaths.public },
      unregistered: new Map(destinations.map((destination) => [destination, endpoints[destination]!.unregistered])),
      events,
    };
    const app = home === 'browser' ? endpoints.local!.app : null;
    view = openOwnerView(parts, app, { dataDir, newUiToken: options.newUiToken ?? false });
    shutdown.add(() => view!.service.close());
  }
  const listeners = Object.values(endpoints).map(({ app }) => app);
  shutdown.add(() => closeListeners(listeners));
  if (view !== null) shutdown.add(() => view.service.stopSoon());
  for (const destination of destinations) {
    urls[destination] = await listen(endpoints[destination]!.app, destination, settings);
  }
  const node = { publicKey: identity.publicKey, ...urlsOf(urls) };
  log.info({ version: VERSION, ...node, dataDir }, 'node started');
  return {
    ...node,
    owner: view?.service ?? null,
    uiLink: view?.token == null ? null : `${node.localUrl}/ui/#token=${view.token}`,
    stop: async () => {
      await shutdown.run();
      log.info('node stopped');
    },
  };
}

function urlsOf(urls: Record<Destination, string | null>) {
  return { publicUrl: urls.public, localUrl: urls.local! };
}

/** Whether the public store of a node whose public endpoint is off can be shown; it is never made for that alone. */
function isUsable(path: string, log: Logger): boolean {
  if (!existsSync(path)) return false;
  try {
    prepareStore(path, 'public');
    return true;
  } catch (error) {
    log.warn({ reason: (error as Error).message }, 'the public store is not shown');
    return false;
  }
}

/** An endpoint that does not listen yet. */
interface Endpoint {
  readonly app: FastifyInstance;
  readonly unregistered: UnregisteredDevices;
}

interface EndpointParts {
  readonly settings: Settings;
  readonly log: Logger;
  /** The store of this endpoint, and no other. */
  readonly store: Store;
  readonly verifier: VerifierPool;
  readonly shutdown: Shutdown;
  /** Told of what happens, for the owner's view; null where there is none. */
  readonly events: OwnerEvents | null;
}

/** One endpoint over one store: nothing in here can reach the other store. */
function endpoint(
  destination: Destination,
  { settings, log, store, verifier, shutdown, events }: EndpointParts,
): Endpoint {
  const unregistered = new UnregisteredDevices(destination, verifier, store.unregisteredDevices());
  const tally = new Tally(store, unregistered, log.child({ endpoint: destination }));
  shutdown.add(() => tally.close());
  if (events !== null) tally.onWritten = () => events.attemptsChanged();
  const { maxBodyBytes, rawBinding } = settings;
  const onStored = events === null ? null : (id: string, receivedAt: number) => events.stored(id, receivedAt);
  const ingest = new Ingest({ destination, store, verifier, rawBinding, tally, unregistered, onStored });
  const rateLimits = destination === 'public' ? new RateLimits(settings.publicRateLimit) : null;
  const guards = { destination, log, rateLimits, allowedHosts: settings.localAllowedHosts, maxBodyBytes };
  const onRegistered = (id: string) => {
    unregistered.registered(id);
    events?.devicesChanged();
  };
  const app = createListener(guards, (app) => {
    healthRoute(app);
    deviceRoutes(app, { store, rateLimits, maxBodyBytes, onRegistered });
    telemetryRoute(app, { ingest, rateLimits, maxBodyBytes });
    let description: string | undefined;
    app.get('/openapi.json', (_request, reply) => {
      description ??= openApiText(destination, VERSION);
      return sendJson(reply, description);
    });
  });
  return { app, unregistered };
}

function publicBounds({ publicMaxDevices, publicMaxBytes }: Settings): StoreBounds {
  return { maxDevices: publicMaxDevices, maxBytes: publicMaxBytes, minFreeBytes: MIN_FREE_BYTES };
}

/** Not mkdir's own `recursive`: below /proc it tries for ever. */
function makeFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} can't be made (${(error as Error).message}); set another one`);
  }
}

async function listen(app: FastifyInstance, destination: Destination, settings: Settings): Promise<string> {
  const host = HOSTS[destination];
  const variable = destination === 'public' ? 'PUBLIC_PORT' : 'LOCAL_PORT';
  const port = destination === 'public' ? settings.publicPort : settings.localPort;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const message = `port ${port} is taken; stop the program that uses it, or set ${variable} to another port`;
      throw new StartError(message, { destination, port });
    }
    throw new StartError(`${host}:${port} can't be opened (${message}); set ${variable} to another port`);
  }
  return `http://${host}:${(app.server.address() as AddressInfo).port}`;
}

/** Answers what is in flight; after the deadline the rest is cut off. */
async function closeListeners(listeners: readonly FastifyInstance[]): Promise<void> {
  const deadline = setTimeout(() => {
    for (const { server } of listeners) server.closeAllConnections();
  }, STOP_WITHIN_MS);
  // A connection that is kept alive would be waited for although its last request has been answered.
  const idle = setInterval(() => {
    for (const { server } of listeners) server.closeIdleConnections();
  }, CLOSE_IDLE_EVERY_MS);
  await Promise.all(listeners.map((app) => app.close()));
  clearTimeout(deadline);
  clearInterval(idle);
}
