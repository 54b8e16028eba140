import Database from 'better-sqlite3';

/**
 * Returns the contents of a block of this device and seq. They follow from the two alone, so that a reader of a store
 * can tell whether the reading is the one that was sent. Timestamps jump back to one of a device without a clock every
 * third time, and span many hours.
 */
export function contentOf(seq: number): {
  readonly timestamp: number;
  readonly waterLevel: number;
  readonly ph: number;
} {
  const timestamp = seq % 3 === 0 ? seq * 60_000 : 1_700_000_000_000 + seq * 600_000;
  return { timestamp, waterLevel: (seq * 7919) % 10_000, ph: (seq % 1400) / 100 };
}

/** The confirmations of a node on one endpoint: the readings by 200 (or by 207 and no error), the devices by 201. */
export class Ledger {
  readonly #readings = new Map<string, Set<number>>();

  /** A registration was confirmed. */
  confirmDevice(deviceId: string): void {
    if (!this.#readings.has(deviceId)) this.#readings.set(deviceId, new Set());
  }

  /** A reading was confirmed. */
  confirmReading(deviceId: string, seq: number): void {
    this.confirmDevice(deviceId);
    this.#readings.get(deviceId)!.add(seq);
  }

  /** Whether the registration was confirmed. */
  knows(deviceId: string): boolean {
    return this.#readings.has(deviceId);
  }

  /** The confirmed seqs of a device; empty where it has none. */
  confirmedOf(deviceId: string): ReadonlySet<number> {
    return this.#readings.get(deviceId) ?? new Set();
  }

  get devices(): number {
    return this.#readings.size;
  }

  get readings(): number {
    let count = 0;
    for (const seqs of this.#readings.values()) count += seqs.size;
    return count;
  }

  /**
   * Compares with a store file, read-only and beside the node that runs on it. Returns what is wrong, in words: a
   * confirmed device or reading that is missing, a reading that is there twice or is not what was sent, and whatever
   * `PRAGMA integrity_check` and `foreign_key_check` find. Readings that were stored without being confirmed are right:
   * the answer may have been lost on its way.
   */
  compareWith(storePath: string): string[] {
    const db = new Database(storePath, { readonly: true, fileMustExist: true });
    try {
      const stored = new Map<string, Set<number>>();
      const findings = [...integrityOf(db), ...readStore(db, stored)];
      for (const [deviceId, seqs] of this.#readings) {
        const found = stored.get(deviceId);
        if (found === undefined) findings.push(`device ${deviceId} was confirmed and is missing`);
        for (const seq of seqs) {
          if (!found?.has(seq)) findings.push(`reading ${seq} of ${deviceId} was confirmed and is missing`);
        }
      }
      return findings;
    } finally {
      db.close();
    }
  }
}

function integrityOf(db: Database.Database): string[] {
  const problems = db.pragma('integrity_check') as { integrity_check: string }[];
  const findings = problems.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0) findings.push('foreign_key_check found rows');
  return findings;
}

/** Gathers what is stored by device; returns what is there twice or differs from what its seq says. */
function readStore(db: Database.Database, stored: Map<string, Set<number>>): string[] {
  const findings: string[] = [];
  const ids = db.prepare('SELECT device, lower(hex(id)) FROM devices').raw().all() as [number, string][];
  const byNumber = new Map<number, string>();
  for (const [device, id] of ids) {
    if (stored.has(id)) findings.push(`device ${id} is there twice`);
    stored.set(id, new Set());
    byNumber.set(device, id);
  }
  const rows = db.prepare('SELECT device, seq, timestamp, water_level, ph FROM readings NOT INDEXED').raw().iterate();
  for (const [device, seq, timestamp, waterLevel, ph] of rows as Iterable<[number, number, number, number, number]>) {
    const id = byNumber.get(device);
    if (id === undefined) {
      findings.push(`reading ${seq} belongs to no device`);
      continue;
    }
    const seqs = stored.get(id)!;
    if (seqs.has(seq)) findings.push(`reading ${seq} of ${id} is there twice`);
    seqs.add(seq);
    const sent = contentOf(seq);
    if (sent.timestamp !== timestamp || sent.waterLevel !== waterLevel || sent.ph !== ph) {
      findings.push(`reading ${seq} of ${id} is not what was sent: ${JSON.stringify({ timestamp, waterLevel, ph })}`);
    }
  }
  return findings;
}
