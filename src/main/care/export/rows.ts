import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import type { MergedReading } from '../../store/port.ts';

/** What an exported reading has, in the order of the columns. Values are as they were sent: no unit is converted. */
export interface ExportedReading {
  readonly seq: bigint;
  /** Milliseconds as the device said: since 1970, or since its start where its clock is not set. */
  readonly timestamp: bigint;
  /** The same as a date, where it is one. */
  readonly time: Date | null;
  readonly receivedAt: Date;
  readonly store: string;
  readonly keyVersion: number;
  readonly plain: Readonly<Record<FieldName, number | null>>;
  /** Nonce and cipher in hex. */
  readonly sealed: Readonly<Record<FieldName, string | null>>;
}

/** 2001-01-01: an earlier timestamp is time since a start. */
const FIRST_DATE = 978_307_200_000n;
/** The end of the year 9999. */
const LAST_DATE = 253_402_300_799_999n;

/** A reading as it is exported. */
export function exported(reading: MergedReading): ExportedReading {
  const { seq, timestamp, receivedAt, store, keyVersion, fields } = reading;
  const perField = <T>(value: (name: FieldName) => T) =>
    Object.fromEntries(FIELD_NAMES.map((name) => [name, value(name)])) as Record<FieldName, T>;
  return {
    seq,
    timestamp,
    time: timestamp >= FIRST_DATE && timestamp <= LAST_DATE ? new Date(Number(timestamp)) : null,
    receivedAt: new Date(receivedAt),
    store,
    keyVersion,
    plain: perField((name) => {
      const value = fields[name];
      return typeof value === 'number' ? value : null;
    }),
    sealed: perField((name) => {
      const value = fields[name];
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null;
    }),
  };
}
