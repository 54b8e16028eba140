import type { Database } from 'better-sqlite3';
import { stringifyJson64 } from '../../../../shared/protocol/json64.ts';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../../../shared/protocol/limits.ts';
import type { StoreBounds } from '../../port.ts';
import { keptRawOf } from '../../signed.ts';
import { Fate, type PackedBlocks } from '../../verifier/packed-blocks.ts';
import { CLOCK_COLUMN, ENTRY_COLUMN, into, READING_COLUMNS, SIGNED_COLUMNS } from '../file/columns.ts';
import { toSigned } from '../file/unsigned.ts';
import type { DeviceNumbers } from './device-numbers.ts';
import { prepareForget } from './forget.ts';
import type { KeptFrom } from './kept-from.ts';
import type { LogWriter } from './log-writer.ts';
import { prepareMoves } from './move-arrivals.ts';
import { writeOwnerRecord } from './owner-records.ts';
import { preparePruning } from './prune.ts';
import type { RollupWriter } from './rollup-writer.ts';
import type { ChunkJob, WriteJob, WriteResult, WriteResults } from './write-jobs.ts';

const DEVICE_COLUMNS = [
  ...['id', 'mac', 'owner_pubkey', 'name', 'type', 'location', 'publish_to', 'networks', 'local_servers'],
  ...['privacy_policy', 'hardware', 'created_at'],
];

/** Runs one job in the caller's transaction. */
export type RunJob = (job: WriteJob | ChunkJob) => WriteResult;

