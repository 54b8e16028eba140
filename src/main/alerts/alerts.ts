import type { Logger } from 'pino';
import type { Alert } from '../../shared/alerts/alert.ts';
import { type AlertOptions, NO_OPTIONS } from '../../shared/alerts/channel.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Language } from '../../shared/texts/languages.ts';
import { type Clock, SYSTEM_CLOCK } from '../common/clock.ts';
import type { NodeEventMap, NodeEvents, StoredReading } from '../common/node-events.ts';
import { DamagedFiles } from '../state-files/damaged-files.ts';
import type { StoreLocations } from '../store/engine.ts';
import { readStores } from '../store/engines.ts';
import { STORE_FILES } from '../store/locations.ts';
import type { NewEntry } from '../store/port.ts';
import type { StoresView } from '../store/stores-view.ts';
import { CycleRules } from './cycle-rules.ts';
import { derivedId } from './derived-id.ts';
import { Digests } from './digest/digests.ts';
import { Firings } from './firings.ts';
import { type AlertHandlers, alertHandlers } from './handlers.ts';
import type { News } from './news.ts';
import { MessageDesk } from './outbox/message-desk.ts';
import { OwnerPreferences } from './owner-preferences.ts';
import { RuleBook } from './rule-book.ts';
import { logStages } from './stage-log.ts';
import { AlertsFile } from './state/alerts-file.ts';
import { type AlertsDocument, NO_ALERTS } from './state/document.ts';
import { AlertHistory } from './state/history.ts';
import { catchUp, lookBack } from './watch/catch-up.ts';
import { DeviceDays } from './watch/device-days.ts';
import { Engine } from './watch/engine.ts';
import { ForecastConditions } from './watch/forecast-conditions.ts';
import { KnownDevices } from './watch/known-devices.ts';
import { NodeConditions, type NodeConditionsDependencies } from './watch/node-conditions.ts';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 5000;
/**
 * The longest time between two saves of the evaluated positions: after a crash, a start reads at most that much again.
 */
const SAVE_EVERY_MS = 5 * 60_000;
/** The most readings that are buffered until a newly registered device is known. Further ones are not evaluated. */
const MAX_HELD = 5000;

export interface AlertsDependencies {
  readonly folder: { readonly path: string };
  /** The locations of the open stores. */
  readonly stores: { readonly locations: StoreLocations };
  /** The language in the settings; null for the language of the system. */
  readonly language: () => Language | null;
  readonly events: NodeEvents;
  readonly log: Logger;
  readonly clock?: Clock;
  /** The time since which a new backup is missing; null, the default, if no backup is expected. */
  readonly withoutBackupSince?: () => number | null;
  /** Writes a log entry. If missing, stages are not logged. Rejects if the store refuses writes. */
  readonly writeEntry?: (entry: NewEntry) => Promise<void>;
  /** The logs that do not continue what was signed of them. By default there are none. */
  readonly brokenLogs?: NodeConditionsDependencies['brokenLogs'];
}

/**
 * Watches the data that the node receives and notifies its owner of problems. Every node has this part, with or without
 * a view.
 */
export class Alerts {
  readonly name = 'alerts';
  /** The handlers of the owner's calls about alerts; usable after `start`. */
  readonly handlers: AlertHandlers;
  readonly rules = new RuleBook();
  readonly firings: Firings;
  readonly history: AlertHistory;
  readonly desk: MessageDesk;
  readonly engine: Engine;
  options: AlertOptions = NO_OPTIONS;
  readonly #dependencies: AlertsDependencies;
  readonly clock: Clock;
  readonly #file: AlertsFile;
  readonly #devices = new KnownDevices();
  readonly #days: DeviceDays;
  readonly #node: NodeConditions;
  readonly #forecasts: ForecastConditions;
  readonly cycles: CycleRules;
  readonly digests: Digests;
  readonly #preferences: OwnerPreferences;
  readonly #reads = new SerialQueue();
  readonly #logs = new SerialQueue();
  #isHearing = false;
  #held: StoredReading[] = [];
  #savedSteady = 0;
  /** Whether readings were evaluated since the last save. */
  #hasTaken = false;
  #ends: (() => void)[] = [];

