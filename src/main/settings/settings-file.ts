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

/** The contents of a settings file; members of a later version are kept as they are. */
const KEPT = {
  ...schemasOf(SHOWN_NAMES),
  /** Folders whose data was moved away and that were not deleted yet. */
  oldDataDirs: z.array(pathKind.schema).max(100),
};
type Name = keyof typeof KEPT;
const NAMES = Object.keys(KEPT) as Name[];

/** The result of reading a settings file. */
export type KeptSettings = { readonly [Each in Name]?: z.infer<(typeof KEPT)[Each]> | undefined };

const schema = z.looseObject(KEPT).partial();
/** Any member may be left out. */
const EMPTY = Object.fromEntries(NAMES.map((name) => [name, undefined]));
export const SETTINGS_KIND: StateFileKind<typeof schema> = {
  name: 'settings.json',
  schema,
  empty: EMPTY,
  isEdited: true,
  // The content before may name a data folder that was left.
  copy: 'same',
};
const LOOK_EVERY_MS = 2000;

/**
 * The settings file: a state file that people edit, too. What can still be read of one that is damaged holds, now and at
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

  /** Reads the file, which need not exist. Throws StartError where it is there and the system does not let it be read. */
  static open(path: string, log: Logger): SettingsFile {
    return new SettingsFile(path, log);
  }

  /** Reads a file as far as possible and leaves it as it is, for a command beside the node. Throws as `open` does. */
  static look(path: string): KeptSettings {
    const absolute = resolve(path);
    readRegularFile(absolute);
    return inFull(absolute, knownOf(fileAt(absolute, pino({ enabled: false }), () => {}).peek()));
  }

  /** A data folder is named in full: one that is relative is so to this file, not to wherever a program was started. */
  get kept(): KeptSettings {
    return inFull(this.path, this.#kept);
  }

  /** The losses of the file's latest damage; null if it was sound or absent. */
  get damage(): Damage | null {
    return this.#damage;
  }

  /** Tells of damage from now on, and of what nobody was told yet: where the data lies stands in this file. */
  onDamage(tell: (damage: Damage) => void): void {
    this.#tell = tell;
    for (const damage of this.#untold.splice(0)) tell(damage);
  }

  /**
   * The members that the file has otherwise than this program holds, as after an edit by hand: they take effect at the
   * next start. Never throws, and changes nothing.
   */
  get edited(): readonly Name[] {
    const there = onDisk(this.path);
    return NAMES.filter((name) => !isDeepStrictEqual(there[name], this.#kept[name]));
  }

  /** Logs once that the file was edited, each time that it is; returns what ends that. */
  warnOfEdits(log: Logger): () => void {
    let told = '';
    const look = () => {
      const edited = this.edited.join(', ');
      if (edited !== '' && edited !== told)
        log.warn({ settings: this.path, edited }, 'the settings file was edited: restart the node to apply it');
      told = edited;
    };
    watchFile(this.path, { persistent: false, interval: LOOK_EVERY_MS }, look);
    // An edit before the first look of the watcher is none for it.
    const first = setTimeout(look, LOOK_EVERY_MS).unref();
    return () => {
      clearTimeout(first);
      unwatchFile(this.path, look);
    };
  }

  /** Puts members in place of those in the file, as it is now; undefined takes one out. Rejects where the disk fails. */
  async save(change: KeptSettings): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await this.#file.write(() => ({ ...this.#file.read(), ...change }));
    // What was written by hand meanwhile is in the file alone until the next start.
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

/** The contents of the file now, as far as they are readable. */
function onDisk(path: string): KeptSettings {
  try {
    const bytes = readRegularFile(path);
    return bytes === null ? {} : knownOf(salvage(schema, readJson(bytes), EMPTY)?.value ?? null);
  } catch {
    return {};
  }
}

/** Without members of a later version. */
function knownOf(members: z.infer<typeof schema> | null): KeptSettings {
  const known = NAMES.filter((name) => members?.[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, members?.[name]]));
}

function inFull(path: string, kept: KeptSettings): KeptSettings {
  return kept.dataDir === undefined ? kept : { ...kept, dataDir: resolve(dirname(path), kept.dataDir) };
}
