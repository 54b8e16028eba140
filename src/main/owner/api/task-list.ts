import { randomUUID } from 'node:crypto';
import type { Output } from '../../../shared/owner-api/contract.ts';
import { completed, reopened, skipped } from '../../../shared/owner-data/task-states.ts';
import { MAX_TASKS, type Task, task as taskSchema } from '../../../shared/owner-data/tasks.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { NewEntry } from '../../store/port.ts';
import type { Caller } from '../caller.ts';
import type { Checked } from '../handlers.ts';
import { checkTime, type OwnerListDependencies } from './cycle-list.ts';
import { KeptList } from './kept-list.ts';

/** The dependencies of the list of tasks. */
export interface TaskListDependencies extends OwnerListDependencies {
  /** Counts a new entry of a viewer. Throws OwnerError if the caller may not write it. */
  readonly admit: (entry: Pick<NewEntry, 'device' | 'act'>, caller: Caller) => void;
  readonly onEntry: (id: number) => void;
}

/** Writes the owner's tasks, which the private store keeps as one of the owner's choices. */
export class TaskList {
  readonly #dependencies: TaskListDependencies;
  /** A change reads and rewrites the whole list, so changes run one after another. */
  readonly #queue = new SerialQueue();

  constructor(dependencies: TaskListDependencies) {
    this.#dependencies = dependencies;
  }

  /** See the contract, as for all methods. They reject with OwnerError and StorageUnavailable. */
  async write({ id, ...written }: Checked<'writeTask'>): Promise<Task> {
    if (written.device !== null) await this.#dependencies.requireDevice(written.device);
    return this.#change((kept) => {
      const before = id === null ? null : kept.find(id);
      if (before === null && kept.items.length >= MAX_TASKS)
        throw new OwnerError('conflict', `there are ${MAX_TASKS} tasks already: delete some`);
      const task: Task = {
        ...{ id: before?.id ?? randomUUID(), ...written, done: before?.done ?? null },
        snoozedUntil: before?.due === written.due ? before.snoozedUntil : null,
      };
      return { task };
    });
  }

  /** Writes the entry and the list together, so that neither exists without the other. */
  complete({ id, at, day }: Checked<'completeTask'>, caller: Caller): Promise<Output<'completeTask'>> {
    return this.#queue.run(async () => {
      const kept = await this.#read();
      const before = kept.find(id);
      const { role, devices, pairing } = caller;
      // The error is the same as for an unknown task: a viewer sees only the tasks of its places.
      if (role === 'viewer' && devices !== null && before.device !== null && !devices.has(before.device))
        throw new OwnerError('not_found', 'there is no such task');
      if (before.due === null) throw new OwnerError('conflict', 'this task is done already');
      await checkTime({ ...before, at }, { store: this.#dependencies.store(), now: this.#dependencies.clock.now() });
      this.#dependencies.admit(before, caller);
      const task = completed(before, at, day);
      const { device, title: text, act } = before;
      const written: NewEntry = {
        ...{ id: null, device, at, text, updatedAt: this.#dependencies.clock.now() },
        ...(act === undefined ? {} : { act }),
        ...(pairing === null ? {} : { by: pairing.name }),
      };
      const along = { name: 'tasks', value: kept.with(task) } as const;
      const entry = (await this.#dependencies.store().writeEntry(written, along))!;
      this.#dependencies.onChange();
      this.#dependencies.onEntry(entry);
      return { task, entry: { ...written, id: entry } };
    });
  }

  async reopen({ id, entry }: Checked<'reopenTask'>): Promise<Task> {
    const task = await this.#change((kept) => {
      const before = kept.find(id);
      if (before.done === null) throw new OwnerError('conflict', 'this task was not done yet');
      return { task: reopened(before) };
    });
    if (entry !== null && (await this.#dependencies.store().deleteEntry(entry))) this.#dependencies.onEntry(entry);
    return task;
  }

  postpone({ id, how, day }: Checked<'postponeTask'>): Promise<Task> {
    return this.#change((kept) => {
      const before = kept.find(id);
      const { due, everyDays } = before;
      if (due === null) throw new OwnerError('conflict', 'this task is done already');
      if (how === 'move') return { task: { ...before, due: day, snoozedUntil: null } };
      if (how === 'snooze') return { task: { ...before, snoozedUntil: day } };
      if (everyDays === null) throw new OwnerError('conflict', 'this task has no rhythm: move or delete it');
      return { task: skipped({ ...before, due, everyDays }, day) };
    });
  }

  delete({ id }: Checked<'deleteTask'>): Promise<Record<string, never>> {
    return this.#queue.run(async () => {
      const kept = await this.#read();
      kept.find(id);
      await this.#keep(kept.without(id));
      return {};
    });
  }

  #change(make: (kept: KeptList<Task>) => { readonly task: Task }): Promise<Task> {
    return this.#queue.run(async () => {
      const kept = await this.#read();
      const { task } = make(kept);
      await this.#keep(kept.with(task));
      return task;
    });
  }

  async #read(): Promise<KeptList<Task>> {
    return new KeptList((await this.#dependencies.store().choices()).get('tasks'), taskSchema, 'task');
  }

  async #keep(value: unknown): Promise<void> {
    await this.#dependencies.store().setChoice('tasks', value, this.#dependencies.clock.now());
    this.#dependencies.onChange();
  }
}
