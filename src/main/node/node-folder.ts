import { resolve } from 'node:path';
import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { finishRestore } from '../care/swap.ts';
import { StartError } from '../common/start-error.ts';
import { makeDataDir } from '../data-folder/data-folder.ts';
import { adoptIdentityFile, hasIdentity, loadOrCreateIdentity, type NodeIdentity } from '../data-folder/identity.ts';
import { lockDataDir } from '../data-folder/node-lock.ts';
import { StartReserve } from '../data-folder/start-reserve.ts';
import { forgetUiAddress } from '../owner/page/ui-address.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoreLocation } from '../store/engine.ts';
import { engineOf, keepScratchIn } from '../store/engines.ts';
import { locationsIn, serverLocation } from '../store/locations.ts';
import { isStorageFault } from '../store/storage-unavailable.ts';
import type { Part } from './part.ts';

/** The data folder, locked for this node, with the node's key. */
export class NodeFolder implements Part {
  readonly name = 'data folder';
  readonly path: string;
  readonly locations: Readonly<Record<StoreName, StoreLocation>>;
  readonly #log: Logger;
  readonly #publicEnabled: boolean;
  readonly #identityFile: string | null;
  #identity: NodeIdentity | null = null;
  readonly #reserve: StartReserve;
  #unlock: (() => void) | null = null;
  #isOpen = false;

  constructor({ dataDir, publicEnabled, publicStoreUrl, identityFile }: Settings, log: Logger) {
    this.#log = log;
    this.path = resolve(dataDir);
    const files = locationsIn(this.path);
    this.locations = publicStoreUrl == null ? files : { ...files, public: serverLocation(publicStoreUrl) };
    this.#reserve = new StartReserve(this.path);
    this.#publicEnabled = publicEnabled;
    this.#identityFile = identityFile ?? null;
  }

  /** The node's identity; available after the start. */
  get identity(): NodeIdentity {
    if (this.#identity === null) throw new Error('the data folder is not open');
    return this.#identity;
  }

  async start(): Promise<void> {
    const { path } = this;
    const { private: own, public: shared } = this.locations;
    makeDataDir(path);
    keepScratchIn(path);
    this.#unlock = lockDataDir(path);
    if (this.#reserve.release())
      this.#log.warn({ dataDir: path }, 'the disk is full: the reserve file was removed to start');
    // This comes before any read of the folder's contents.
    this.#finishRestore();
    // A killed node may have left this file.
    forgetUiAddress(path);
    // This check comes before any file is created.
    await engineOf(own).refuseRemains(own);
    if (this.#publicEnabled) await engineOf(shared).refuseRemains(shared);
    const found = await this.#isThere(shared).catch((error: unknown) => error);
    if (found instanceof Error && !isStorageFault(found)) throw found;
    // An unavailable database may have a store.
    const hasStore = found !== false || (await this.#isThere(own));
    const isTaken =
      this.#identityFile !== null && adoptIdentityFile(path, this.#identityFile, await this.#isThere(own));
    if (found instanceof Error && !hasIdentity(path)) throw new StartError(found.message);
    const identity = loadOrCreateIdentity(path, hasStore);
    this.#identity = isTaken ? { ...identity, created: true } : identity;
    this.#reserve.take();
    this.#isOpen = true;
  }

  /** Returns whether a store exists. A server is asked only if its store is in use. */
  async #isThere(location: StoreLocation): Promise<boolean> {
    const engine = engineOf(location);
    return (engine.bind === null || this.#publicEnabled) && (await engine.exists(location));
  }

  #finishRestore(): void {
    try {
      finishRestore(this.path);
    } catch (error) {
      throw new StartError(
        `the interrupted restore of ${this.path} can't be finished (${(error as Error).message}); check the folder and its disk`,
      );
    }
  }

  stop(): void {
    // A refused start leaves the folder unchanged.
    if (this.#isOpen) this.#reserve.retake();
    this.#isOpen = false;
    this.#unlock?.();
    this.#unlock = null;
  }
}
