import { unwatchFile, watchFile } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import { path as pathKind } from '../../shared/settings/kinds.ts';
import { SHOWN_NAMES, schemasOf } from '../../shared/settings/table.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import type { Damage } from '../state-files/aside.ts';
import { readJson, readRegularFile } from '../state-files/regular-file.ts';
import { salvage } from '../state-files/salvage.ts';
import { StateFile, type StateFileKind } from '../state-files/state-file.ts';

/** The contents of a settings file; members of a later version are preserved. */
const KEPT = {
  ...schemasOf(SHOWN_NAMES),
  /** Folders whose data was moved away and that are not deleted yet. */
  oldDataDirs: z.array(pathKind.schema).max(100),
};
type Name = keyof typeof KEPT;
const NAMES = Object.keys(KEPT) as Name[];

/** The result of reading a settings file. */
export type KeptSettings = { readonly [Each in Name]?: z.infer<(typeof KEPT)[Each]> | undefined };

const schema = z.looseObject(KEPT).partial();
/** Any member may be missing. */
const EMPTY = Object.fromEntries(NAMES.map((name) => [name, undefined]));
export const SETTINGS_KIND: StateFileKind<typeof schema> = {
  name: 'settings.json',
  schema,
  empty: EMPTY,
  isEdited: true,
  // The previous contents may name a data folder that is no longer used.
  copy: 'same',
};
const LOOK_EVERY_MS = 2000;

/**
 * The settings file: a state file that people edit too. The readable part of a damaged file stays in force, now and at
 * later starts, since a lost data folder or port would be worse than a wrong colour.
 */
export class SettingsFile {
  readonly path: string;
  readonly #file: StateFile<typeof schema>;
  #kept: KeptSettings;
  #damage: Damage | null = null;
  #untold: Damage[] = [];
  #tell: (damage: Damage) => void = (damage) => this.#untold.push(damage);

  private constructor(path: string, log: Logger) {
    this.path = resolve(path);
    this.#file = fileAt(this.path, log, (damage) => {
      this.#damage = damage;
      this.#tell(damage);
    });
    this.#kept = knownOf(this.#file.read());
  }

  /** Reads the file, which need not exist. Throws StartError if it exists and can't be read. */
  static open(path: string, log: Logger): SettingsFile {
    return new SettingsFile(path, log);
  }

  /**
   * Reads as much of a file as possible without changing it, for a command that runs in parallel to the node. Throws
   * like `open`.
   */
  static look(path: string): KeptSettings {
    const absolute = resolve(path);
    readRegularFile(absolute);
    return inFull(absolute, knownOf(fileAt(absolute, pino({ enabled: false }), () => {}).peek()));
  }

  /**
   * The settings, with an absolute data folder: a relative one is relative to this file, not to the working directory.
   */
  get kept(): KeptSettings {
    return inFull(this.path, this.#kept);
  }

  /** The losses of the file's latest damage; null if the file was valid or absent. */
  get damage(): Damage | null {
    return this.#damage;
  }

  /** Calls `tell` for damage from now on, and for earlier damage that was not reported. */
  onDamage(tell: (damage: Damage) => void): void {
    this.#tell = tell;
    for (const damage of this.#untold.splice(0)) tell(damage);
  }

  /**
   * The members that differ between the file and this program, as after an edit by hand: they take effect at the next
   * start. Never throws, and changes nothing.
   */
  get edited(): readonly Name[] {
    const there = onDisk(this.path);
    return NAMES.filter((name) => !isDeepStrictEqual(there[name], this.#kept[name]));
  }

  /** Logs once for each edit that the file was edited. Returns a function that ends this. */
  warnOfEdits(log: Logger): () => void {
    let told = '';
    const look = () => {
      const edited = this.edited.join(', ');
      if (edited !== '' && edited !== told)
        log.warn({ settings: this.path, edited }, 'the settings file was edited: restart the node to apply it');
      told = edited;
    };
    watchFile(this.path, { persistent: false, interval: LOOK_EVERY_MS }, look);
    // The watcher does not report an edit before its first check.
    const first = setTimeout(look, LOOK_EVERY_MS).unref();
    return () => {
      clearTimeout(first);
      unwatchFile(this.path, look);
    };
  }

  /** Replaces members in the current file; undefined removes one. Rejects if the disk fails. */
  async save(change: KeptSettings): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await this.#file.write(() => ({ ...this.#file.read(), ...change }));
    // Edits made by hand meanwhile are only in the file until the next start.
    this.#kept = knownOf(salvage(schema, { ...this.#kept, ...change }, EMPTY)?.value ?? null);
  }
}

function fileAt(path: string, log: Logger, onDamage: (damage: Damage) => void): StateFile<typeof schema> {
  const folder = { path: dirname(path), log, now: () => SYSTEM_CLOCK.now() };
  return new StateFile({ ...SETTINGS_KIND, name: basename(path) }, folder, (damage) =>
    onDamage({
      ...damage,
      lost: damage.lost.map(({ part, entry }) => ({
        part: 'settings',
        entry: entry === null ? part : `${part} › ${entry}`,
      })),
    }),
  );
}

/** Returns the current contents of the file, as far as they are readable. */
function onDisk(path: string): KeptSettings {
  try {
    const bytes = readRegularFile(path);
    return bytes === null ? {} : knownOf(salvage(schema, readJson(bytes), EMPTY)?.value ?? null);
  } catch {
    return {};
  }
}

/** Removes members of a later version. */
function knownOf(members: z.infer<typeof schema> | null): KeptSettings {
  const known = NAMES.filter((name) => members?.[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, members?.[name]]));
}

function inFull(path: string, kept: KeptSettings): KeptSettings {
  return kept.dataDir === undefined ? kept : { ...kept, dataDir: resolve(dirname(path), kept.dataDir) };
}
