import type { Logger } from 'pino';
import type { NodeEvents } from '../common/node-events.ts';
import type { StoreLocations } from '../store/engine.ts';
import { readStores } from '../store/engines.ts';
import type { KnownDevice } from '../store/port.ts';
import { isMine } from '../store/whose.ts';
import type { Intakes } from './intakes.ts';
import type { Part } from './part.ts';

/** Strangers register as they like: what comes within this time is looked at together. */
const LOOK_AFTER_MS = 100;
/** Where a store could not be read, such as one that another program holds. */
const TRY_AGAIN_MS = 5000;

/** The dependencies of finding the owners of devices. */
export interface ClaimsDependencies {
  readonly locations: () => StoreLocations;
  readonly intakes: Pick<Intakes, 'claim'>;
  readonly events: NodeEvents;
  readonly log: Logger;
}

/**
 * Tells the public store's intake which of its devices are the owner's. This goes one way: what the owner noted and what
 * the private store has stays on this side, and of the private store's devices only those that the public one has too
 * are named.
 */
export class Claims implements Part {
  readonly name = 'claims';
  readonly #dependencies: ClaimsDependencies;
  readonly #claimed = new Set<string>();
  /** Devices to be looked at; null: all. */
  #changed: Set<string> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> | null = null;
  #ends: readonly (() => void)[] = [];
  #isStopped = false;

  constructor(dependencies: ClaimsDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { events } = this.#dependencies;
    const look = ({ deviceId }: { readonly deviceId: string }) => this.#plan(deviceId);
    this.#ends = [
      events.on('noted', look),
      events.on('registered', look),
      events.on('forgotten', look),
      events.on('storeOpened', () => this.#planAll()),
    ];
    this.#planAll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const end of this.#ends) end();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  #plan(deviceId: string): void {
    // Without a public store there is nothing to keep.
    if (this.#dependencies.locations().public === null) return;
    if (this.#timer === null) this.#changed = new Set();
    this.#changed?.add(deviceId);
    this.#planLook(LOOK_AFTER_MS);
  }

  #planAll(): void {
    this.#changed = null;
    this.#planLook(LOOK_AFTER_MS);
  }

  #planLook(afterMs: number): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const changed = this.#changed;
      this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#look(changed));
    }, afterMs).unref();
  }

  async #look(changed: ReadonlySet<string> | null): Promise<void> {
    const { locations, intakes, log } = this.#dependencies;
    const { private: privatePath, public: publicPath } = locations();
    if (publicPath === null || this.#isStopped) return;
    try {
      await readStores({ private: privatePath, public: publicPath }, async (stores) => {
        if (changed === null) {
          const all = await stores.devices();
          this.#claimed.clear();
          for (const device of all) this.#note(device.id, device);
        } else for (const id of changed) this.#note(id, await stores.device(id));
      });
      intakes.claim(this.#claimed);
    } catch (error) {
      log.warn({ err: error }, 'whose devices of the public store are could not be read; it is tried again');
      this.#changed = null;
      this.#planLook(TRY_AGAIN_MS);
    }
  }

  #note(id: string, device: KnownDevice | null): void {
    const isClaimed = device !== null && isMine(device) && device.entries.some(({ store }) => store === 'public');
    if (isClaimed) this.#claimed.add(id);
    else this.#claimed.delete(id);
  }
}
