import { constants, copyFileSync, existsSync, realpathSync, renameSync, unwatchFile, watchFile } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { z } from 'zod';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { path as pathKind } from '../../shared/settings/kinds.ts';
import { SHOWN_NAMES, schemasOf } from '../../shared/settings/table.ts';
import { writeAtomically } from '../common/atomic-write.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { StartError } from '../common/start-error.ts';
import { readRegularFile } from '../state-files/regular-file.ts';

/** What a settings file may hold; members of a later version are kept as they are. */
const KEPT = {
  ...schemasOf(SHOWN_NAMES),
  /** Folders whose data was moved away and that were not deleted yet. */
  oldDataDirs: z.array(pathKind.schema).max(100),
};
/** What was read from a settings file. */
export type KeptSettings = { readonly [Name in keyof typeof KEPT]?: z.infer<(typeof KEPT)[Name]> | undefined };

/** What became of a settings file that could not be taken as it was. */
export interface SetAside {
  /** Where it is now; null where it could not be moved, and stays in the way of the next save. */
  readonly path: string | null;
  /** One line that tells what is wrong with it. */
  readonly reason: string;
  /** The members that are wrong; null: nothing of it can be read. */
  readonly wrong: readonly string[] | null;
}

interface Read {
  readonly kept: KeptSettings;
  /** All members, those of a later version included. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly setAside: SetAside | null;
}

const LOOK_EVERY_MS = 2000;
const anyMembers = z.record(z.string(), z.unknown());
const NOTHING: Read = { kept: {}, members: {}, setAside: null };

/**
 * The settings file: JSON, written whole or not at all. One that is broken is kept as `<name>.broken-<time>`; what can
 * still be read of it holds, now and at later starts, since a lost data folder or port would be worse than a wrong colour.
 */
export class SettingsFile {
  readonly path: string;
  /** What the broken file of this start became; null where it was sound or absent. */
  readonly setAside: SetAside | null;
  #kept: KeptSettings;
  readonly #writes = new SerialQueue();

  private constructor(path: string, read: Read) {
    this.path = path;
    this.#kept = read.kept;
    this.setAside = read.setAside;
    const { members, setAside } = read;
    // Should that fail, the broken file still has its name, and is set aside again by the next start or save.
    if (setAside?.path != null && hasAny(members)) {
      this.#writes.run(() => write(path, textOf(members))).catch(() => {});
    }
  }

  /** Reads the file, which need not exist. Throws StartError where it is there and the system does not let it be read. */
  static open(path: string): SettingsFile {
    const absolute = resolve(path);
    return new SettingsFile(absolute, readFile(absolute));
  }

  /** A data folder is named in full: one that is relative is so to this file, not to wherever a program was started. */
  get kept(): KeptSettings {
    const { dataDir } = this.#kept;
    return dataDir === undefined ? this.#kept : { ...this.#kept, dataDir: resolve(dirname(this.path), dataDir) };
  }

  /**
   * The members that the file has otherwise than this program holds, as after an edit by hand: they take effect at the
   * next start. Never throws, and changes nothing.
   */
  get edited(): readonly (keyof KeptSettings)[] {
    const there = sound(peek(this.path)).kept;
    const names = Object.keys(KEPT) as (keyof KeptSettings)[];
    return names.filter((name) => !isDeepStrictEqual(there[name], this.#kept[name]));
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
  save(change: { readonly [Name in keyof KeptSettings]: KeptSettings[Name] | undefined }): Promise<void> {
    return this.#writes.run(async () => {
      const { members, setAside } = readFile(this.path);
      if (setAside?.path === null) throw new StartError(`${this.path} is broken and can't be moved aside`);
      const next: Record<string, unknown> = { ...members, ...change };
      await write(this.path, textOf(next));
      // What was written by hand meanwhile is in the file alone until the next start.
      this.#kept = sound({ ...this.#kept, ...change }).kept;
    });
  }
}

/** The members of a file as it is, none where it can't be read. */
function peek(path: string): Record<string, unknown> {
  try {
    return anyMembers.parse(JSON.parse(readRegularFile(path)?.toString('utf8') ?? '{}'));
  } catch {
    return {};
  }
}

function readFile(path: string): Read {
  const bytes = readRegularFile(path);
  if (bytes === null) return NOTHING;
  const text = bytes.toString('utf8');
  const broken = (reason: string, read: Pick<Read, 'kept' | 'members'>, wrong: string[] | null): Read => {
    return { ...read, setAside: { path: putAside(path, hasAny(read.members)), reason, wrong } };
  };
  let members: Record<string, unknown>;
  try {
    members = anyMembers.parse(JSON.parse(text));
  } catch {
    return broken(text.trim() === '' ? 'it is empty' : 'it is no JSON object', NOTHING, null);
  }
  const { kept, wrong } = sound(members);
  if (wrong.length === 0) return { kept, members, setAside: null };
  // The members that are wrong stay in the copy alone.
  const rest = Object.fromEntries(Object.entries(members).filter(([name]) => !wrong.includes(name)));
  return broken(`it has no valid ${wrong.join(', ')}`, { kept, members: rest }, wrong);
}

/** The members that are as they should be, and the names of those that are not. */
function sound(members: Readonly<Record<string, unknown>>): { kept: KeptSettings; wrong: string[] } {
  const kept: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, schema] of Object.entries(KEPT) as [string, z.ZodType][]) {
    if (!Object.hasOwn(members, name) || members[name] === undefined) continue;
    const parsed = schema.safeParse(members[name]);
    if (parsed.success) kept[name] = parsed.data;
    else wrong.push(name);
  }
  return { kept: kept as KeptSettings, wrong };
}

const hasAny = (members: object) => Object.keys(members).length > 0;
const textOf = (members: object) => `${JSON.stringify(members, null, 2)}\n`;

/**
 * Gives the file another name, or `asCopy` a second one: what holds of it is to be written in its place, and until that is
 * there nothing may be lost. Returns the name, or null where the folder does not let that be.
 */
function putAside(path: string, asCopy: boolean): string | null {
  const time = new Date(SYSTEM_CLOCK.now()).toISOString().replace(/[-:]/g, '');
  for (let number = 0; ; number += 1) {
    const name = `${path}.broken-${time}${number === 0 ? '' : `-${number}`}`;
    if (existsSync(name)) continue;
    try {
      // Where that fails, nothing is left of the copy.
      if (asCopy) copyFileSync(path, name, constants.COPYFILE_EXCL);
      else renameSync(path, name);
      return name;
    } catch {
      return null;
    }
  }
}

/** A link stays a link: its target is replaced. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path;
  await writeAtomically(target, text);
}
