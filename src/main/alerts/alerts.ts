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
import type { NewEntry, StoresView } from '../store/port.ts';
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
import { Engine } from './watch/engine.ts';
import { ForecastConditions } from './watch/forecast-conditions.ts';
import { KnownDevices } from './watch/known-devices.ts';
import { NodeConditions, type NodeConditionsDependencies } from './watch/node-conditions.ts';

/** How often it is looked for what did not happen, such as a reading. */
const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 5000;
/** How often at least the evaluated positions are saved: a start after a crash reads no more than that again. */
const SAVE_EVERY_MS = 5 * 60_000;
/** Readings of a device that registered just now wait until it is known; more than these are left out. */
const MAX_HELD = 5000;

export interface AlertsDependencies {
  /** The data folder. */
  readonly folder: { readonly path: string };
  /** Where the open stores are kept. */
  readonly stores: { readonly locations: StoreLocations };
  /** The language of the settings, or null for the system's. */
  readonly language: () => Language | null;
  readonly events: NodeEvents;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Since when there is no new backup though there should be; null, as without it, where none is expected. */
  readonly withoutBackupSince?: () => number | null;
  /** Writes an entry into the log; without it, the log says nothing of stages. Rejects where the store takes no writes. */
  readonly writeEntry?: (entry: NewEntry) => Promise<void>;
  /** The logs that do not continue what was signed of them; none without it. */
  readonly brokenLogs?: NodeConditionsDependencies['brokenLogs'];
}

/** Watches what the node takes in, and tells its owner what is wrong: a part of every node, with or without a view. */
export class Alerts {
  readonly name = 'alerts';
  /** Answer the owner's calls about alerts, once it has started. */
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
  /** Whether readings were taken since. */
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
      // An ended alert is in no other file: a crash between the two would lose it. One that is there twice is told apart.
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
    this.cycles = new CycleRules(rules, firings);
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
      this.cycles.follow(this.clock.now());
      await this.#devices.load(stores, this.#named());
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

  /** Resolves when all that is so now is on disk; what was to be told goes out then, and also where the disk takes nothing. */
  async save(): Promise<void> {
    this.#changed();
    this.#savedSteady = this.clock.steady();
    this.#hasTaken = false;
    await this.#file.persist();
    this.desk.flush();
  }

  /** Resolves when all alerts as they are now are on disk, or the disk took them not. */
  written(): Promise<void> {
    return this.#file.settled();
  }

  /** Rules changed: evaluates by them from now on. */
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

  /** Shows rules that are new to a device its earlier readings. */
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
      // A calibration corrects what rules are shown from then on.
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

  /** After how long the owner's rule takes any device for silent, in milliseconds; null: it does not say. */
  get silenceRuleMs(): number | null {
    const rule = this.rules.builtIns.find(({ kind }) => kind === 'silent');
    return rule?.isOn && rule.threshold !== null ? rule.threshold * MINUTE_MS : null;
  }

  /** The alerts that there are now, pending ones too. */
  get live(): Alert[] {
    return this.firings.all.map(({ alert }) => alert);
  }

  get #hasRules(): boolean {
    return this.rules.all.some(({ isOn }) => isOn);
  }

  /** Where no rule is on, nobody listens, and the readings' events are not even made. */
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

  /** Looks for what did not happen; it does so by itself every few seconds. Resolves when what it found is saved. */
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

  /** Brings the rules to the present stages of the crop cycles. */
  async #followCycles(): Promise<void> {
    this.engine.settle();
    const isChanged = this.cycles.follow(this.clock.now());
    if (isChanged) await this.rulesChanged();
    const hasLogged = await this.#logs.run(() => logStages(this.cycles, this.#dependencies, this.clock.now()));
    if (isChanged || hasLogged) await this.save();
  }

  #after(isNews: boolean): void {
    if (isNews) void this.save();
  }

  /** Reads devices again, all groups where it is said, and evaluates what waited for that. */
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

  /** The ids of devices that rules name. */
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
      // Also where the disk took neither the alert nor the message, and both are found again.
      id: derivedId(`message ${alert.id} ${kind} ${kind === 'repeated' ? at : alert.ended}`),
      ...news,
      device: device && { id: device.id, name: this.#devices.nameOf(device), notes: device.notes },
    });
  }

  /** Tells the view that something is to be asked again. */
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
