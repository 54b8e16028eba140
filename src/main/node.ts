import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Destination } from '../shared/protocol/codes.ts';
import { makeDataDir } from './data-folder.ts';
import { Endpoint, type OpenedListener } from './endpoint.ts';
import { loadOrCreateIdentity } from './identity.ts';
import type { UnregisteredDevices } from './ingest/unregistered-devices.ts';
import { VerifierPool } from './ingest/verifier-pool.ts';
import { lockDataDir } from './node-lock.ts';
import { OwnerEvents } from './owner/events.ts';
import type { OwnerService, SettingsCalls } from './owner/service.ts';
import { forgetUiAddress, keepUiAddress } from './owner/ui-address.ts';
import { linkOf } from './owner/ui-token.ts';
import { type OwnerView, openOwnerView } from './owner/view.ts';
import type { Settings } from './settings.ts';
import { Shutdown } from './shutdown.ts';
import { prepareStore } from './store/database.ts';
import { Store } from './store/store.ts';
import { refuseLogWithoutStore } from './store/store-check.ts';
import type { StoreBounds } from './store/write-jobs.ts';
import { WriterThread } from './store/writer.ts';
import { VERSION } from './version.ts';

/** Strangers never get the last of the disk: the private store needs it. */
const MIN_FREE_BYTES = 512 * 1024 ** 2;
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
  /**
   * Listens as the settings say from now on: other ports, the public endpoint on or off, other limits; the stores stay.
   * All of it or nothing: throws StartError where a port can't be had. One call at a time.
   */
  applySettings(settings: Settings): Promise<void>;
  /** Stops accepting, finishes what is in flight (at most 5 s), commits and closes. */
  stop(): Promise<void>;
}

/** What a node does for its owner besides serving devices. */
export interface NodeOptions {
  /** Where the owner's view is at home; null: nowhere. */
  readonly ownerView: 'browser' | 'desktop' | null;
  /** Replaces the token of the browser home. */
  readonly newUiToken?: boolean;
  /** What answers the owner's calls that concern settings. */
  readonly settingsCalls: SettingsCalls;
}