  constructor(dependencies: AlertsDependencies) {
    const {
      folder,
      stores,
      language,
      events,
      log,
      clock = SYSTEM_CLOCK,
      withoutBackupSince = () => null,
      brokenLogs = () => [],
    } = dependencies;
    this.#dependencies = dependencies;
    this.clock = clock;
    this.#preferences = new OwnerPreferences(() => stores.locations, log);
    this.desk = new MessageDesk({
      ...{ log, clock, events, language, units: () => this.#preferences.units, options: () => this.options },
      liveAlert: (id) => {
        this.engine.settle();
        return this.firings.all.find(({ alert }) => alert.id === id)?.alert ?? null;
      },
      persist: () => this.#file.persist(),
      onChange: () => this.#changed(),
    });
    const files = { path: folder.path, log, now: () => clock.now() };
    const damaged = new DamagedFiles(files);
    this.history = new AlertHistory(files);
    this.#file = new AlertsFile({
      ...files,
      snapshot: () => this.#document(),
      // Ended alerts are in no other file: a crash between the two writes would lose them. An alert that is in both
      // files is recognised by its id.
      before: () => this.history.settle(),
    });
    this.firings = new Firings({
      clock,
      findRule: (id) => this.rules.find(id),
      onNews: (kind, alert, rule, at) => this.#tell({ kind, alert, at, channels: rule?.channels ?? 'all' }),
      onEnded: (alert) => this.history.add(alert),
      onChange: () => {
        this.#file.change();
        this.#changed();
      },
    });
    const { rules, firings } = this;
    this.#days = new DeviceDays(this.#devices, (id) => this.#preferences.dayHoursOf(id));
    this.cycles = new CycleRules(rules, firings, {
      devicesAt: (place) => this.#devices.at(place),
      isDay: (device, zone, at) => this.#days.of(device, zone).isDay(at),
    });
    const missingStores = () => damaged.list().filter(({ whole }) => whole === 'missing');
    this.engine = new Engine({
      ...{ rules, firings, devices: this.#devices, clock },
      leafOffsetOf: (id) => this.#preferences.leafOffsetOf(id),
      isStoreMissing: () => missingStores().some(({ file }) => file === STORE_FILES.private),
    });
    this.#node = new NodeConditions({
      ...{ rules, firings, devices: this.#devices, clock, withoutBackupSince, brokenLogs },
      missingStores,
      folder: folder.path,
    });
    this.#forecasts = new ForecastConditions({
      ...{ rules, firings, devices: this.#devices, clock },
      isClockUnset: (id) => this.engine.watchOf(id)?.isClockUnset ?? true,
    });
    this.digests = new Digests({
      ...{ firings, devices: this.#devices, engine: this.engine, clock },
      units: () => this.#preferences.units,
      days: this.#days,
      silenceRuleMs: () => this.silenceRuleMs,
      options: () => this.options,
      read: (run) => this.#read(run),
      put: (id, facts, channels) => this.desk.addDigest(id, facts, channels),
    });
    this.handlers = alertHandlers(this);
  }

  async start(): Promise<void> {
    this.history.load();
    const { kept, isWhole } = this.#file.read();
    if (kept !== null) {
      this.rules.restore(kept.rules);
      this.firings.restore(kept.live);
      this.options = kept.options;
      this.cycles.restore(kept.cycles);
    }
    this.digests.restore(kept?.digestTold ?? null);
    this.desk.restore(this.#dependencies.folder.path, kept ?? NO_ALERTS, isWhole);
    await this.#preferences.start(this.#dependencies.events);
    const { engine } = this;
    let isNews = false;
    await this.#read(async (stores) => {
      this.cycles.know((await stores.choices()).get('cycles'));
      await this.#devices.load(stores, this.#named());
      if (this.cycles.haveNights) await this.#days.prepare();
      if (this.cycles.follow(this.clock.now())) await this.#devices.load(stores, this.#named());
      isNews = await catchUp({ engine, devices: this.#devices, clock: this.clock }, stores, kept);
    });
    this.#listen();
    if (isNews) await this.save();
    this.desk.start();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    await this.#logs.settled();
    await this.#reads.settled();
    await this.#preferences.stop();
    await this.save();
    await this.desk.stop();
    await this.#file.close();
  }

  /**
   * Resolves when the whole current state is on disk. Then sends the waiting messages, also if the state can't be
   * written.
   */
  async save(): Promise<void> {
    this.#changed();
    this.#savedSteady = this.clock.steady();
    this.#hasTaken = false;
    await this.#file.persist();
    this.desk.flush();
  }

  /** Resolves when all current alerts are on disk, or the write failed. */
  written(): Promise<void> {
    return this.#file.settled();
  }

  /** Evaluates with changed rules from now on. */
  async rulesChanged(): Promise<void> {
    if (!this.#isHearing && this.#hasRules) {
      const { engine } = this;
      await this.#read(async (stores) => {
        await catchUp({ engine, devices: this.#devices, clock: this.clock }, stores, null);
      });
      this.#hear();
    }
    const unknown = [...this.#named()].filter((id) => this.#devices.find(id) === null);
    if (unknown.length > 0) await this.#reload(unknown);
    else {
      this.engine.follow({ looksBack: true });
      await this.#lookBack();
    }
  }

  /** Evaluates the earlier readings of devices with their new rules. Returns whether there is news. */
  async #lookBack(): Promise<boolean> {
    if (this.engine.waiting.length === 0) return false;
    let isNews = false;
    const { engine } = this;
    await this.#read(async (stores) => {
      isNews = await lookBack({ engine, clock: this.clock }, stores);
    });
    return isNews;
  }

  #listen(): void {
    const { events } = this.#dependencies;
    const timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    this.#ends = [
      () => clearInterval(timer),
      events.on('refused', (refused) => this.#after(this.#node.onRefused(refused))),
      events.on('knocked', (knocked) => this.#after(this.#node.onKnock(knocked))),
      events.on('registered', ({ store, deviceId }) => {
        this.#after(this.#node.onRegistered(deviceId));
        if (store === 'private' || this.#named().has(deviceId)) void this.#reload([deviceId]);
      }),
      events.on('clockMoved', (moved) => {
        this.engine.move(moved);
        this.firings.move(moved);
        void this.save();
      }),
      events.on('forgotten', ({ deviceId }) => void this.#reload([deviceId])),
      events.on('noted', ({ deviceId }) => void this.#reload([deviceId])),
      // A calibration corrects the values that rules evaluate from then on.
      events.on('journalChanged', () => void this.#reload([], true)),
      events.on('chosen', ({ names }) => {
        if (names.includes('groups')) void this.#reload([], true);
        if (names.includes('cycles')) void this.#knowCycles();
      }),
      events.on('deviceSaid', (said) => this.#after(this.#node.onSaid(said))),
      events.on('gateState', ({ isLost }) => this.#after(this.#node.onGateState(isLost))),
      events.on('backupsChanged', () => this.#after(this.#node.lookAtBackups())),
      events.on('storeState', ({ store, refusal }) => {
        this.#after(this.#node.onStoreState(store, refusal));
        void this.#node.lookAtRoom().then((isNews) => this.#after(isNews));
      }),
    ];
    if (this.#hasRules) this.#hear();
    void this.look();
  }

  /** The silence after which the owner's rule fires for any device, in milliseconds; null if the rule sets no time. */
  get silenceRuleMs(): number | null {
    const rule = this.rules.builtIns.find(({ kind }) => kind === 'silent');
    return rule?.isOn && rule.threshold !== null ? rule.threshold * MINUTE_MS : null;
  }

  /** All current alerts, including pending ones. */
  get live(): Alert[] {
    return this.firings.all.map(({ alert }) => alert);
  }

  get #hasRules(): boolean {
    return this.rules.all.some(({ isOn }) => isOn);
  }

  /**
   * Starts to listen to readings. While no rule is on, nothing listens, so the events of readings are not even made.
   */
  #hear(): void {
    this.#isHearing = true;
    this.#ends.push(this.#dependencies.events.on('stored', (stored) => this.#onStored(stored)));
  }

  #onStored({ store, readings }: NodeEventMap['stored']): void {
    this.#hasTaken = true;
    const isNews = this.engine.take(readings, (reading) => {
      if (store === 'private' && this.#held.length < MAX_HELD) this.#held.push(reading);
    });
    this.#after(this.#node.onStored(store) || isNews);
    if (this.#held.length > 0) void this.#reload([]);
  }

  /**
   * Looks for conditions that no event reports, such as a missing reading. A timer calls it every few seconds. Resolves
   * when the findings are saved.
   */
  async look(): Promise<void> {
    const now = this.clock.now();
    await this.#followCycles();
    const found = [this.engine.look(), this.firings.tick(now), await this.#node.look()];
    if (this.#forecasts.isDue) {
      await this.#read(async (stores) => void found.push(await this.#forecasts.look(stores)));
    }
    found.push(await this.digests.look());
    const isNews = found.some(Boolean);
    const isDue = this.#hasTaken && this.clock.steady() - this.#savedSteady >= SAVE_EVERY_MS;
    if (isNews || isDue) await this.save();
  }

  async #knowCycles(): Promise<void> {
    await this.#read(async (stores) => this.cycles.know((await stores.choices()).get('cycles')));
    await this.#followCycles();
  }

  /** Updates the rules to the present stages of the crop cycles. */
  async #followCycles(): Promise<void> {
    this.engine.settle();
    if (this.cycles.haveNights) await this.#days.prepare();
    const isChanged = this.cycles.follow(this.clock.now());
    if (isChanged) await this.rulesChanged();
    const hasLogged = await this.#logs.run(() => logStages(this.cycles, this.#dependencies, this.clock.now()));
    if (isChanged || hasLogged) await this.save();
  }

  #after(isNews: boolean): void {
    if (isNews) void this.save();
  }

  /** Reads devices again, with `withGroups` all devices and groups. Then evaluates the buffered readings. */
  async #reload(ids: readonly string[], withGroups = false): Promise<void> {
    const held = this.#held;
    this.#held = [];
    const wanted = new Set([...ids, ...held.map(({ deviceId }) => deviceId)]);
    await this.#read(async (stores) => {
      if (withGroups) await this.#devices.load(stores, this.#named());
      else await this.#devices.reload(stores, wanted, this.#named());
    });
    const isNews = this.engine.follow({ looksBack: true });
    const hasFired = await this.#lookBack();
    this.#after(this.engine.take(held) || isNews || hasFired);
  }

  /** The ids of the devices that range rules name. */
  #named(): Set<string> {
    return new Set(this.rules.ranges.flatMap(({ scope }) => (scope.kind === 'device' ? [scope.device] : [])));
  }

  #read(run: (stores: StoresView) => Promise<void>): Promise<void> {
    return this.#reads.run(async () => {
      try {
        await readStores(this.#dependencies.stores.locations, run);
      } catch (error) {
        this.#dependencies.log.error({ err: error }, 'alerts can’t read the stores');
      }
    });
  }

  #tell(news: Omit<News, 'id' | 'device'>): void {
    const device = news.alert.device === null ? null : this.#devices.lastKnown(news.alert.device);
    const { kind, alert, at } = news;
    this.desk.add({
      // The id is the same if neither the alert nor the message reached the disk and both are found again.
      id: derivedId(`message ${alert.id} ${kind} ${kind === 'repeated' ? at : alert.ended}`),
      ...news,
      device: device && { id: device.id, name: this.#devices.nameOf(device), notes: device.notes },
    });
  }

  /** Notifies views that they must request the alerts again. */
  #changed(): void {
    this.#dependencies.events.emit('alertsChanged', () => ({}));
  }

  #document(): AlertsDocument {
    this.engine.settle();
    return {
      version: 1,
      savedAt: this.clock.now(),
      rules: this.rules.all,
      options: this.options,
      live: this.firings.all,
      devices: this.engine.kept,
      channels: [...this.desk.kept.channels],
      outbox: this.desk.kept.outbox,
      cycles: this.cycles.kept,
      digestTold: this.digests.kept,
    };
  }
}
