import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { StoreName } from '../../shared/protocol/codes.ts';
import { finishRestore } from '../care/restore/swap.ts';
import { StartError } from '../common/start-error.ts';
import { makeDataDir } from '../data-folder/data-folder.ts';
import { loadOrCreateIdentity, type NodeIdentity } from '../data-folder/identity.ts';
import { lockDataDir } from '../data-folder/node-lock.ts';
import { StartReserve } from '../data-folder/start-reserve.ts';
import { forgetUiAddress } from '../owner/page/ui-address.ts';
import type { Settings } from '../settings/settings.ts';
import { refuseLogWithoutStore } from '../store/engine.ts';
import type { Part } from './part.ts';

/** The data folder, held for this node alone, with the node's key. */
export class NodeFolder implements Part {
  readonly name = 'data folder';
  readonly path: string;
  readonly storePaths: Readonly<Record<StoreName, string>>;
  readonly #log: Logger;
  readonly #publicEnabled: boolean;
  #identity: NodeIdentity | null = null;
  readonly #reserve: StartReserve;
  #unlock: (() => void) | null = null;
  #isOpen = false;

  constructor({ dataDir, publicEnabled }: Settings, log: Logger) {
    this.#log = log;
    this.path = resolve(dataDir);
    this.storePaths = { private: join(this.path, 'private.db'), public: join(this.path, 'public.db') };
    this.#reserve = new StartReserve(this.path);
    this.#publicEnabled = publicEnabled;
  }

  /** Who the node is; once started. */
  get identity(): NodeIdentity {
    if (this.#identity === null) throw new Error('the data folder is not open');
    return this.#identity;
  }

  start(): void {
    const { path, storePaths } = this;
    makeDataDir(path);
    // Compacting writes a copy of the store, which a system's folder in memory would not hold.
    process.env.SQLITE_TMPDIR ??= path;
    this.#unlock = lockDataDir(path);
    if (this.#reserve.release())
      this.#log.warn({ dataDir: path }, 'the disk is full: the reserve file was removed to start');
    // Before anything looks at what is in it.
    this.#finishRestore();
    // A node that was killed may have left it.
    forgetUiAddress(path);
    // Before anything is made.
    refuseLogWithoutStore(storePaths.private);
    if (this.#publicEnabled) refuseLogWithoutStore(storePaths.public);
    this.#identity = loadOrCreateIdentity(path, existsSync(storePaths.public) || existsSync(storePaths.private));
    this.#reserve.take();
    this.#isOpen = true;
  }

  #finishRestore(): void {
    try {
      finishRestore(this.path);
    } catch (error) {
      throw new StartError(
        `the restore of ${this.path} that was cut off can't be finished (${(error as Error).message}); check the folder and its disk`,
      );
    }
  }

  stop(): void {
    // A start that was refused leaves the folder as it was.
    if (this.#isOpen) this.#reserve.retake();
    this.#isOpen = false;
    this.#unlock?.();
    this.#unlock = null;
  }
}