/** Starts a node. Throws StartError, with everything closed again, where it can't. */
export async function startNode(settings: Settings, log: Logger, options: NodeOptions): Promise<Node> {
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
  forgetUiAddress(dataDir);
  const storePaths = { public: join(dataDir, STORE_FILES.public), local: join(dataDir, STORE_FILES.local) };
  // Before anything is made.
  refuseLogWithoutStore(storePaths.local);
  if (settings.publicEnabled) refuseLogWithoutStore(storePaths.public);
  const identity = loadOrCreateIdentity(dataDir, existsSync(storePaths.public) || existsSync(storePaths.local));
  const { publicKey } = identity;
  const prepare = (destination: Destination) => {
    const path = storePaths[destination];
    const isMissing = !identity.created && !existsSync(path);
    prepareStore(path, destination);
    if (isMissing) log.warn({ store: path }, 'there is no such store beside the identity: made a new, empty one');
  };
  prepare('local');
  if (settings.publicEnabled) prepare('public');

  const writerThread = new WriterThread(log);
  shutdown.add(() => writerThread.close());
  const verifier = new VerifierPool(log);
  shutdown.add(() => verifier.close());
  const stores: Partial<Record<Destination, Store>> = {};
  shutdown.add(() => {
    for (const store of Object.values(stores)) store.close();
  });
  const openStore = async (destination: Destination): Promise<Store> => {
    const bounds = destination === 'public' ? publicBounds(settings) : null;
    const path = storePaths[destination];
    const writer = await writerThread.open({ path, durability: settings.durability, bounds });
    stores[destination] = new Store(path, writer, publicKey);
    return stores[destination];
  };

  const events = options.ownerView === null ? null : new OwnerEvents();
  const endpoints: Partial<Record<Destination, Endpoint>> = {};
  /** Of the endpoints that listen. */
  const unregistered = new Map<Destination, UnregisteredDevices>();
  shutdown.add(() => Promise.all(Object.values(endpoints).map((endpoint) => endpoint.close())));
  const openEndpoint = async (destination: Destination): Promise<Endpoint> => {
    const store = stores[destination] ?? (await openStore(destination));
    const endpoint = new Endpoint({ destination, settings, log, store, verifier, events });
    endpoints[destination] = endpoint;
    return endpoint;
  };
  const local = await openEndpoint('local');
  if (settings.publicEnabled) await openEndpoint('public');

  const urls = () => {
    return { publicUrl: endpoints.public?.url ?? null, localUrl: local.url! };
  };
  const paths = () => {
    return { private: storePaths.local, public: stores.public === undefined ? null : storePaths.public };
  };
  let view: OwnerView | null = null;
  if (events !== null) {
    const home = options.ownerView!;
    if (stores.public === undefined && isUsable(storePaths.public, log)) await openStore('public');
    const parts = {
      log,
      nodeInfo: () => {
        return { version: VERSION, publicKey, ...urls(), dataDir, home };
      },
      store: (name: 'private' | 'public') => stores[name === 'private' ? 'local' : 'public'] ?? null,
      paths,
      unregistered,
      events,
      settingsCalls: options.settingsCalls,
    };
    const app = home === 'browser' ? local : null;
    view = openOwnerView(parts, app, { dataDir, newUiToken: options.newUiToken ?? false });
    shutdown.add(() => view!.service.close());
  }
  shutdown.add(() => Promise.all(Object.values(endpoints).map((endpoint) => endpoint.closeListeners())));
  if (view !== null) shutdown.add(() => view.service.stopSoon());

  /** Opens what is to listen anew before anything is closed, so that a port that can't be had changes nothing. */
  const listenAs = async (next: Settings, before: Settings | null): Promise<void> => {
    const opened: [Endpoint, OpenedListener][] = [];
    try {
      if (next.localPort !== before?.localPort) opened.push([local, await local.open(next.localPort)]);
      const { publicUrl } = urls();
      if (next.publicEnabled && (publicUrl === null || next.publicPort !== before?.publicPort)) {
        if (stores.public === undefined) prepare('public');
        const endpoint = endpoints.public ?? (await openEndpoint('public'));
        opened.push([endpoint, await endpoint.open(next.publicPort)]);
      }
    } catch (error) {
      await Promise.all(opened.map(([, listener]) => listener.giveUp()));
      throw error;
    }
    for (const [endpoint, listener] of opened) {
      listener.take();
      unregistered.set(endpoint.destination, endpoint.unregistered);
    }
    if (!next.publicEnabled) {
      endpoints.public?.stopListening();
      unregistered.delete('public');
    }
    for (const endpoint of Object.values(endpoints)) endpoint.applyLimits(next);
  };
  let current = settings;
  await listenAs(settings, null);
  const noteUiAddress = (): void => {
    if (view?.token != null) keepUiAddress(dataDir, urls().localUrl);
  };
  shutdown.add(() => forgetUiAddress(dataDir));
  noteUiAddress();
  log.info({ version: VERSION, publicKey, ...urls(), dataDir }, 'node started');
  return {
    publicKey,
    get publicUrl() {
      return urls().publicUrl;
    },
    get localUrl() {
      return urls().localUrl;
    },
    owner: view?.service ?? null,
    get uiLink() {
      return view?.token == null ? null : linkOf(urls().localUrl, view.token);
    },
    applySettings: async (next) => {
      const before = JSON.stringify(urls());
      await listenAs(next, current);
      current = next;
      if (JSON.stringify(urls()) !== before) {
        noteUiAddress();
        log.info(urls(), 'listeners changed');
      }
      await view?.service.endpointsChanged();
    },
    stop: async () => {
      await shutdown.run();
      log.info('node stopped');
    },
  };
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

function publicBounds({ publicMaxDevices, publicMaxBytes }: Settings): StoreBounds {
  return { maxDevices: publicMaxDevices, maxBytes: publicMaxBytes, minFreeBytes: MIN_FREE_BYTES };
}
