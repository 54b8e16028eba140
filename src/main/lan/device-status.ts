import { z } from 'zod';
import type { DeviceSays } from '../../shared/owner-api/device-pages.ts';

const text = z.string().max(300);
/** The firmware writes whole numbers; any other value becomes null. */
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER).transform(Math.trunc).nullable().catch(null);
const number = z.number().nullable().catch(null);
const works = z
  .union([z.boolean(), z.literal([0, 1]).transform(Boolean)])
  .nullable()
  .catch(null);
/** The lists are posted back as a whole, so no part of them may be guessed or cut. */
const servers = z.array(z.object({ name: text, url: text, online: works.default(null) })).max(32);

/** The answer of a device to `GET /api/status`. */
const deviceStatus = z.object({
  device_id: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .toLowerCase(),
  mac: z.string().max(20).catch(''),
  /** Posted back too, so null (unreadable) must differ from an empty name. */
  device_name: text.nullable().catch(null),
  fail_streak: count.default(null),
  buffer_pending: count.default(null),
  uptime_s: count.default(null),
  sensors: z
    .object({
      dht: works.default(null),
      tds: works.default(null),
      laser: works.default(null),
      battery: works.default(null),
    })
    .catch({ dht: null, tds: null, laser: null, battery: null }),
  readings: z
    .object({ bat_volts: number.default(null), bat_percent: number.default(null) })
    .catch({ bat_volts: null, bat_percent: null }),
  servers_external: servers,
  servers_local: servers,
});

/** Parses the status of a device. Returns null if it is not one. */
export function readStatus(json: string): DeviceSays | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const { data } = deviceStatus.safeParse(value);
  if (data === undefined) return null;
  return {
    id: data.device_id,
    mac: data.mac.replaceAll(/[^0-9a-f]/gi, '').toLowerCase(),
    name: data.device_name,
    failStreak: data.fail_streak,
    bufferPending: data.buffer_pending,
    uptimeS: data.uptime_s,
    sensors: data.sensors,
    battery: { volts: data.readings.bat_volts, percent: data.readings.bat_percent },
    external: data.servers_external,
    local: data.servers_local,
  };
}
