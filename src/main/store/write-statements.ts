import type { Database } from 'better-sqlite3';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../shared/protocol/limits.ts';
import { isGood } from '../ingest/packed-check.ts';
import { prepareForget } from './forget.ts';
import type { RollupWriter } from './rollup-writer.ts';
import type { StoreBounds, WriteJob, WriteResult } from './write-jobs.ts';
import { RowFate } from './write-jobs.ts';

/** Runs one job inside the caller's transaction. */
export type RunJob = (job: WriteJob) => WriteResult;

/** The statements that write, prepared once for a connection. */
export function prepareWrites(db: Database, bounds: StoreBounds | null, rollups: RollupWriter): RunJob {
  const insertReading = db.prepare(
    'INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (device, seq) DO NOTHING',
  );
  const findDevice = db.prepare('SELECT 1 FROM devices WHERE id = ?').pluck();
  const countDevices = db.prepare('SELECT count(*) FROM devices').pluck();
  const insertOwner = db.prepare(
    'INSERT INTO users (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const insertDevice = db.prepare(`
    INSERT INTO devices (id, mac, owner_pubkey, name, type, location, publish_to, networks, local_servers,
      privacy_policy, hardware, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const forgetAttempts = db.prepare('DELETE FROM unregistered_devices WHERE id = ?');
  const addWithheld = db.prepare(`
    INSERT INTO withheld SELECT device, ?, ?, ?, ?, ? FROM devices WHERE device = ?
    ON CONFLICT (device, cause, field) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`);
  const addOutcome = db.prepare(`
    INSERT INTO hourly_counts VALUES (?, ?, ?)
    ON CONFLICT (hour, outcome) DO UPDATE SET count = count + excluded.count`);
  const clearAttempts = db.prepare('DELETE FROM unregistered_devices');
  const insertAttempts = db.prepare('INSERT INTO unregistered_devices VALUES (?, ?, ?, ?, ?)');

  function append({ rows, check }: Extract<WriteJob, { kind: 'append' }>): Uint8Array {
    const fates = new Uint8Array(rows.length);
    if (check !== undefined && !isGood(check)) return fates.fill(RowFate.BAD_SIGNATURE);
    for (const [index, row] of rows.entries()) {
      try {
        fates[index] = insertReading.run(row).changes;
        if (fates[index] === RowFate.STORED) rollups.touch(row[0], row[2]);
      } catch (error) {
        if ((error as { code?: string }).code !== 'SQLITE_CONSTRAINT_FOREIGNKEY') throw error;
        fates[index] = RowFate.NO_SUCH_DEVICE;
      }
    }
    return fates;
  }

  function register({ registration, createdAt }: Extract<WriteJob, { kind: 'register' }>) {
    const id = Buffer.from(registration.id, 'hex');
    if (findDevice.get(id) !== undefined) return 'exists';
    if (bounds !== null && (countDevices.get() as number) >= bounds.maxDevices) return 'limit';
    const owner = Buffer.from(registration.ownerPubkey, 'hex');
    // A stored name is kept: a stranger on the public endpoint must not rename an owner.
    insertOwner.run(
      owner,
      registration.ownerName ?? registration.ownerPubkey.slice(0, OWNER_NAME_FROM_KEY_LENGTH),
      createdAt,
    );
    insertDevice.run(
      id,
      Buffer.from(registration.mac, 'hex'),
      owner,
      registration.name,
      registration.type,
      registration.location === undefined ? null : BigInt.asIntN(64, registration.location),
      registration.publishTo,
      JSON.stringify(registration.networks),
      JSON.stringify(registration.localServers),
      JSON.stringify(registration.privacyPolicy ?? {}),
      JSON.stringify(registration.hardware ?? {}),
      createdAt,
    );
    forgetAttempts.run(id);
    return 'created';
  }

  function tally({ withheld, outcomes, unregistered }: Extract<WriteJob, { kind: 'tally' }>): null {
    for (const { device, cause, field, count, firstAt, lastAt } of withheld) {
      addWithheld.run(cause, field, count, firstAt, lastAt, device);
    }
    for (const { hour, outcome, count } of outcomes) addOutcome.run(hour, outcome, count);
    if (unregistered !== null) {
      clearAttempts.run();
      for (const { id, attempts, firstAt, lastAt, lastError } of unregistered) {
        insertAttempts.run(Buffer.from(id, 'hex'), attempts, firstAt, lastAt, lastError);
      }
    }
    return null;
  }

  const forget = prepareForget(db, rollups);

  function note({ id, notes, updatedAt }: Extract<WriteJob, { kind: 'note' }>): null {
    const key = Buffer.from(id, 'hex');
    // Prepared here: only the private store has this table.
    if (notes === null) db.prepare('DELETE FROM device_notes WHERE id = ?').run(key);
    else {
      const { displayName, unitLabels, silentAfterMs, status, mine } = notes;
      db.prepare(
        'REPLACE INTO device_notes (id, display_name, unit_labels, silent_after_ms, status, updated_at, mine) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ).run(
        key,
        displayName,
        JSON.stringify(unitLabels),
        silentAfterMs,
        status,
        updatedAt,
        mine === null ? null : Number(mine),
      );
    }
    return null;
  }

  return (job) => {
    switch (job.kind) {
      case 'append':
        return append(job);
      case 'register':
        return register(job);
      case 'tally':
        return tally(job);
      case 'forget':
        return forget(job);
      case 'note':
        return note(job);
    }
  };
}
