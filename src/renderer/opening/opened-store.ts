import { FIELD_NAMES, type FieldName } from '../../shared/protocol/fields.ts';
import { Subscribers } from '../../shared/subscribers.ts';
import type { OpenedFields } from '../format/values.ts';
import type { KeyDevice, OpenedReadings, SealedReading } from '../keys/types.ts';
import { OpenedSeries } from './opened-series.ts';

/** The opened values of one device. Each change makes a new object. */
export interface OpenedLookup {
  /**
   * Returns the opened fields of a reading; undefined if none was tried. The object stays the same until one of them
   * changes.
   */
  of(seq: string): OpenedFields | undefined;
}

/** A function that opens readings with the owner's keys. */
export type OpenReadings = (device: KeyDevice, readings: readonly SealedReading[]) => Promise<OpenedReadings>;

/** How many readings the worker gets in one call, so that neither it nor the page is blocked for long. */
export const BATCH = 500;
/** How many readings of a device are kept outside of its series: those of the table, with room for new ones. */
const MOST_KEPT = 4 * BATCH;

export const NOTHING_OPENED: OpenedLookup = { of: () => undefined };

interface Kept {
  readonly receivedAt: number;
  readonly keyVersion: number;
  readonly fields: OpenedFields;
}

/** The opened values of one device, and the readings that are being opened. */
class DeviceOpenings {
  readonly kept = new Map<string, Kept>();
  readonly series = new OpenedSeries();
  readonly pending = new Set<string>();
  lookup = NOTHING_OPENED;
  /** The number of readings that were opened in total. The worker remembers their nonces. */
  opened = 0;
  /** The axis of the series' times. For another axis, the series is cleared. */
  axis: 'timestamp' | 'received' | null = null;
}

/**
 * All opened values of a node. They are in memory only and never in the query cache, so that `reset` drops all of them.
 * Values that are later found to be copies are replaced everywhere.
 */
export class OpenedStore {
  readonly #open: OpenReadings;
  readonly #devices = new Map<string, DeviceOpenings>();
  readonly #subscribers = new Subscribers();
  #changes = 0;

  constructor(open: OpenReadings) {
    this.#open = open;
  }

  /** Calls back when values were opened, replaced or dropped. Returns a function that stops it. */
  readonly subscribe = (subscriber: () => void): (() => void) => this.#subscribers.add(subscriber);

  /** Returns a counter of changes, for components that show many devices. */
  readonly changes = (): number => this.#changes;

  /** Returns the opened values of a device. The object stays the same until they change. */
  lookup(deviceId: string): OpenedLookup {
    return this.#devices.get(deviceId)?.lookup ?? NOTHING_OPENED;
  }

  /** Returns the opened values of a device over time. */
  series(deviceId: string, axis: 'timestamp' | 'received'): OpenedSeries {
    const device = this.#device(deviceId);
    if (device.axis !== axis) device.series.clear();
    device.axis = axis;
    return device.series;
  }

