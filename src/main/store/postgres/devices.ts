import { entryText } from '../../../shared/proof/leaf.ts';
import type { DeviceRegistration } from '../../../shared/protocol/device.ts';
import { stringifyJson64 } from '../../../shared/protocol/json64.ts';
import { OWNER_NAME_FROM_KEY_LENGTH } from '../../../shared/protocol/limits.ts';
import type { DevicePage, Registered, RegisteredDevice, RegistrationOrigin } from '../port.ts';
import { type Query, SYNCED } from './database.ts';
import { deleteReadings, forgetRegistration } from './log-writer.ts';

/** The maximum number of parallel lookups. Each finds all devices that were requested by then. */
const MAX_LOOKUPS = 2;

interface DeviceRow {
  readonly device: number;
  readonly id: Buffer;
  readonly owner: Buffer;
  readonly ownerName: string;
  readonly registered: Omit<
    RegisteredDevice,
    'id' | 'ownerPubkey' | 'ownerName' | 'location' | 'createdAt' | 'registration'
  >;
  readonly location: string | null;
  readonly createdAt: string;
}

/** Selects devices; `deviceOf` reads the rows. */
export const selectDevices = (schema: string) =>
  `SELECT device.device, device.id, device.owner, owner.name AS "ownerName", device.registered, device.location,
     device.created_at AS "createdAt"
   FROM ${schema}.device JOIN ${schema}.owner ON owner.id = device.owner`;

/** See Store.devices. */
export async function devicesOf(query: Query, schema: string, page?: DevicePage): Promise<RegisteredDevice[]> {
  const { after, limit } = page ?? { after: null, limit: null };
  const rows = await query<DeviceRow>(
    `${selectDevices(schema)} WHERE $1::bytea IS NULL OR device.device > (SELECT device FROM ${schema}.device WHERE id = $1)
     ORDER BY device.device LIMIT $2`,
    [after === null ? null : Buffer.from(after, 'hex'), limit],
  );
  return rows.map(deviceOf);
}

/** See Store.register. If two nodes register the same device at the same time, one of them creates it. */
export async function registerDevice(
  query: Query,
  schema: string,
  registration: DeviceRegistration,
  createdAt: number,
  { maxDevices, origin }: { readonly maxDevices: number; readonly origin: RegistrationOrigin | undefined },
): Promise<Registered> {
  const { id, mac, ownerPubkey, ownerName, name, type, location, publishTo, privacyPolicy, hardware } = registration;
  const { networks, localServers } = registration;
  const key = Buffer.from(id, 'hex');
  // A stored name is kept: a stranger must not rename an owner by registering.
  const [result] = await query<{ isThere: boolean; isAllowed: boolean; isCreated: boolean }>(
    `WITH ${SYNCED}, known AS (
       SELECT EXISTS (SELECT FROM ${schema}.device WHERE id = $1) AS "isThere",
         NOT EXISTS (SELECT FROM ${schema}.blocked WHERE key IN ($1, $2))
           AND coalesce((SELECT count(*) FROM ${schema}.device) < $9, true) AS "isAllowed"
     ), allowed AS (SELECT FROM known, synced WHERE NOT "isThere" AND "isAllowed"),
     named AS (INSERT INTO ${schema}.owner SELECT $2, $3 FROM allowed ON CONFLICT DO NOTHING),
     gone AS (DELETE FROM ${schema}.unregistered WHERE id = $1 AND EXISTS (SELECT FROM allowed)),
     created AS (
       INSERT INTO ${schema}.device (id, owner, registered, location, created_at, addresses)
       SELECT $1, $2, $4, $5, $6, $7 FROM allowed ON CONFLICT DO NOTHING RETURNING device
     ), queued AS (
       INSERT INTO ${schema}.log_queue (content) SELECT $8 FROM created WHERE $8::text IS NOT NULL
     )
     SELECT "isThere", "isAllowed", EXISTS (SELECT FROM created) AS "isCreated" FROM known`,
    [
      key,
      Buffer.from(ownerPubkey, 'hex'),
      ownerName ?? ownerPubkey.slice(0, OWNER_NAME_FROM_KEY_LENGTH),
      jsonOf({ mac, name, type, publishTo, privacyPolicy: privacyPolicy ?? {}, hardware: hardware ?? {} }),
      location?.toString() ?? null,
      createdAt,
      jsonOf({ networks, localServers }),
      origin === undefined ? null : registrationText(id, createdAt, origin),
      Number.isFinite(maxDevices) ? maxDevices : null,
    ],
  );
  const { isThere, isAllowed, isCreated } = result!;
  if (isCreated) return 'created';
  return isThere || isAllowed ? 'exists' : 'limit';
}

