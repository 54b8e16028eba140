import type { BuiltInKind } from '../../../shared/alerts/built-in.ts';
import type { BuiltInRule } from '../../../shared/alerts/rule.ts';
import type { DamagedFile } from '../../../shared/owner-api/damaged-files.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Clock } from '../../common/clock.ts';
import type { NodeEventMap, NodeEvents, StoreRefusal } from '../../common/node-events.ts';
import { leastFree, roomAt } from '../../common/room.ts';
import { STORE_FILES } from '../../store/locations.ts';
import { isMine } from '../../store/whose.ts';
import type { About, Finding, Firings } from '../firings.ts';
import type { RuleBook } from '../rule-book.ts';
import type { KnownDevices } from './known-devices.ts';

const MINUTE_MS = 60_000;
const MINUTES = 60;

/** Counts events within the last hour, to the minute. Times are those of the steady clock. */
class HourCount {
  readonly #counts = new Map<number, number>();

  add(count: number, now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (count > 0) this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + count);
  }

  total(now: number): number {
    const oldest = Math.floor(now / MINUTE_MS) - MINUTES;
    let total = 0;
    for (const [minute, count] of this.#counts) {
      if (minute > oldest) total += count;
      else this.#counts.delete(minute);
    }
    return total;
  }
}

const STORES = ['private', 'public'] as const satisfies readonly StoreName[];
const HOUR_MS = 3_600_000;
const GIGABYTE = 1e9;
const ROOM_EVERY_MS = 5 * 60_000;
const BACKUPS_EVERY_MS = 60_000;
const LOGS_EVERY_MS = 60_000;
/** Free space must grow by a tenth beyond the threshold before the alert ends. */
const ROOM_MARGIN = 1.1;
/** A battery that was charged by fewer percentage points than this is still low. */
const BATTERY_MARGIN = 5;
/** Wi-Fi is gone for some seconds when it moves to another access point. */
const GATE_LOST_FOR_MS = 30_000;
/** A registration and the first block may overtake each other; the firmware sends once a minute. */
const KNOCKS = 3;
/** A device that knocked longer ago than this is handled, or is gone. */
const KNOCKING_FOR_MS = 24 * HOUR_MS;
/** Anyone who reaches the local endpoint can invent any number of devices. */
const MAX_KNOCKING = 20;

export interface NodeConditionsDependencies {
  readonly rules: RuleBook;
  readonly firings: Firings;
  readonly devices: KnownDevices;
  readonly clock: Clock;
  /** The time since which a new backup is missing; null if no backup is expected. */
  readonly withoutBackupSince: () => number | null;
  /**
   * The stores whose log does not continue what was signed, and since when. `store` is null for the log of another
   * node.
   */
  readonly brokenLogs: () => readonly { readonly store: StoreName | null; readonly since: number }[];
  /** The notices about stores that existed and are missing. */
  readonly missingStores: () => readonly DamagedFile[];
  /** The folder whose disk is watched. */
  readonly folder: string;
}

/**
 * The built-in rules for the node itself, such as devices that knock, stores that refuse writes or are missing, little
 * free disk space and refused blocks.
 */
