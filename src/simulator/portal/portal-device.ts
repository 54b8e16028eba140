import type { ServerEntry, ServerLists } from '../../shared/device-page.ts';
import type { DeviceRegistrationInput } from '../../shared/protocol/device.ts';
import type { BlockSource } from '../block-source.ts';
import type { BlockInput } from '../device.ts';
import { DeviceFeed, type Moment } from '../feed.ts';
import { SENSORS, type Sensor } from '../sensors.ts';
import { WireClient } from '../wire-client.ts';

const TELEMETRY = '/v1/telemetry';

export interface PortalDeviceDependencies {
  readonly source: BlockSource;
  readonly registration: () => DeviceRegistrationInput;
  readonly name: string;
  readonly servers: ServerLists;
  readonly failedSensors: ReadonlySet<Sensor>;
  readonly batteryPercent: number;
  readonly print: (line: string) => void;
  /** Saves the settings that were entered. */
  readonly save: (name: string, servers: ServerLists) => void;
}

/** The connection to one of the servers. */
interface Way {
  readonly client: WireClient;
  readonly feed: DeviceFeed;
}

/** A device with its own page. It posts to each server that was entered there. */
export class PortalDevice {
  readonly #dependencies: PortalDeviceDependencies;
  readonly #startedAt = performance.now();
  /** By base URL, so that a server that stays in the lists keeps its buffer. */
  #ways = new Map<string, Way>();
  #name: string;
  #servers: ServerLists;
  #failStreak = 0;
  #last: BlockInput | null = null;

  constructor(dependencies: PortalDeviceDependencies) {
    this.#dependencies = dependencies;
    this.#name = dependencies.name;
    this.#servers = dependencies.servers;
    this.#follow();
  }

  get id(): string {
    return this.#dependencies.source.device.id;
  }

  get name(): string {
    return this.#name;
  }

  get servers(): ServerLists {
    return this.#servers;
  }

  /** Returns the answer of `GET /api/status`. */
  status(ip: string): unknown {
    const { source, failedSensors, batteryPercent } = this.#dependencies;
    const { device } = source;
    const plain = (field: 'ec' | 'tempAmbient' | 'humidity' | 'waterLevel'): number | null => {
      const sent = this.#last?.[field];
      return sent !== undefined && 'plain' in sent ? sent.plain : null;
    };
    return {
      device_id: device.id,
      mac: device.mac,
      device_name: this.#name,
      ip,
      fail_streak: this.#failStreak,
      buffer_pending: Math.max(0, ...[...this.#ways.values()].map(({ feed }) => feed.waiting)),
      uptime_s: Math.floor((performance.now() - this.#startedAt) / 1000),
      sensors: Object.fromEntries(SENSORS.map((name) => [name, !failedSensors.has(name)])),
      readings: {
        tds_ppm: plain('ec'),
        temp_c: plain('tempAmbient'),
        humidity: plain('humidity'),
        distance_mm: plain('waterLevel'),
        bat_volts: Number((3.3 + 0.009 * batteryPercent).toFixed(2)),
        bat_percent: batteryPercent,
      },
      servers_external: this.#servers.external.map((entry) => this.#told(entry, baseOfExternal(entry))),
      servers_local: this.#servers.local.map((entry) => this.#told(entry, baseOfLocal(entry))),
    };
  }

  /** Applies `POST /config/save`: replaces the name and both lists. */
  configure(name: string, servers: ServerLists): void {
    this.#name = name;
    this.#servers = servers;
    this.#follow();
    this.#dependencies.save(name, servers);
  }

  /** Measures and posts to each server, one after the other as the firmware does. */
  async tick({ measuredAt, datedAt }: Moment, signal: AbortSignal): Promise<void> {
    const block = this.#dependencies.source.next(measuredAt, datedAt);
    this.#last = block;
    for (const { feed } of [...this.#ways.values()]) if (!signal.aborted) await feed.send(block, signal);
    const isWhole = [...this.#ways.values()].every(({ feed }) => feed.isConfirmed);
    this.#failStreak = isWhole ? 0 : this.#failStreak + 1;
  }

  close(): void {
    for (const { client } of this.#ways.values()) client.close();
  }

  #told(entry: ServerEntry, base: string | null) {
    return { ...entry, online: (base !== null && this.#ways.get(base)?.feed.isConfirmed) === true };
  }

  #follow(): void {
    const before = this.#ways;
    this.#ways = new Map();
    const { external, local } = this.#servers;
    for (const base of [...external.map(baseOfExternal), ...local.map(baseOfLocal)]) {
      if (base === null || this.#ways.has(base)) continue;
      this.#ways.set(base, before.get(base) ?? this.#way(base));
    }
    for (const [base, { client }] of before) if (!this.#ways.has(base)) client.close();
  }

  #way(base: string): Way {
    const { source, registration, print } = this.#dependencies;
    const client = new WireClient(base);
    return { client, feed: new DeviceFeed(client, source, registration(), (line) => print(`${base}: ${line}`)) };
  }
}

/**
 * Returns the base URL of a local server; null if it is invalid. The firmware adds `http://` before the entry and the
 * path after it.
 */
function baseOfLocal({ url }: ServerEntry): string | null {
  return httpUrl(`http://${url}`);
}

/**
 * Returns the base URL of an external server; null if it is invalid. The entry is the whole URL for telemetry; devices
 * register at the same URL without its end.
 */
function baseOfExternal({ url }: ServerEntry): string | null {
  return httpUrl(url.endsWith(TELEMETRY) ? url.slice(0, -TELEMETRY.length) : url);
}

function httpUrl(text: string): string | null {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : null;
}
