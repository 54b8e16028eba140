import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Store } from '../../store/port.ts';
import type { Checked } from '../handlers.ts';

/**
 * The readings that one step of forgetting deletes. New readings wait for a step, so it must take only some
 * milliseconds.
 */
const FORGET_AT_ONCE = 500;

/** The owner's changes of devices: notes, and forgetting a device. */
export class DeviceChanges {
  readonly #store: (name: StoreName) => Store | null;
  readonly #events: NodeEvents;
  readonly #forgetting = new Set<string>();
  #isStopping = false;

  readonly #clock: Clock;

  /** `store` is called at each use: the public store may be added later. */
  constructor(store: (name: StoreName) => Store | null, events: NodeEvents, clock: Clock) {
    this.#clock = clock;
    this.#store = store;
    this.#events = events;
  }

  /** See the contract. Rejects with OwnerError. */
  async setNotes({ id, notes }: Checked<'setNotes'>): Promise<Output<'setNotes'>> {
    if (!(await this.#isKnown(id))) throw new OwnerError('not_found', 'this device is in no store');
    await this.#store('private')!.setNotes(id, notes, this.#clock.now());
    this.#events.emit('noted', () => ({ deviceId: id }));
    return notes;
  }

  /** See the contract. Rejects with OwnerError. */
  async forget({ id, store: name, confirm, keepsLog = false }: Input<'forgetDevice'>): Promise<Output<'forgetDevice'>> {
    if (confirm !== id) throw new OwnerError('invalid_input', 'confirm: does not repeat the id');
    const key = `${name} ${id}`;
    const refuseSecond = () => {
      if (this.#forgetting.has(key)) throw new OwnerError('conflict', 'the device is already being forgotten');
    };
    // This check comes before the store is asked: its answer may wait behind the deletions.
    refuseSecond();
    const store = this.#store(name);
    if (store === null || (await store.device(id)) === null)
      throw new OwnerError('not_found', 'the device is not in this store');
    refuseSecond();
    this.#forgetting.add(key);
    let readings = 0;
    try {
      for (let isDone = false; !isDone; ) {
        // The readings deleted so far are gone. The device itself stays and can be forgotten later.
        if (this.#isStopping) throw new OwnerError('storage_unavailable', 'the node is stopping');
        const step = await store.forget(id, FORGET_AT_ONCE);
        this.#events.emit('readingsDeleted', () => ({ store: name, deviceId: id }));
        readings += step.readings;
        isDone = step.isDone;
      }
      if (!(await this.#isKnown(id))) {
        await this.#store('private')!.setNotes(id, null, this.#clock.now(), keepsLog);
        this.#events.emit('chosen', () => ({ names: keepsLog ? ['climate'] : ['climate', 'tasks', 'cycles'] }));
      }
    } finally {
      this.#forgetting.delete(key);
      this.#events.emit('forgotten', () => ({ store: name, deviceId: id }));
    }
    return { readings };
  }

  /** Forgets the given devices if the private store has them. */
  async forgetOwn(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const device = await this.#store('private')?.device(id);
      if (device == null) continue;
      await this.forget({ id, store: 'private', confirm: id });
    }
  }

  /** Stops a running `forget`. */
  stop(): void {
    this.#isStopping = true;
  }

  async #isKnown(id: string): Promise<boolean> {
    for (const name of ['private', 'public'] as const) {
      const device = await this.#store(name)?.device(id);
      if (device != null) return true;
    }
    return false;
  }
}
