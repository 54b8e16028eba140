import type { Output } from '../../../shared/owner-api/contract.ts';
import type { ChoiceName } from '../../../shared/owner-data/choices.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { NewEntry, Store } from '../../store/port.ts';
import type { Caller } from '../caller.ts';
import type { Checked } from '../handlers.ts';
import { CycleList, checkTime } from './cycle-list.ts';
import type { Photos } from './photos.ts';
import { TaskList } from './task-list.ts';
import { ViewerBound } from './viewer-bound.ts';

/** Writes the owner's choices for all devices, the journal, the tasks and the crop cycles. */
export class OwnerRecords {
  readonly tasks: TaskList;
  readonly cycles: CycleList;
  readonly #store: (name: StoreName) => Store | null;
  readonly #events: NodeEvents;
  readonly #photos: Pick<Photos, 'withPhotos'>;

  readonly #clock: Clock;
  readonly #bound: ViewerBound;

  constructor(
    store: (name: StoreName) => Store | null,
    events: NodeEvents,
    clock: Clock,
    photos: Pick<Photos, 'withPhotos'>,
  ) {
    this.#clock = clock;
    this.#photos = photos;
    this.#bound = new ViewerBound(clock);
    this.#store = store;
    this.#events = events;
    const dependencies = {
      store: () => this.#private,
      clock,
      requireDevice: (id: string) => this.#requireDevice(id),
    };
    const told = (name: ChoiceName) => () => events.emit('chosen', () => ({ names: [name] }));
    this.tasks = new TaskList({
      ...dependencies,
      admit: (entry, caller) => this.#admit(entry, caller),
      onChange: told('tasks'),
      onEntry: (id) => events.emit('journalChanged', () => ({ id })),
    });
    this.cycles = new CycleList({ ...dependencies, onChange: told('cycles') });
  }

  /** Replaces the given choices. Rejects with StorageUnavailable. */
  async choose(choices: Checked<'setOwnerChoices'>): Promise<void> {
    const parts = Object.entries(choices) as [ChoiceName, unknown][];
    const now = this.#clock.now();
    await Promise.all(parts.map(([name, value]) => this.#private.setChoice(name, value, now)));
    if (parts.length > 0) this.#events.emit('chosen', () => ({ names: parts.map(([name]) => name) }));
  }

  /** See the contract. Rejects with OwnerError. */
  async writeEntry(input: Checked<'writeJournalEntry'>, caller: Caller): Promise<Output<'writeJournalEntry'>> {
    const { pairing } = caller;
    if (caller.role === 'viewer' && input.id !== null)
      throw new OwnerError('forbidden', 'only an owner changes entries');
    if (input.device !== null) await this.#requireDevice(input.device);
    await checkTime(input, { store: this.#private, now: this.#clock.now() });
    this.#admit(input, caller);
    const updatedAt = this.#clock.now();
    const entry = { ...input, ...(pairing === null ? {} : { by: pairing.name }), updatedAt };
    const id = await this.#photos.withPhotos(input.act, input.id, () => this.#private.writeEntry(entry));
    if (id === null) throw new OwnerError('not_found', 'the journal has no such entry');
    this.#events.emit('journalChanged', () => ({ id }));
    return { ...entry, id };
  }

  /** See the contract. Rejects with OwnerError. */
  async deleteEntry({ id }: Checked<'deleteJournalEntry'>): Promise<Output<'deleteJournalEntry'>> {
    if (!(await this.#private.deleteEntry(id))) throw new OwnerError('not_found', 'the journal has no such entry');
    this.#events.emit('journalChanged', () => ({ id }));
    return {};
  }

  /** Counts a new entry of a viewer. Throws OwnerError if the viewer may not write it. */
  #admit(entry: Pick<NewEntry, 'device' | 'act'>, caller: Caller): void {
    if (caller.role === 'viewer') refuseViewersEntry(entry, caller);
    this.#bound.take(caller);
  }

  get #private(): Store {
    return this.#store('private')!;
  }

  async #requireDevice(id: string): Promise<void> {
    const stores = [this.#store('private'), this.#store('public')];
    const found = await Promise.all(stores.map((store) => store?.device(id) ?? null));
    if (found.every((device) => device === null)) throw new OwnerError('not_found', 'this device is in no store');
  }
}

/** Throws OwnerError if a viewer who may log may not write this entry. */
function refuseViewersEntry({ device, act }: Pick<NewEntry, 'device' | 'act'>, { devices }: Caller): void {
  const refuse = (why: string) => {
    throw new OwnerError('forbidden', why);
  };
  if (act?.kind === 'calibrated') refuse('only an owner calibrates');
  if (devices !== null && device === null) refuse('this pairing may write about its devices alone');
}