/** Prepares all writing statements once for a connection. */
export function prepareWrites(
  db: Database,
  bounds: StoreBounds | null,
  numbers: DeviceNumbers,
  rollups: RollupWriter,
  keptFrom: KeptFrom,
  log: LogWriter,
): RunJob {
  const pruning = preparePruning(db, numbers, rollups, keptFrom, log);
  const moves = prepareMoves(db, rollups, log);
  const columns = [...READING_COLUMNS, ...SIGNED_COLUMNS, ENTRY_COLUMN];
  const insertReading = db.prepare(`INSERT ${into('readings', columns)} ON CONFLICT (device, seq) DO NOTHING`);
  const insertInDoubt = db.prepare(
    `INSERT ${into('readings', [...columns, CLOCK_COLUMN])} ON CONFLICT (device, seq) DO NOTHING`,
  );
  const isStored = db
    .prepare<[number, number | bigint], 1>('SELECT 1 FROM readings WHERE device = ? AND seq = ?')
    .pluck();
  /** The highest seq of each device that came on this connection, as stored: most later ones are new. */
  const highest = new Map<number, number | bigint>();
  const countDevices = db.prepare('SELECT count(*) FROM devices').pluck();
  const insertOwner = db.prepare(
    'INSERT INTO users (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const insertDevice = db.prepare(`INSERT ${into('devices', DEVICE_COLUMNS)}`);
  const forgetAttempts = db.prepare('DELETE FROM unregistered_devices WHERE id = ?');
  const addWithheld = db.prepare(`
    INSERT ${into('withheld', ['device', 'cause', 'field', 'count', 'first_at', 'last_at'])}
    ON CONFLICT (device, cause, field) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`);
  const addOutcome = db.prepare(`
    INSERT INTO hourly_counts (hour, outcome, count) VALUES (?, ?, ?)
    ON CONFLICT (hour, outcome) DO UPDATE SET count = count + excluded.count`);
  const clearAttempts = db.prepare('DELETE FROM unregistered_devices');
  const insertAttempts = db.prepare(
    `INSERT ${into('unregistered_devices', ['id', 'attempts', 'first_at', 'last_at', 'last_error'])}`,
  );

  /**
   * Stores a reading, unless it belongs to an hour that retention has deleted. `row` begins with device, seq, timestamp
   * and time of arrival; the time of arrival is changed in it if its clock was found to be wrong.
   */
  function insert(row: unknown[], receivedBy: number): Fate {
    const [device, , timestamp, receivedAt] = row as [number, unknown, number | bigint, number];
    const arrival = moves.now(receivedAt, receivedBy);
    row[3] = arrival.receivedAt;
    if (pruning.isPruned(device, timestamp)) return Fate.DUPLICATE;
    const isInDoubt = arrival.clock !== 0;
    row.push(log.next);
    const { changes } = isInDoubt ? insertInDoubt.run(row, arrival.clock) : insertReading.run(row);
    if (changes === 0) return Fate.DUPLICATE;
    log.took();
    rollups.touch(device, timestamp);
    return Fate.STORED;
  }

  /**
   * Returns whether a reading is stored, if that is likely. The insert finds it out too, but all columns must be made
   * and bound for it.
   */
  function isRepeated(device: number, seq: number | bigint): boolean {
    const last = highest.get(device);
    if (last !== undefined && seq <= last) return isStored.get(device, seq) !== undefined;
    highest.set(device, seq);
    return false;
  }

  function append({ rows }: Extract<WriteJob, { kind: 'append' }>): WriteResults['append'] {
    const receivedAt = new Float64Array(rows.length);
    const fates = Uint8Array.from(rows, ([deviceId, clock, signature, signed, ...values], index) => {
      const device = numbers.of(deviceId);
      if (device === null) return Fate.UNKNOWN_DEVICE;
      const row: unknown[] = [device, ...values, signature, signed];
      const fate = insert(row, clock);
      receivedAt[index] = row[3] as number;
      return fate;
    });
    return { fates, receivedAt };
  }

  function appendBlock(blocks: PackedBlocks, at: number): Fate {
    const deviceId = blocks.deviceIdOf(at);
    const device = numbers.of(deviceId);
    if (device === null) return Fate.UNKNOWN_DEVICE;
    const [seq, timestamp, keyVersion] = [blocks.seqOf(at), blocks.timestampOf(at), blocks.keyVersionOf(at)];
    if (isRepeated(device, signed(seq))) return Fate.DUPLICATE;
    const values: unknown[] = [];
    blocks.readFields(at, values);
    const row: unknown[] = [device, signed(seq), signed(timestamp), blocks.receivedAtOf(at), keyVersion, ...values];
    if (blocks.keepsSigned(at)) {
      const raw = keptRawOf(blocks.messageOf(at), { deviceId, seq, timestamp, keyVersion, values });
      row.push(blocks.signatureOf(at), raw);
    } else row.push(null, null);
    const clock = blocks.clockOf(at);
    const fate = insert(row, clock);
    // The caller gets the stored time.
    if (clock !== 0) blocks.setReceivedAt(at, row[3] as number);
    return fate;
  }

  function appendChunk({ chunk: { blocks, count } }: ChunkJob): Uint8Array {
    const fates = new Uint8Array(count);
    for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) {
      const fate = blocks.fateOf(at);
      fates[index] = fate === Fate.GOOD && blocks.hasReading(at) ? appendBlock(blocks, at) : fate;
    }
    return fates;
  }

  function register({ registration, createdAt, origin }: Extract<WriteJob, { kind: 'register' }>) {
    const id = Buffer.from(registration.id, 'hex');
    if (numbers.of(registration.id) !== null) return 'exists';
    if (bounds !== null && (countDevices.get() as number) >= bounds.maxDevices) return 'limit';
    const owner = Buffer.from(registration.ownerPubkey, 'hex');
    // A stored name is kept: a stranger must not rename an owner by registering in the public store.
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
    if (origin !== undefined) {
      log.add({
        ...{ kind: 'registration', device: registration.id, at: createdAt, way: origin.way },
        by: origin.by === null ? null : JSON.stringify(origin.by),
        received: origin.received === null ? null : stringifyJson64(origin.received),
      });
    }
    return 'created';
  }

  function count({ counts }: Extract<WriteJob, { kind: 'count' }>): null {
    const { withheld, outcomes, unregistered } = counts;
    for (const { deviceId, cause, field, count, firstAt, lastAt } of withheld) {
      const device = numbers.of(deviceId);
      if (device !== null) addWithheld.run(device, cause, field ?? '', count, firstAt, lastAt);
    }
    for (const { hour, outcome, count } of outcomes) addOutcome.run(hour, outcome, count);
    if (unregistered !== null) {
      clearAttempts.run();
      for (const { id, attempts, firstAt, lastAt, lastError } of unregistered) {
        // The list may be from before the device registered.
        if (numbers.of(id) !== null) continue;
        insertAttempts.run(Buffer.from(id, 'hex'), attempts, firstAt, lastAt, lastError);
      }
    }
    return null;
  }

  const forget = prepareForget(db, { numbers, rollups, pruning, moves, log });

  return (job) => {
    switch (job.kind) {
      case 'append':
        return append(job);
      case 'chunk':
        return appendChunk(job);
      case 'register':
        return register(job);
      case 'count':
        return count(job);
      case 'forget':
        return forget(job);
      case 'prune':
        return pruning.prune(job);
      case 'pruneStrays':
        return pruning.pruneStrays(job);
      case 'moveArrivals':
        return moves.move(job);
      case 'checkpoint':
        return log.keepCheckpoint(job.checkpoint);
      case 'compact':
      case 'setDurability':
        throw new Error(`${job.kind} is no part of a transaction`);
      default:
        return writeOwnerRecord(db, job);
    }
  };
}

/** Returns the signed value of the same 64 bits as an unsigned one. */
function signed(value: number | bigint): number | bigint {
  return typeof value === 'number' ? value : toSigned(value);
}