export class NodeConditions {
  readonly #dependencies: NodeConditionsDependencies;
  /** The time of each device's latest knock, by the steady clock. */
  readonly #knocked = new Map<string, number>();
  readonly #refused = new Map<StoreName, HourCount>();
  /** The time since which the gate can't listen, by the steady clock; null if it listens or is off. */
  #gateLostSince: number | null = null;
  #lookedAtRoom = Number.NEGATIVE_INFINITY;
  #lookedAtBackups = Number.NEGATIVE_INFINITY;
  #lookedAtLogs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: NodeConditionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Evaluates each event of the node, and calls `onNews` if anything fired or ended. Returns functions that end this. */
  listen(events: NodeEvents, onNews: () => void): readonly (() => void)[] {
    const after = (isNews: boolean) => {
      if (isNews) onNews();
    };
    return [
      events.on('refused', (refused) => after(this.#onRefused(refused))),
      events.on('knocked', (knocked) => after(this.#onKnock(knocked))),
      events.on('registered', ({ deviceId }) => after(this.#onRegistered(deviceId))),
      events.on('deviceSaid', (said) => after(this.#onSaid(said))),
      events.on('gateState', ({ isLost }) => after(this.#onGateState(isLost))),
      events.on('backupsChanged', () => after(this.#lookAtBackups())),
      events.on('storeState', ({ store, refusal }) => {
        after(this.#onStoreState(store, refusal));
        void this.#lookAtRoom().then(after);
      }),
    ];
  }

  /** Evaluates a knock. Like all `on` methods, returns whether anything fired or ended. */
  #onKnock({ store, deviceId, attempts }: NodeEventMap['knocked']): boolean {
    const { devices, clock, firings } = this.#dependencies;
    const known = devices.find(deviceId);
    const isOurs = store === 'private' || (known !== null && isMine(known));
    if (!isOurs || attempts < KNOCKS) return false;
    const isNew = !this.#knocked.has(deviceId);
    const live = firings.all.filter(({ alert }) => alert.kind === 'knocking').length;
    if (isNew && live >= MAX_KNOCKING) return false;
    this.#knocked.set(deviceId, clock.steady());
    return this.#set('knocking', { device: deviceId }, this.#finding(attempts, null));
  }

  #onRegistered(deviceId: string): boolean {
    this.#knocked.delete(deviceId);
    return this.#set('knocking', { device: deviceId }, null);
  }

  #onStoreState(store: StoreName, refusal: StoreRefusal | null): boolean {
    return this.#set('storeRefuses', { store }, refusal === null ? null : this.#finding(null, null));
  }

  /**
   * Evaluates the battery and the failed sensors that a device of the owner reports. The device is queried only while a
   * view is open, so the alert stays until the next query.
   */
  #onSaid({ deviceId, batteryPercent, failedSensors }: NodeEventMap['deviceSaid']): boolean {
    const device = this.#dependencies.devices.find(deviceId);
    if (device === null || !isMine(device)) return false;
    const { threshold } = this.#rule('batteryLow');
    const about = { device: deviceId };
    const isLive = this.#dependencies.firings.find(aboutOf(this.#rule('batteryLow'), about)) !== null;
    const least = threshold! + (isLive ? BATTERY_MARGIN : 0);
    const isLow = batteryPercent !== null && batteryPercent < least;
    const failed = failedSensors.length;
    return [
      this.#set('batteryLow', about, isLow ? this.#finding(batteryPercent, threshold) : null),
      this.#set('sensorFailed', about, failed > 0 ? this.#finding(failed, null) : null),
    ].some(Boolean);
  }

  #onGateState(isLost: boolean): boolean {
    this.#gateLostSince = isLost ? (this.#gateLostSince ?? this.#dependencies.clock.steady()) : null;
    return isLost ? false : this.#set('gateLost', {}, null);
  }

  /**
   * Ends the alert about a store that refuses writes: after a start, only new readings show that it accepts them again.
   */
  onStored(store: StoreName): boolean {
    return this.#dependencies.firings.isAnyOf('storeRefuses') && this.#onStoreState(store, null);
  }

  #onRefused({ store, blocks }: NodeEventMap['refused']): boolean {
    const count = this.#refused.get(store) ?? new HourCount();
    this.#refused.set(store, count);
    const counted = blocks.filter(({ deviceId, cause }) => {
      // Knocking devices have their own alert.
      if (cause === 'device_not_found') return false;
      if (store === 'private') return true;
      // Blocks of strangers at the public endpoint don't count.
      const device = this.#dependencies.devices.find(deviceId);
      return cause !== 'invalid_block' && device !== null && isMine(device);
    });
    count.add(counted.length, this.#dependencies.clock.steady());
    return this.#lookAtRefused(store, count);
  }

  /** Evaluates all conditions. Call this every few seconds. */
  async look(): Promise<boolean> {
    const { clock } = this.#dependencies;
    const now = clock.steady();
    const refused = [...this.#refused].map(([store, count]) => this.#lookAtRefused(store, count));
    const gone = this.#liveKnocks().map((deviceId) => {
      // After a restart, the time counts from the restart.
      const knockedAt = this.#knocked.get(deviceId) ?? now;
      this.#knocked.set(deviceId, knockedAt);
      return now - knockedAt > KNOCKING_FOR_MS && this.#onRegistered(deviceId);
    });
    const gate =
      this.#gateLostSince !== null &&
      now - this.#gateLostSince >= GATE_LOST_FOR_MS &&
      this.#set('gateLost', {}, this.#finding(null, null));
    const room = now - this.#lookedAtRoom >= ROOM_EVERY_MS && (await this.#lookAtRoom());
    const backups = now - this.#lookedAtBackups >= BACKUPS_EVERY_MS && this.#lookAtBackups();
    const logs = now - this.#lookedAtLogs >= LOGS_EVERY_MS && this.#lookAtLogs();
    return [...refused, ...gone, gate, room, backups, logs, this.#lookAtStores()].some(Boolean);
  }

  /** Updates the alerts about missing stores; each stays as long as its notice. */
  #lookAtStores(): boolean {
    const missing = this.#dependencies.missingStores();
    const changes = STORES.map((store) => {
      const notice = missing.find(({ file }) => file === STORE_FILES[store]);
      const finding = notice === undefined ? null : { ...this.#finding(null, null), since: notice.at };
      return this.#set('storeMissing', { store }, finding);
    });
    return changes.some(Boolean);
  }

  #lookAtLogs(): boolean {
    const { clock, brokenLogs } = this.#dependencies;
    this.#lookedAtLogs = clock.steady();
    const broken = brokenLogs();
    const changes = [...STORES, null].map((store) => {
      const times = broken.filter((each) => each.store === store).map(({ since }) => since);
      const finding = times.length === 0 ? null : { ...this.#finding(null, null), since: Math.min(...times) };
      return this.#set('logBroken', { store }, finding);
    });
    return changes.some(Boolean);
  }

  #lookAtBackups(): boolean {
    const { clock, withoutBackupSince } = this.#dependencies;
    this.#lookedAtBackups = clock.steady();
    const since = withoutBackupSince();
    const { threshold } = this.#rule('backupOverdue');
    const hours = since === null ? 0 : (clock.now() - since) / HOUR_MS;
    const finding = hours < threshold! ? null : { ...this.#finding(Math.floor(hours), threshold), since: since! };
    return this.#set('backupOverdue', {}, finding);
  }

  async #lookAtRoom(): Promise<boolean> {
    const { clock, folder, firings } = this.#dependencies;
    this.#lookedAtRoom = clock.steady();
    const room = await roomAt(folder);
    if (room === null) return false;
    const rule = this.#rule('diskLow');
    const { freeBytes, totalBytes } = room;
    const least = rule.threshold === null ? leastFree(totalBytes) : rule.threshold * GIGABYTE;
    const isLive = firings.find(aboutOf(rule, {})) !== null;
    const isLow = freeBytes < (isLive ? least * ROOM_MARGIN : least);
    const finding = isLow ? this.#finding(freeBytes / GIGABYTE, least / GIGABYTE) : null;
    if (isLive && finding !== null) firings.update(aboutOf(rule, {}), { value: finding.value });
    return this.#set('diskLow', {}, finding);
  }

  #lookAtRefused(store: StoreName, count: HourCount): boolean {
    const rule = this.#rule('rejected');
    const { firings, clock } = this.#dependencies;
    const isLive = firings.find(aboutOf(rule, { store })) !== null;
    const blocks = count.total(clock.steady());
    const isMany = blocks >= rule.threshold! / (isLive ? 2 : 1);
    return this.#set('rejected', { store }, isMany ? this.#finding(blocks, rule.threshold) : null);
  }

  #liveKnocks(): string[] {
    const { firings } = this.#dependencies;
    return firings.all.flatMap(({ alert }) =>
      alert.kind === 'knocking' && alert.device !== null ? [alert.device] : [],
    );
  }

  #finding(value: number | null, limit: number | null): Finding {
    return { since: this.#dependencies.clock.now(), side: null, value, limit };
  }

  #rule(kind: BuiltInKind): BuiltInRule {
    return this.#dependencies.rules.builtIns.find((rule) => rule.kind === kind)!;
  }

  #set(kind: BuiltInKind, what: What, finding: Finding | null): boolean {
    const { firings, clock } = this.#dependencies;
    const rule = this.#rule(kind);
    return firings.set(aboutOf(rule, what), rule.isOn ? finding : null, clock.now());
  }
}

interface What {
  readonly device?: string;
  readonly store?: StoreName | null;
}

function aboutOf(rule: BuiltInRule, { device, store }: What): About {
  return { rule, device: device ?? null, field: null, store: store ?? null };
}