function registrationText(device: string, at: number, { way, by, received }: RegistrationOrigin): string {
  return entryText({
    ...{ kind: 'registration', device, at, way, by: by === null ? null : JSON.stringify(by) },
    received: received === null ? null : stringifyJson64(received),
  });
}

/** See Store.forget. To be called in a transaction. */
export async function forgetDevice(
  query: Query,
  schema: string,
  id: string,
  limit: number,
): Promise<{ readonly readings: number; readonly isDone: boolean }> {
  const key = Buffer.from(id, 'hex');
  const [of] = await query<{ device: number }>(`SELECT device FROM ${schema}.device WHERE id = $1`, [key]);
  if (of === undefined) return { readings: 0, isDone: true };
  const some = await query<{ seq: string }>(`SELECT seq FROM ${schema}.reading WHERE device = $1 LIMIT $2`, [
    of.device,
    limit,
  ]);
  const readings = await deleteReadings(
    query,
    schema,
    of.device,
    some.map(({ seq }) => seq),
  );
  if (some.length === limit) return { readings, isDone: false };
  await query(
    `DELETE FROM ${schema}.carried WHERE part IN ('retained_hours', 'retention', 'moved_arrivals')
       AND key = $1`,
    [of.device],
  );
  await forgetRegistration(query, schema, id);
  // If readings arrive meanwhile, this fails and the step is repeated.
  await query(`DELETE FROM ${schema}.device WHERE id = $1`, [key]);
  await query(
    `DELETE FROM ${schema}.owner WHERE NOT EXISTS (SELECT FROM ${schema}.device WHERE device.owner = owner.id)`,
  );
  return { readings, isDone: true };
}

/** Looks devices up by their ids. One statement finds all devices that are requested at the same time. */
export class DeviceLookups {
  readonly #query: Query;
  readonly #sql: string;
  #asked = new Map<string, ((found: Promise<RegisteredDevice | null>) => void)[]>();
  #underWay = 0;
  #isPlanned = false;

  constructor(query: Query, schema: string) {
    this.#query = query;
    this.#sql = `${selectDevices(schema)} WHERE device.id = ANY($1::bytea[])`;
  }

  find(id: string): Promise<RegisteredDevice | null> {
    return new Promise((resolve) => {
      const asked = this.#asked.get(id) ?? [];
      asked.push(resolve);
      this.#asked.set(id, asked);
      if (this.#isPlanned) return;
      this.#isPlanned = true;
      // Lookups of the same turn of the event loop are included.
      setImmediate(() => {
        this.#isPlanned = false;
        this.#ask();
      });
    });
  }

  #ask(): void {
    if (this.#underWay === MAX_LOOKUPS || this.#asked.size === 0) return;
    const asked = this.#asked;
    this.#asked = new Map();
    this.#underWay += 1;
    const found = this.#query<DeviceRow>(this.#sql, [[...asked.keys()].map((id) => Buffer.from(id, 'hex'))]).then(
      (rows) => new Map(rows.map(deviceOf).map((device) => [device.id, device])),
    );
    for (const [id, waiting] of asked) {
      for (const resolve of waiting) resolve(found.then((devices) => devices.get(id) ?? null));
    }
    const ended = () => {
      this.#underWay -= 1;
      this.#ask();
    };
    found.then(ended, ended);
  }
}

/**
 * Returns JSON that PostgreSQL accepts: half of a surrogate pair, which a string may contain, becomes U+FFFD as in
 * UTF-8.
 */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u[0-9a-f]{4}|.)/g, (escaped) =>
    escaped.startsWith('\\ud') ? '\ufffd' : escaped,
  );
}

export function deviceOf({
  device,
  id,
  owner,
  ownerName,
  registered,
  location,
  createdAt,
}: DeviceRow): RegisteredDevice {
  return {
    ...registered,
    id: id.toString('hex'),
    ownerPubkey: owner.toString('hex'),
    ownerName,
    location: location === null ? null : BigInt(location),
    createdAt: Number(createdAt),
    registration: device,
  };
}