  /** Drops all values. Call it after the keys were locked or changed. */
  reset(): void {
    for (const { series } of this.#devices.values()) series.clear();
    this.#devices.clear();
    this.#tell();
  }

  /** Returns how many readings were opened in total, without those of dropped devices. */
  openedInAll(): number {
    return [...this.#devices.values()].reduce((sum, { opened }) => sum + opened, 0);
  }

  /** Drops all values of a device. Components that still show them request them again. */
  drop(deviceId: string): void {
    this.#devices.get(deviceId)?.series.clear();
    this.#devices.delete(deviceId);
    this.#tell();
  }

  /** Opens the fields of these readings that are sealed and not open yet. Rejects with KeySessionError. */
  async request(device: KeyDevice, readings: readonly SealedReading[]): Promise<void> {
    const { pending } = this.#device(device.id);
    const wanted = readings.map((reading) => this.#needed(device.id, reading)).filter((reading) => reading !== null);
    const names = wanted.flatMap(({ seq, fields }) => sealedFields(fields).map((field) => `${seq} ${field}`));
    for (const name of names) pending.add(name);
    try {
      for (let at = 0; at < wanted.length; at += BATCH) {
        const part = wanted.slice(at, at + BATCH);
        await this.openNow(device, part, (answer) => this.#keep(device.id, part, answer));
        this.touch(device.id);
      }
    } finally {
      for (const name of names) pending.delete(name);
    }
  }

  /**
   * Opens these readings, at most `BATCH`, and passes the result to `take`. Values that the result shows to be copies
   * are replaced. Resolves with false if all values were dropped meanwhile; then the result is dropped too. Rejects
   * with KeySessionError.
   */
  async openNow(
    device: KeyDevice,
    readings: readonly SealedReading[],
    take: (answer: OpenedReadings) => void,
  ): Promise<boolean> {
    const openings = this.#device(device.id);
    const answer = await this.#open(device, readings);
    if (this.#devices.get(device.id) !== openings) return false;
    openings.opened += readings.length;
    const copies = [...answer.overturned, ...copiesIn(answer)];
    for (const { seq, field } of copies) this.#overturn(device.id, seq, field);
    take(answer);
    if (copies.length > 0) this.touch(device.id);
    return true;
  }

  /** Notifies subscribers that values of a device were opened. */
  touch(deviceId: string): void {
    const openings = this.#device(deviceId);
    openings.lookup = { of: (seq) => openings.kept.get(seq)?.fields };
    this.#tell();
  }

  #device(id: string): DeviceOpenings {
    let device = this.#devices.get(id);
    if (device === undefined) {
      device = new DeviceOpenings();
      this.#devices.set(id, device);
    }
    return device;
  }

  /**
   * Returns the reading with only those sealed fields that are neither opened nor being opened; null if there are none.
   */
  #needed(deviceId: string, reading: SealedReading): SealedReading | null {
    const { kept, pending } = this.#device(deviceId);
    const { seq, receivedAt, keyVersion } = reading;
    const known = kept.get(seq);
    const isMissing = (field: FieldName) =>
      (known?.receivedAt !== receivedAt || known.fields[field] === undefined) && !pending.has(`${seq} ${field}`);
    const missing = sealedFields(reading.fields).filter(isMissing);
    if (missing.length === 0) return null;
    const fields = Object.fromEntries(
      FIELD_NAMES.map((field) => [field, missing.includes(field) ? reading.fields[field] : null]),
    ) as SealedReading['fields'];
    return { seq, receivedAt, keyVersion, fields };
  }

  #keep(deviceId: string, readings: readonly SealedReading[], answer: OpenedReadings): void {
    const { kept } = this.#device(deviceId);
    for (const [index, { seq, receivedAt, keyVersion }] of readings.entries()) {
      const before = kept.get(seq);
      const fields = answer.readings[index]!.fields;
      // Deleted and set again, so that the first entry of the map is the one that was opened longest ago.
      kept.delete(seq);
      kept.set(seq, {
        receivedAt,
        keyVersion,
        fields: before?.receivedAt === receivedAt ? { ...before.fields, ...fields } : fields,
      });
    }
    for (const seq of kept.keys()) {
      if (kept.size <= MOST_KEPT) break;
      kept.delete(seq);
    }
  }

  #overturn(deviceId: string, seq: string, field: FieldName): void {
    const { kept, series } = this.#device(deviceId);
    series.overturn(seq, field);
    const known = kept.get(seq);
    if (known?.fields[field]?.ok !== true) return;
    const copy = { ok: false, reason: 'nonce_reused', keyVersion: known.keyVersion } as const;
    kept.set(seq, { ...known, fields: { ...known.fields, [field]: copy } });
  }

  #tell(): void {
    this.#changes++;
    this.#subscribers.tell();
  }
}

/** Returns the copies in an answer. One may have been stored as a value before its original was known. */
function copiesIn({ readings }: OpenedReadings): { seq: string; field: FieldName }[] {
  return readings.flatMap(({ seq, fields }) =>
    FIELD_NAMES.flatMap((field) => {
      const item = fields[field];
      return item !== undefined && !item.ok && item.reason === 'nonce_reused' ? [{ seq, field }] : [];
    }),
  );
}

/** Returns the sealed fields of a reading. */
export function sealedFields(fields: SealedReading['fields']): FieldName[] {
  return FIELD_NAMES.filter((field) => typeof fields[field] === 'object' && fields[field] !== null);
}
