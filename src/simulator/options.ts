import { parseArgs } from 'node:util';
import { PublishTo } from '../shared/protocol/codes.ts';
import { FIELD_NAMES, type FieldName } from '../shared/protocol/fields.ts';
import { MAX_KEY_VERSION } from '../shared/protocol/limits.ts';
import type { Drift } from './curves.ts';
import { SENSORS, type Sensor } from './sensors.ts';
import { defaultStatePath } from './state.ts';

/** The address of devices' own pages, and the state that they show. */
export interface PortalOptions {
  readonly host: string;
  /** The port of the first device; the others have the next ones. 0 for any. */
  readonly port: number;
  readonly battery: number;
  readonly failed: ReadonlySet<Sensor>;
}

/** The options of a run. */
export interface SimulatorOptions {
  readonly url: string;
  readonly devices: number;
  /** The simulated milliseconds between two readings. */
  readonly intervalMs: number;
  /** The number of past readings per device that are sent first. */
  readonly backfill: number;
  /** The factor by which simulated time passes faster than the clock. */
  readonly speed: number;
  readonly encrypt: ReadonlySet<FieldName>;
  readonly keyVersion: number;
  readonly publishTo: PublishTo;
  readonly state: string;
  /** Stop after the backfill. */
  readonly once: boolean;
  /** Whether the devices know the time. If not, they count milliseconds from their start. */
  readonly hasClock: boolean;
  /** The fields whose values leave their range when the run has begun. */
  readonly drift: ReadonlyMap<FieldName, Drift>;
  /** The owner's own phrase; if undefined, the phrase of the state, which the first run creates. */
  readonly ownerPhrase: string | undefined;
  /** null if the devices post to `url`. */
  readonly portal: PortalOptions | null;
}

/** Invalid arguments; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const FLAGS = {
  url: { type: 'string' },
  devices: { type: 'string' },
  interval: { type: 'string', default: '60' },
  backfill: { type: 'string', default: '500' },
  speed: { type: 'string', default: '60' },
  encrypt: { type: 'string', default: '' },
  'key-version': { type: 'string', default: '0' },
  'publish-to': { type: 'string', default: '2' },
  drift: { type: 'string', default: '' },
  'owner-phrase': { type: 'string' },
  state: { type: 'string' },
  once: { type: 'boolean', default: false },
  portal: { type: 'boolean', default: false },
  'portal-address': { type: 'string', default: '127.0.0.1:8090' },
  battery: { type: 'string', default: '87' },
  'failed-sensors': { type: 'string', default: '' },
  'no-clock': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** The output of `--help`. */
export const HELP = `Simulated devices: they register, sign and post like the field firmware.

Usage: npm run simulate -- [options]

  --url URL           the endpoint to post to (default http://127.0.0.1:3001)
  --devices N         how many devices (default 3)
  --interval SECONDS  simulated time between two readings (default 60)
  --backfill N        past readings per device that are sent first (default 500)
  --speed N           simulated time passes N times faster: a live reading comes every
                      interval/speed seconds, dated with the real time (default 60)
  --encrypt FIELDS    fields sent sealed with the owner's key, e.g. ph,ec
                      (of ${FIELD_NAMES.join(', ')})
  --drift FIELD=WAY   values that leave their range within a minute of the start, low or high,
                      e.g. ph=low,ec=high; for trying alerts
  --key-version N     the key version of the blocks and of the sealing key (default 0)
  --publish-to N      0 local only, 1 public, 2 both, told at the first registration (default 2)
  --owner-phrase "…"  the owner of new devices (default: a phrase made and kept in the state file);
                      other users of this machine can see it while the simulator runs
  --state FILE        keys, names and seqs, kept between runs; readable by you alone
                      (default ${defaultStatePath()})
  --no-clock          date readings with milliseconds since start, like a device without a time server
  --portal            each device serves its own page like the firmware's, and posts live readings to the
                      servers that are entered there; one device unless --devices says more;
                      without --url, --backfill and --once. The firmware's own pace is --speed 1
  --portal-address A  where the page of the first device is; the next have the next ports
                      (default 127.0.0.1:8090)
  --battery PERCENT   what the page says of the battery (default 87)
  --failed-sensors S  sensors that the page says have failed, e.g. tds,dht
                      (of ${SENSORS.join(', ')})
  --once              stop after the backfill; exit code 1 if not all was confirmed
  -h, --help          this text
`;

