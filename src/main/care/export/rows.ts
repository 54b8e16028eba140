import { type FieldName, perFieldName } from '../../../shared/protocol/fields.ts';
import { UPTIME_BELOW_MS } from '../../common/device-clock.ts';
import type { MergedReading } from '../../store/port.ts';
import type { Signed } from '../../store/signed.ts';

/** The columns of an exported reading, in order. Values are as sent: no unit is converted. */
export interface ExportedReading {
  readonly seq: bigint;
  /** The device's milliseconds: since 1970, or since its start if its clock is not set. */
  readonly timestamp: bigint;
  /** The timestamp as a date; null if it is not one. */
  readonly time: Date | null;
  readonly receivedAt: Date;
  readonly store: string;
  readonly keyVersion: number;
  readonly plain: Readonly<Record<FieldName, number | null>>;
  /** Nonce and cipher in hex. */
  readonly sealed: Readonly<Record<FieldName, string | null>>;
  /** null if it is not stored, or not part of this format. */
  readonly signed: Signed | null;
}

/** The end of the year 9999. */
const LAST_DATE = 253_402_300_799_999n;

/** Returns a reading in its exported form. */
export function exported(reading: MergedReading): ExportedReading {
  const { seq, timestamp, receivedAt, store, keyVersion, fields, signed = null } = reading;
  return {
    seq,
    timestamp,
    time: timestamp >= UPTIME_BELOW_MS && timestamp <= LAST_DATE ? new Date(Number(timestamp)) : null,
    receivedAt: new Date(receivedAt),
    store,
    keyVersion,
    plain: perFieldName((name) => {
      const value = fields[name];
      return typeof value === 'number' ? value : null;
    }),
    sealed: perFieldName((name) => {
      const value = fields[name];
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null;
    }),
    signed,
  };
}
