import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type DamagedFile, damagedFile } from '../../shared/owner-api/damaged-files.ts';
import type { Damage, StateFolder } from './aside.ts';
import { LineFile, type LineFileKind } from './line-file.ts';
import { StateFile, type StateFileKind } from './state-file.ts';

/** More than these are not read by anybody. */
const MAX_KEPT = 50;

const document = z.object({ version: z.literal(1), files: z.array(damagedFile) });
const KIND: StateFileKind<typeof document> = {
  name: 'damaged-files.json',
  schema: document,
  empty: { version: 1, files: [] },
};

/**
 * The files of a data folder that were damaged, until the owner dismisses them. Kept in a file, which is read each time: a
 * command beside the node may add to it.
 */
export class DamagedFiles {
  readonly #file: StateFile<typeof document>;
  readonly #log: StateFolder['log'];

  constructor(folder: StateFolder) {
    this.#log = folder.log;
    this.#file = new StateFile(KIND, folder, (damage) => this.add(damage));
  }

  /** The latest first. */
  list(): DamagedFile[] {
    return (this.#file.peek()?.files ?? []).toReversed();
  }

  /** Adds one; where the disk takes nothing, the log has it. */
  add(damage: Damage): void {
    try {
      const files = [...this.#read(), { id: randomUUID(), ...damage }];
      this.#file.writeSync({ version: 1, files: files.slice(-MAX_KEPT) });
    } catch (error) {
      this.#log.error({ file: damage.file, err: error }, 'the damaged file can’t be noted for its owner');
    }
  }

  /** Takes one off; returns whether it was there. Throws as the file system does. */
  dismiss(id: string): boolean {
    const files = this.#read();
    const rest = files.filter((each) => each.id !== id);
    if (rest.length < files.length) this.#file.writeSync({ version: 1, files: rest });
    return rest.length < files.length;
  }

  #read(): DamagedFile[] {
    // Should it be damaged itself, that is noted in it, too.
    this.#file.read();
    return this.#file.peek()?.files ?? [];
  }
}

/** A state file of a data folder, whose damage its owner is told. */
export function openStateFile<S extends z.ZodType>(kind: StateFileKind<S>, folder: StateFolder): StateFile<S> {
  return new StateFile(kind, folder, (damage) => new DamagedFiles(folder).add(damage));
}

/** A file of lines, likewise. */
export function openLineFile<S extends z.ZodType>(kind: LineFileKind<S>, folder: StateFolder): LineFile<S> {
  return new LineFile(kind, folder, (damage) => new DamagedFiles(folder).add(damage));
}
