import type { Logger } from 'pino';
import type { NodeEvents } from '../common/node-events.ts';
import type { StoreLocations } from '../store/engine.ts';
import { readStores } from '../store/engines.ts';
import type { KnownDevice } from '../store/stores-view.ts';
import { isMine } from '../store/whose.ts';
import type { Intakes } from './intakes.ts';
import type { Part } from './part.ts';

/** Changes within this time are handled together, since strangers may register many devices. */
const LOOK_AFTER_MS = 100;
/** The delay after a store could not be read, for example because another program has locked it. */
const TRY_AGAIN_MS = 5000;

export interface ClaimsDependencies {
  readonly locations: () => StoreLocations;
  readonly intakes: Pick<Intakes, 'claim'>;
  readonly events: NodeEvents;
  readonly log: Logger;
}

/**
 * Tells the intake of the public store which of its devices belong to the owner. Information flows only this way: the
 * owner's notes and the private store's data stay here, and of the private store's devices only those that are also in
 * the public store are named.
 */
export class Claims implements Part {
  readonly name = 'claims';
  readonly #dependencies: ClaimsDependencies;
  readonly #claimed = new Set<string>();
  /** The devices to check; null means all. */
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
    // Without a public store there is nothing to reserve.
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
      log.warn({ err: error }, 'the owners of the public store’s devices could not be read; trying again soon');
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
