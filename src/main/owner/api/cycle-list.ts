import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { CHOICES } from '../../../shared/owner-data/choices.ts';
import { type Cycle, cycle as cycleSchema, MAX_CYCLES } from '../../../shared/owner-data/cycles.ts';
import { dayOf } from '../../../shared/owner-data/days.ts';
import type { JournalEntry } from '../../../shared/owner-data/journal.ts';
import { isTooFarAhead, TOO_FAR_AHEAD } from '../../../shared/owner-data/limits.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Store } from '../../store/port.ts';
import type { Checked } from '../handlers.ts';
import { KeptList } from './kept-list.ts';

/** The dependencies of a list that the private store keeps as one of the owner's choices. */
export interface OwnerListDependencies {
  readonly store: () => Store;
  readonly clock: { now(): number };
  /** Rejects with OwnerError if there is no such device. */
  readonly requireDevice: (id: string) => Promise<void>;
  readonly onChange: () => void;
}

/** Writes the owner's crop cycles, which the private store keeps as one of the owner's choices. */
export class CycleList {
  readonly #dependencies: OwnerListDependencies;
  /** A change reads and rewrites the whole list, so changes run one after another. */
  readonly #queue = new SerialQueue();

  constructor(dependencies: OwnerListDependencies) {
    this.#dependencies = dependencies;
  }

  /** See the contract. Rejects with OwnerError and StorageUnavailable. */
  async write({ id, ...written }: Checked<'writeCycle'>): Promise<Cycle> {
    return this.#queue.run(async () => {
      const kept = await this.#read();
      const before = id === null ? null : kept.find(id);
      // A cycle can still be ended after its device was forgotten or its group deleted.
      if (!isDeepStrictEqual(before?.place, written.place)) await this.#requirePlace(written.place);
      if (before === null && kept.items.length >= MAX_CYCLES)
        throw new OwnerError('conflict', `there are ${MAX_CYCLES} crop cycles already: delete some`);
      const cycle = { ...written, id: id ?? randomUUID() };
      await this.#keep(kept.with(cycle));
      return cycle;
    });
  }

  /** See the contract. Rejects with OwnerError and StorageUnavailable. */
  delete({ id }: Checked<'deleteCycle'>): Promise<Record<string, never>> {
    return this.#queue.run(async () => {
      const kept = await this.#read();
      kept.find(id);
      await this.#keep(kept.without(id));
      return {};
    });
  }

  async #requirePlace(place: Cycle['place']): Promise<void> {
    if (place.kind === 'device') return this.#dependencies.requireDevice(place.device);
    const groups = CHOICES.groups.safeParse((await this.#dependencies.store().choices()).get('groups')).data ?? [];
    if (groups.every(({ id }) => id !== place.group)) throw new OwnerError('not_found', 'there is no such group');
  }

  #read(): Promise<KeptList<Cycle>> {
    return cyclesIn(this.#dependencies.store());
  }

  async #keep(value: unknown): Promise<void> {
    await this.#dependencies.store().setChoice('cycles', value, this.#dependencies.clock.now());
    this.#dependencies.onChange();
  }
}

/**
 * Rejects with OwnerError if an entry is too far in the future, or if its crop cycle is unknown, or if it is before
 * the planting or after the end of that cycle.
 */
export async function checkTime(
  { at, act }: Pick<JournalEntry, 'at' | 'act'>,
  { store, now }: { readonly store: Store; readonly now: number },
): Promise<void> {
  if (isTooFarAhead(at, now)) throw new OwnerError('invalid_input', TOO_FAR_AHEAD);
  if (act?.cycle === undefined) return;
  const { plantedAt, endedAt, zone } = (await cyclesIn(store)).find(act.cycle);
  const day = dayOf(at, zone);
  if (day < plantedAt) throw new OwnerError('invalid_input', `the time is before the planting (${plantedAt})`);
  if (endedAt !== null && day > endedAt)
    throw new OwnerError('invalid_input', `the time is after the end of the crop cycle (${endedAt})`);
}

async function cyclesIn(store: Store): Promise<KeptList<Cycle>> {
  return new KeptList((await store.choices()).get('cycles'), cycleSchema, 'crop cycle');
}
