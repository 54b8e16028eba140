import { DERIVED_FIELDS, type DerivedBy, type DerivedName, derivedValue } from '../../../shared/measures/derived.ts';
import { CHOICES, type OwnerChoices } from '../../../shared/owner-data/choices.ts';
import { type FieldName, perFieldName } from '../../../shared/protocol/fields.ts';
import { UPTIME_BELOW_MS } from '../../common/device-clock.ts';
import type { Signed } from '../../store/signed.ts';
import type { KnownDevice, MergedReading, StoresView } from '../../store/stores-view.ts';

/** The columns of an exported reading. Values of sensors are as they were sent: no unit is converted. */
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
  /** In kPa and °C, from the plain values as they were sent. */
  readonly derived: Readonly<Record<DerivedName, number | null>>;
  /** Nonce and cipher in hex. */
  readonly sealed: Readonly<Record<FieldName, string | null>>;
  /** null if it is not stored, or not part of this format. */
  readonly signed: Signed | null;
}

/** Reads the owner's choices about the air and the leaves at devices. */
export async function climateOf(stores: StoresView): Promise<OwnerChoices['climate']> {
  return CHOICES.climate.safeParse((await stores.choices()).get('climate') ?? {}).data ?? {};
}

/** Returns the inputs of a device's derived values besides its readings. */
export function derivedByOf({ id, notes }: KnownDevice, climate: OwnerChoices['climate']): DerivedBy {
  return { units: notes.units, leafOffset: climate[id]?.leafOffset ?? null };
}

/** The end of the year 9999. */
const LAST_DATE = 253_402_300_799_999n;

/** A reading as it is exported. */
export function exported(reading: MergedReading, by: DerivedBy): ExportedReading {
  const { seq, timestamp, receivedAt, store, keyVersion, fields, signed = null } = reading;
  const plainOf = (name: FieldName) => {
    const value = fields[name];
    return typeof value === 'number' ? value : null;
  };
  return {
    seq,
    timestamp,
    time: timestamp >= UPTIME_BELOW_MS && timestamp <= LAST_DATE ? new Date(Number(timestamp)) : null,
    receivedAt: new Date(receivedAt),
    store,
    keyVersion,
    plain: perFieldName(plainOf),
    derived: Object.fromEntries(
      DERIVED_FIELDS.map(({ name, decimals }) => {
        const value = derivedValue(name, plainOf, by);
        return [name, value === null ? null : Number(value.toFixed(decimals + 1))];
      }),
    ) as Record<DerivedName, number | null>,
    sealed: perFieldName((name) => {
      const value = fields[name];
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : null;
    }),
    signed,
  };
}
