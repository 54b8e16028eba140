import type { Logger } from 'pino';
import type { Alert } from '../../shared/alerts/alert.ts';
import { type AlertOptions, NO_OPTIONS } from '../../shared/alerts/channel.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { Language } from '../../shared/texts/languages.ts';
import { type Clock, SYSTEM_CLOCK } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
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
import { DeviceDays } from './watch/device-days.ts';
import { Engine } from './watch/engine.ts';
import { ForecastConditions } from './watch/forecast-conditions.ts';
import { KnownDevices } from './watch/known-devices.ts';
import { NodeConditions, type NodeConditionsDependencies } from './watch/node-conditions.ts';
import { ReadingFeed } from './watch/reading-feed.ts';

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 5000;
/**
 * The longest time between two saves of the evaluated positions: after a crash, a start reads at most that much again.
 */
const SAVE_EVERY_MS = 5 * 60_000;

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
  readonly desk: MessageDesk;
  readonly #history: AlertHistory;
  readonly #engine: Engine;
  readonly #dependencies: AlertsDependencies;
  readonly #clock: Clock;
  readonly #file: AlertsFile;
  readonly #devices = new KnownDevices();
  readonly #days: DeviceDays;
  readonly #node: NodeConditions;
  readonly #forecasts: ForecastConditions;
  readonly #feed: ReadingFeed;
  readonly #cycles: CycleRules;
  readonly #digests: Digests;
  readonly #preferences: OwnerPreferences;
  readonly #reads = new SerialQueue();
  readonly #logs = new SerialQueue();
  #options: AlertOptions = NO_OPTIONS;
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
    this.#clock = clock;
    this.#preferences = new OwnerPreferences(() => stores.locations, log);
    this.desk = new MessageDesk({
      ...{ log, clock, events, language, units: () => this.#preferences.units, options: () => this.#options },
      liveAlert: (id) => {
        this.#engine.settle();
        return this.firings.all.find(({ alert }) => alert.id === id)?.alert ?? null;
      },
      persist: () => this.#file.persist(),
      onChange: () => this.#changed(),
    });
    const files = { path: folder.path, log, now: () => clock.now() };
    const damaged = new DamagedFiles(files);
    this.#history = new AlertHistory(files);
    this.#file = new AlertsFile({
      ...files,
      snapshot: () => this.#document(),
      // Ended alerts are in no other file: a crash between the two writes would lose them. An alert that is in both
      // files is recognised by its id.
      before: () => this.#history.settle(),
    });
    this.firings = new Firings({
      clock,
      findRule: (id) => this.rules.find(id),
      onNews: (kind, alert, rule, at) => this.#tell({ kind, alert, at, channels: rule?.channels ?? 'all' }),
      onEnded: (alert) => this.#history.add(alert),
      onChange: () => {
        this.#file.change();
        this.#changed();
      },
    });
    const { rules, firings, desk } = this;
    this.#days = new DeviceDays(this.#devices, (id) => this.#preferences.dayHoursOf(id));
    this.#cycles = new CycleRules(rules, firings, {
      devicesAt: (place) => this.#devices.at(place),
      isDay: (device, zone, at) => this.#days.of(device, zone).isDay(at),
    });
    const missingStores = () => damaged.list().filter(({ whole }) => whole === 'missing');
    this.#engine = new Engine({
      ...{ rules, firings, devices: this.#devices, clock },
      leafOffsetOf: (id) => this.#preferences.leafOffsetOf(id),
      isStoreMissing: () => missingStores().some(({ file }) => file === STORE_FILES.private),
    });
    const read = (run: (stores: StoresView) => Promise<void>) => this.#read(run);
    this.#feed = new ReadingFeed({
      ...{ rules, engine: this.#engine, devices: this.#devices, clock, events, read },
      onStored: (store) => {
        this.#hasTaken = true;
        return this.#node.onStored(store);
      },
      onNews: () => void this.save(),
    });
    this.#node = new NodeConditions({
      ...{ rules, firings, devices: this.#devices, clock, withoutBackupSince, brokenLogs },
      missingStores,
      folder: folder.path,
    });
    this.#forecasts = new ForecastConditions({
      ...{ rules, firings, devices: this.#devices, clock },
      isClockUnset: (id) => this.#engine.watchOf(id)?.isClockUnset ?? true,
    });
    this.#digests = new Digests({
      ...{ firings, devices: this.#devices, engine: this.#engine, clock },
      units: () => this.#preferences.units,
      days: this.#days,
      silenceRuleMs: () => this.silenceRuleMs,
      options: () => this.#options,
      read,
      put: (id, facts, channels) => this.desk.addDigest(id, facts, channels),
    });
    this.handlers = alertHandlers({
      ...{ rules, firings, desk, history: this.#history, engine: this.#engine, cycles: this.#cycles },
      ...{ digests: this.#digests, clock },
      options: () => this.#options,
      setOptions: (options) => {
        this.#options = options;
        desk.reconsider();
        this.#digests.reconsider();
      },
      rulesChanged: () => this.#feed.rulesChanged(),
      written: () => this.#file.settled(),
      save: () => this.save(),
    });
  }

  async start(): Promise<void> {
    this.#history.load();
    const { kept, isWhole } = this.#file.read();
    if (kept !== null) {
      this.rules.restore(kept.rules);
      this.firings.restore(kept.live);
      this.#options = kept.options;
      this.#cycles.restore(kept.cycles);
    }
    this.#digests.restore(kept?.digestTold ?? null);
    this.desk.restore(this.#dependencies.folder.path, kept ?? NO_ALERTS, isWhole);
    await this.#preferences.start(this.#dependencies.events);
    let isNews = false;
    await this.#read(async (stores) => {
      this.#cycles.know((await stores.choices()).get('cycles'));
      await this.#devices.load(stores, this.#feed.named);
      if (this.#cycles.haveNights) await this.#days.prepare();
      if (this.#cycles.follow(this.#clock.now())) await this.#devices.load(stores, this.#feed.named);
      isNews = await this.#feed.catchUp(stores, kept);
    });
    this.#listen();
    if (isNews) await this.save();
    this.desk.start();
  }

  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    this.#feed.stop();
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
    this.#savedSteady = this.#clock.steady();
    this.#hasTaken = false;
    await this.#file.persist();
    this.desk.flush();
  }

  #listen(): void {
    const { events } = this.#dependencies;
    const timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    this.#ends = [
      () => clearInterval(timer),
      ...this.#node.listen(events, () => void this.save()),
      events.on('registered', ({ store, deviceId }) => {
        if (store === 'private' || this.#feed.named.has(deviceId)) void this.#feed.reload([deviceId]);
      }),
      events.on('clockMoved', (moved) => {
        this.#engine.move(moved);
        this.firings.move(moved);
        void this.save();
      }),
      events.on('forgotten', ({ deviceId }) => void this.#feed.reload([deviceId])),
      events.on('noted', ({ deviceId }) => void this.#feed.reload([deviceId])),
      // A calibration corrects the values that rules evaluate from then on.
      events.on('journalChanged', () => void this.#feed.reloadAll()),
      events.on('chosen', ({ names }) => {
        if (names.includes('groups')) void this.#feed.reloadAll();
        if (names.includes('cycles')) void this.#knowCycles();
      }),
    ];
    this.#feed.start();
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

  /**
   * Looks for conditions that no event reports, such as a missing reading. A timer calls it every few seconds. Resolves
   * when the findings are saved.
   */
  async look(): Promise<void> {
    const now = this.#clock.now();
    await this.#followCycles();
    const found = [this.#engine.look(), this.firings.tick(now), await this.#node.look()];
    if (this.#forecasts.isDue) {
      await this.#read(async (stores) => void found.push(await this.#forecasts.look(stores)));
    }
    found.push(await this.#digests.look());
    const isNews = found.some(Boolean);
    const isDue = this.#hasTaken && this.#clock.steady() - this.#savedSteady >= SAVE_EVERY_MS;
    if (isNews || isDue) await this.save();
  }

  async #knowCycles(): Promise<void> {
    await this.#read(async (stores) => this.#cycles.know((await stores.choices()).get('cycles')));
    await this.#followCycles();
  }

  /** Updates the rules to the present stages of the crop cycles. */
  async #followCycles(): Promise<void> {
    this.#engine.settle();
    if (this.#cycles.haveNights) await this.#days.prepare();
    const isChanged = this.#cycles.follow(this.#clock.now());
    if (isChanged) await this.#feed.rulesChanged();
    const hasLogged = await this.#logs.run(() => logStages(this.#cycles, this.#dependencies, this.#clock.now()));
    if (isChanged || hasLogged) await this.save();
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
    this.#engine.settle();
    return {
      version: 1,
      savedAt: this.#clock.now(),
      rules: this.rules.all,
      options: this.#options,
      live: this.firings.all,
      devices: this.#engine.kept,
      channels: [...this.desk.kept.channels],
      outbox: this.desk.kept.outbox,
      cycles: this.#cycles.kept,
      digestTold: this.#digests.kept,
    };
  }
}