/** Reads the command line. Returns null if it requests help. Throws UsageError. */
export function parseOptions(args: readonly string[]): SimulatorOptions | null {
  const values = readFlags(args);
  if (values.help) return null;
  return {
    url: httpUrl(values.url ?? 'http://127.0.0.1:3001'),
    devices: number('--devices', values.devices ?? (values.portal ? '1' : '3'), { min: 1, max: 1000, isWhole: true }),
    intervalMs: 1000 * number('--interval', values.interval, { min: 0.001, max: 86_400 }),
    backfill: number('--backfill', values.backfill, { min: 0, max: 1_000_000, isWhole: true }),
    speed: number('--speed', values.speed, { min: 0.001, max: 1_000_000 }),
    encrypt: fieldSet(values.encrypt),
    keyVersion: number('--key-version', values['key-version'], { min: 0, max: MAX_KEY_VERSION, isWhole: true }),
    publishTo: publishTo(values['publish-to']),
    state: nonEmpty('--state', values.state ?? defaultStatePath()),
    once: values.once,
    hasClock: !values['no-clock'],
    drift: drifts(values.drift),
    ownerPhrase: values['owner-phrase'] === undefined ? undefined : phrase(values['owner-phrase']),
    portal: values.portal ? portal(values) : null,
  };
}

function portal(values: ReturnType<typeof readFlags>): PortalOptions {
  if (values.url !== undefined) throw new UsageError('--portal: servers are entered at the device, not with --url');
  const [, host, port] = /^\[?([\da-f.:%a-z]+?)\]?:(\d{1,5})$/i.exec(values['portal-address']) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new UsageError(`--portal-address must be an address with a port, not "${values['portal-address']}"`);
  }
  const failed = values['failed-sensors'] === '' ? [] : values['failed-sensors'].split(',');
  return {
    host,
    port: Number(port),
    battery: number('--battery', values.battery, { min: 0, max: 100, isWhole: true }),
    failed: new Set(
      failed.map((text) => {
        const sensor = SENSORS.find((name) => name === text.trim());
        if (sensor !== undefined) return sensor;
        throw new UsageError(`--failed-sensors names sensors of ${SENSORS.join(', ')}, not "${text}"`);
      }),
    ),
  };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: false }).values;
  } catch (error) {
    // The first sentence names the problem; the rest explains positional arguments, which do not exist here.
    throw new UsageError((error as Error).message.split(/\. |\n/)[0]!, { cause: error });
  }
}

function number(flag: string, text: string, allowed: { min: number; max: number; isWhole?: boolean }): number {
  const { min, max, isWhole = false } = allowed;
  const pattern = isWhole ? /^[0-9]+$/ : /^[0-9]+(\.[0-9]+)?$/;
  const value = Number(text);
  if (pattern.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}, not "${text}"`);
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, '');
  throw new UsageError(`--url must be an http or https address, not "${text}"`);
}

function publishTo(text: string): PublishTo {
  const value = Object.values(PublishTo).find((code) => String(code) === text);
  if (value !== undefined) return value;
  throw new UsageError(`--publish-to must be 0 (local only), 1 (public) or 2 (both), not "${text}"`);
}

function fieldSet(text: string): ReadonlySet<FieldName> {
  const names = text === '' ? [] : text.split(',').map((name) => name.trim());
  return new Set(
    names.map((name) => {
      const field = FIELD_NAMES.find((known) => known === name);
      if (field !== undefined) return field;
      throw new UsageError(`--encrypt names fields of ${FIELD_NAMES.join(', ')}, not "${name}"`);
    }),
  );
}

function drifts(text: string): ReadonlyMap<FieldName, Drift> {
  const parts = text === '' ? [] : text.split(',').map((part) => part.trim());
  return new Map(
    parts.map((part) => {
      const [name, way, ...rest] = part.split('=');
      const field = FIELD_NAMES.find((known) => known === name);
      if (field !== undefined && (way === 'low' || way === 'high') && rest.length === 0) return [field, way];
      throw new UsageError(`--drift takes fields with low or high, such as ph=low, not "${part}"`);
    }),
  );
}

/**
 * Checks the number of words. Any words in any language are valid, also with a wrong checksum, because the firmware
 * imports them, too.
 */
function phrase(text: string): string {
  const words = text.trim().split(/\s+/);
  // The error does not repeat the phrase, since a terminal keeps what it shows.
  if (![12, 15, 18, 21, 24].includes(words.length)) {
    throw new UsageError(`--owner-phrase must have 12, 15, 18, 21 or 24 words, not ${words.length}`);
  }
  return words.join(' ');
}

function nonEmpty(flag: string, text: string): string {
  if (text !== '') return text;
  throw new UsageError(`${flag} must not be empty`);
}
