import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type DamagedFile, damagedFile } from '../../shared/owner-api/damaged-files.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { Damage, StateFolder } from './aside.ts';
import { LineFile, type LineFileKind } from './line-file.ts';
import { StateFile, type StateFileKind } from './state-file.ts';

/** The number of reports that are stored; nobody reads more. */
const MAX_KEPT = 50;

const document = z.object({ version: z.literal(1), files: z.array(damagedFile) });
const KIND: StateFileKind<typeof document> = {
  name: 'damaged-files.json',
  schema: document,
  empty: { version: 1, files: [] },
};

/**
 * The damaged files of a data folder, until the owner dismisses them. They are stored in a file, which is read each
 * time, since a command may add to it.
 */
export class DamagedFiles {
  readonly #file: StateFile<typeof document>;
  readonly #log: StateFolder['log'];

  constructor(folder: StateFolder) {
    this.#log = folder.log;
    this.#file = new StateFile(KIND, folder, (damage) => this.add(damage));
  }

  /** Returns the damaged files, latest first. */
  list(): DamagedFile[] {
    return (this.#file.peek()?.files ?? []).toReversed();
  }

  /** Adds a damaged file; if the disk takes no writes, only the log has it. */
  add(damage: Damage): void {
    try {
      const files = [...this.#read(), { id: randomUUID(), restored: [], ...damage }];
      this.#file.writeSync({ version: 1, files: files.slice(-MAX_KEPT) });
    } catch (error) {
      this.#log.error({ file: damage.file, err: error }, 'the notice of the damaged file could not be written');
    }
  }

  /** Removes an entry, if it exists. Throws OwnerError if the disk takes no writes. */
  dismiss(id: string): Record<never, never> {
    const files = this.#read();
    const rest = files.filter((each) => each.id !== id);
    if (rest.length === files.length) return {};
    try {
      this.#file.writeSync({ version: 1, files: rest });
    } catch (error) {
      throw new OwnerError('storage_unavailable', `${this.#file.path} can't be written (${(error as Error).message})`);
    }
    return {};
  }

  #read(): DamagedFile[] {
    // If this file itself is damaged, that is added to it, too.
    this.#file.read();
    return this.#file.peek()?.files ?? [];
  }
}

/** Opens a state file of a data folder. Its damage is reported to the owner. */
export function openStateFile<S extends z.ZodType>(kind: StateFileKind<S>, folder: StateFolder): StateFile<S> {
  return new StateFile(kind, folder, (damage) => new DamagedFiles(folder).add(damage));
}

/** Opens a file of lines in the same way. */
export function openLineFile<S extends z.ZodType>(kind: LineFileKind<S>, folder: StateFolder): LineFile<S> {
  return new LineFile(kind, folder, (damage) => new DamagedFiles(folder).add(damage));
}

/** Words for parts of files whose names are unclear. */
const PART_WORDS: Readonly<Record<string, string>> = {
  ...{ live: 'alerts that were firing', rules: 'alert rules', channels: 'alert channels', options: 'alert options' },
  ...{ outbox: 'alert messages', lines: 'past alerts in lines', devices: 'when devices were heard', keys: 'door keys' },
};

function inWords(entries: Damage['lost']): string {
  const parts = Map.groupBy(entries, ({ part }) => part.split('.')[0] ?? part);
  const words = [...parts].map(([part, each]) => {
    const names = each.flatMap((one) => one.entry ?? one.part.split('.').slice(1));
    return [PART_WORDS[part] ?? part, names.join(', ')].filter((text) => text !== '').join(' ');
  });
  return words.join('; ');
}

/** Returns a description of a damaged file's losses in one line of English. */
export function damageInWords({ file, copy, whole, lost, restored = [] }: Damage): string {
  if (whole === 'missing') return `${file} is missing, and its readings with it: restore a backup`;
  if (whole === 'absent') return `${file} was missing: the previous copy is in use`;
  const cost = { previous: 'the previous copy is in use', nothing: 'it starts empty' };
  const taken = restored.length === 0 ? [] : [`taken from the previous copy: ${inWords(restored)}`];
  const parts = [...(lost.length === 0 ? [] : [inWords(lost)]), ...taken].join('; ');
  const what = whole === null ? `could not be read in part: ${parts}` : `could not be read: ${cost[whole]}`;
  return `${file} ${what}${copy === null ? '' : `; kept as ${copy}`}`;
}
