import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntry } from '../../shared/owner-api/audit.ts';
import type { AuditActorKind, AuditKind } from '../../shared/owner-api/audit-kinds.ts';
import { openStateFile } from '../state-files/damaged-files.ts';
import { isRegularFile } from '../state-files/regular-file.ts';
import { AUDIT_FILE, AUDIT_HEAD, type AuditFolder, OLDER_FILE } from './audit-log.ts';
import { ChainCheck, type Checked, type Head, type LogText } from './chain.ts';

/**
 * The number of lines per turn of the event loop: they take a few milliseconds, so devices wait no longer while an
 * owner reads the log.
 */
const LINES_A_TURN = 200;
const AGAIN_AFTER_MS = 20;
/** The largest number of attempts to read between two entries of a busy node. */
const MAX_ROUNDS = 20;

/** A question about the log. */
export interface AuditFilter {
  readonly kinds: readonly AuditKind[] | null;
  readonly by: AuditActorKind | null;
  /** Entries with a smaller `n`. */
  readonly before: number | null;
  readonly limit: number;
}

/** Reads and checks the log of a folder, also while a node or a command writes it. */
export class AuditReader {
  readonly #folder: Pick<AuditFolder, 'path' | 'log'>;
  #latest: { readonly files: readonly LogText[]; readonly head: string; readonly checked: Checked } | null = null;

  constructor(folder: Pick<AuditFolder, 'path' | 'log'>) {
    this.#folder = folder;
  }

  /** Reads and checks the log. Rejects with StartError if a file of the log is not a regular file. */
  async read(): Promise<Checked> {
    for (let round = 1; ; round += 1) {
      const head = this.#head();
      const files = await this.#files();
      const isSteady = JSON.stringify(this.#head()) === JSON.stringify(head);
      const checked = await this.#check(files, head);
      if (checked.breaks.length === 0 || (isSteady && round > 1) || round === MAX_ROUNDS) return checked;
      await delay(AGAIN_AFTER_MS);
    }
  }

  async #check(files: readonly LogText[], head: Head | null): Promise<Checked> {
    const [latest, key] = [this.#latest, JSON.stringify(head)];
    const isSame = latest?.head === key && latest.files.length === files.length;
    if (isSame && files.every(({ text }, index) => text === latest.files[index]!.text)) return latest.checked;
    const check = new ChainCheck(files, head);
    while (check.step(LINES_A_TURN)) await nextTurn();
    const checked = check.result();
    this.#latest = { files, head: key, checked };
    return checked;
  }

  #head(): Head | null {
    const file = openStateFile(AUDIT_HEAD, { ...this.#folder, now: () => 0 });
    return isRegularFile(file.path) ? file.peek() : null;
  }

  async #files(): Promise<LogText[]> {
    const files: LogText[] = [];
    for (const name of [OLDER_FILE, AUDIT_FILE]) {
      const path = join(this.#folder.path, name);
      if (isRegularFile(path)) files.push({ name, text: await readFile(path, 'latin1') });
    }
    return files;
  }
}

/** Returns the entries that match a filter, latest first. */
export function filtered(
  { lines }: Pick<Checked, 'lines'>,
  { kinds, by, before, limit }: AuditFilter,
): { readonly entries: AuditEntry[]; readonly hasMore: boolean } {
  const entries: AuditEntry[] = [];
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const { entry } = lines[index]!;
    if (before !== null && entry.n >= before) continue;
    if (by !== null && entry.who.by !== by) continue;
    if (kinds !== null && !kinds.some((kind) => kind === entry.kind)) continue;
    if (entries.length === limit) return { entries, hasMore: true };
    entries.push(entry);
  }
  return { entries, hasMore: false };
}
