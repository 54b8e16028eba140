import type { Database } from 'better-sqlite3';
import { into } from '../file/columns.ts';
import type { Choice, OwnerJob, WriteResults } from './write-jobs.ts';

const NOTE_COLUMNS = [
  ...['id', 'display_name', 'unit_labels', 'silent_after_ms', 'status', 'updated_at', 'mine', 'units', 'text'],
];
const ENTRY_COLUMNS = ['device_id', 'at', 'text', 'act', 'author', 'updated_at'];

/**
 * Writes the owner's choices and notes in the caller's transaction. Statements are prepared at each call, because only
 * the private store has these tables and an owner writes rarely.
 */
export function writeOwnerRecord(db: Database, job: OwnerJob): WriteResults[OwnerJob['kind']] {
  switch (job.kind) {
    case 'note':
      return note(db, job);
    case 'choose':
      choose(db, job);
      return null;
    case 'writeEntry':
      if (job.choice !== undefined) choose(db, job.choice);
      return writeEntry(db, job);
    case 'deleteEntry':
      return db.prepare('DELETE FROM journal WHERE entry = ?').run(job.id).changes > 0;
  }
}

function choose(db: Database, { name, value, updatedAt }: Choice): void {
  db.prepare(`REPLACE ${into('owner_choices', ['name', 'value', 'updated_at'])}`).run(name, value, updatedAt);
}

/** Adds a device to the list of hidden ones, or removes it. */
function hide(db: Database, id: string, isHidden: boolean, updatedAt: number): void {
  const row = db.prepare("SELECT value FROM owner_choices WHERE name = 'hidden'").raw().get() as [string] | undefined;
  const before = row === undefined ? [] : (JSON.parse(row[0]) as string[]);
  if (before.includes(id) === isHidden) return;
  const hidden = isHidden ? [...before, id] : before.filter((each) => each !== id);
  choose(db, { name: 'hidden', value: JSON.stringify(hidden), updatedAt });
}

/** Removes the tasks and the crop cycles of a device. */
function leavePlace(db: Database, id: string, updatedAt: number): void {
  const isOf = (item: { device?: unknown; place?: { device?: unknown } }) =>
    item.device === id || item.place?.device === id;
  for (const name of ['tasks', 'cycles']) {
    const row = db.prepare('SELECT value FROM owner_choices WHERE name = ?').raw().get(name) as [string] | undefined;
    const before: unknown = row === undefined ? [] : JSON.parse(row[0]);
    if (!Array.isArray(before) || !before.some(isOf)) continue;
    choose(db, { name, value: JSON.stringify(before.filter((item) => !isOf(item))), updatedAt });
  }
}

/** Removes the hours of day and the leaf temperature of a device. */
function leaveClimate(db: Database, id: string, updatedAt: number): void {
  const row = db.prepare("SELECT value FROM owner_choices WHERE name = 'climate'").raw().get() as [string] | undefined;
  const before = row === undefined ? {} : (JSON.parse(row[0]) as Record<string, unknown>);
  if (!Object.hasOwn(before, id)) return;
  const { [id]: _, ...climate } = before;
  choose(db, { name: 'climate', value: JSON.stringify(climate), updatedAt });
}

/**
 * Replaces or removes the notes of a device. Removing them also removes the device's other owner records, unless
 * `keepsLog` is set.
 */
function note(db: Database, { id, notes, updatedAt, keepsLog }: Extract<OwnerJob, { kind: 'note' }>): null {
  const key = Buffer.from(id, 'hex');
  hide(db, id, notes?.isHidden ?? false, updatedAt);
  if (notes === null) {
    db.prepare('DELETE FROM device_notes WHERE id = ?').run(key);
    leaveClimate(db, id, updatedAt);
    if (keepsLog) return null;
    db.prepare('DELETE FROM journal WHERE device_id = ?').run(key);
    leavePlace(db, id, updatedAt);
    return null;
  }
  const { displayName, earlierLabels, silentAfterMs, status, mine, units, text } = notes;
  db.prepare(`REPLACE ${into('device_notes', NOTE_COLUMNS)}`).run(
    key,
    displayName,
    JSON.stringify(earlierLabels),
    silentAfterMs,
    status,
    updatedAt,
    mine === null ? null : Number(mine),
    JSON.stringify(units),
    text,
  );
  return null;
}

function writeEntry(db: Database, job: Extract<OwnerJob, { kind: 'writeEntry' }>): number | null {
  const device = job.device === null ? null : Buffer.from(job.device, 'hex');
  const act = job.act === undefined ? null : JSON.stringify(job.act);
  const values = [device, job.at, job.text, act, job.by ?? null, job.updatedAt];
  if (job.id === null) {
    const insert = db.prepare(`INSERT ${into('journal', ENTRY_COLUMNS)}`);
    return Number(insert.run(...values).lastInsertRowid);
  }
  const update = db.prepare(
    `UPDATE journal SET ${ENTRY_COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE entry = ?`,
  );
  return update.run(...values, job.id).changes > 0 ? job.id : null;
}
