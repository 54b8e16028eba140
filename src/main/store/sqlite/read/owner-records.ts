import { type Correction, correctionsOf } from '../../../../shared/measures/correction.ts';
import { calibrationsIn, type JournalEntry, type LogAct } from '../../../../shared/owner-data/journal.ts';
import type { ReadConnection } from './read-connection.ts';

type EntryRow = [
  id: number,
  device: Buffer | null,
  at: number,
  text: string,
  act: string | null,
  author: string | null,
  updatedAt: number,
];

const CHOICES_SQL = 'SELECT name, value FROM main.owner_choices';
const ENTRIES_SQL = 'SELECT entry, device_id, at, text, act, author, updated_at FROM main.journal';
/** The kind comes first in each act, so this condition need not parse JSON. */
const CALIBRATED_SQL = `${ENTRIES_SQL} WHERE substr(act, 1, 20) = '{"kind":"calibrated"'`;
/** A scan of the owner's own entries, a few thousand at most. */
const WITH_PHOTOS_SQL = `${ENTRIES_SQL} WHERE instr(act, '"photos":[') > 0 ORDER BY at, entry`;
const JOURNAL_SQL = `${ENTRIES_SQL} WHERE at BETWEEN ? AND ?
  AND (? IS NULL OR device_id IS NULL OR device_id = ?) ORDER BY at DESC, entry DESC LIMIT ?`;

/** Returns the owner's choices for all devices: JSON values by name. */
export function choicesOf(connection: ReadConnection): Map<string, unknown> {
  const rows = connection.statement<[name: string, value: string]>('private', CHOICES_SQL).all();
  return new Map(rows.map(([name, value]) => [name, JSON.parse(value) as unknown]));
}

/**
 * Returns journal entries between two times, newest first: those of a device and those without a device; with null,
 * all.
 */
export function journalOf(
  connection: ReadConnection,
  device: string | null,
  from: number,
  to: number,
  limit: number,
): JournalEntry[] {
  const key = device === null ? null : Buffer.from(device, 'hex');
  return connection.statement<EntryRow>('private', JOURNAL_SQL).all(from, to, key, key, limit).map(toEntry);
}

/** Returns an entry of the journal, or null. */
export function entryOf(connection: ReadConnection, id: number): JournalEntry | null {
  const row = connection.statement<EntryRow>('private', `${ENTRIES_SQL} WHERE entry = ?`).get(id);
  return row === undefined ? null : toEntry(row);
}

/** Returns the entries that have photos, oldest first. */
export function entriesWithPhotos(connection: ReadConnection): JournalEntry[] {
  // The text of a product may contain the name of this member, so the result is checked again.
  const rows = connection.statement<EntryRow>('private', WITH_PHOTOS_SQL).all();
  return rows.map(toEntry).filter(({ act }) => act?.photos !== undefined);
}

/** Returns the corrections of each calibrated device. */
export function correctionsOfAll(connection: ReadConnection): Map<string, Correction[]> {
  const entries = connection.statement<EntryRow>('private', CALIBRATED_SQL).all().map(toEntry);
  const byDevice = Map.groupBy(entries, ({ device }) => device ?? '');
  return new Map([...byDevice].map(([device, of]) => [device, correctionsOf(calibrationsIn(of))]));
}

/** Returns the corrections of one device. */
export function correctionsOfOne(connection: ReadConnection, device: string): Correction[] {
  const rows = connection
    .statement<EntryRow>('private', `${CALIBRATED_SQL} AND device_id = ?`)
    .all(Buffer.from(device, 'hex'));
  return correctionsOf(calibrationsIn(rows.map(toEntry)));
}

function toEntry([id, of, at, text, act, author, updatedAt]: EntryRow): JournalEntry {
  return {
    ...{ id, device: of?.toString('hex') ?? null, at, text },
    ...(act === null ? {} : { act: JSON.parse(act) as LogAct }),
    ...(author === null ? {} : { by: author }),
    updatedAt,
  };
}
