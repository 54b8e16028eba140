import type { Logger } from 'pino';
import type { RuleInput } from '../../../shared/alerts/rule.ts';
import { DEMO_TANK } from '../../../shared/demo-keys.ts';
import type { MethodName, Output } from '../../../shared/owner-api/contract.ts';
import type { NodeInfo } from '../../../shared/owner-api/node.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Deed } from '../../audit/audit-log.ts';
import type { ArrivalClock } from '../../common/clock.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import { demoDeviceIds } from '../../data-folder/node-key.ts';
import type { Intake } from '../../intake/intake.ts';
import { DamagedFiles } from '../../state-files/damaged-files.ts';
import type { StoreLocations } from '../../store/engine.ts';
import type { Store } from '../../store/port.ts';
import { type Caller, sightOf } from '../caller.ts';
import type { Checked, Handlers, JsonBytes, OutsideMethod, PlainHandlers } from '../handlers.ts';
import type { QueryContext, QueryName } from '../queries/queries.ts';
import { QueryThread } from '../queries/thread/query-thread.ts';
import { ownAddresses } from './addresses.ts';
import { OwnerCalls } from './calls.ts';
import type { DemoDevices } from './demo.ts';
import { DeviceChanges } from './devices.ts';
import type { OnEvent, OwnerEvents } from './events.ts';
import { KeystoreFile } from './keystore.ts';
import { OwnerRecords } from './owner-records.ts';
import { Photos } from './photos.ts';
import { StorageState } from './storage.ts';

/** The calls that the demo needs to create and delete its rule. */
type RuleCalls = PlainHandlers<'alertRules' | 'writeAlertRule' | 'deleteAlertRule'>;

export interface OwnerServiceDependencies {
  readonly log: Logger;
  /** Called at each use: addresses are known once the endpoints listen. */
  readonly nodeInfo: () => Omit<NodeInfo, 'addresses'>;
  /** The stores and their locations. The public store may be added later. */
  readonly store: (name: StoreName) => Store | null;
  readonly locations: () => StoreLocations;
  /** The present intakes. */
  readonly intakes: () => readonly Intake[];
  readonly nodeEvents: NodeEvents;
  readonly clock: ArrivalClock;
  readonly events: OwnerEvents;
  readonly demo: DemoDevices;
  /** The handlers of other parts of the node, and of the program around it. */
  readonly handlers: Handlers<OutsideMethod> & RuleCalls;
  /**
   * The silence after which the owner's rule fires for any device, in milliseconds; null if each device's usual
   * interval decides.
   */
  readonly silenceRuleMs: () => number | null;
  /** The limit for all photos, in bytes. */
  readonly photosMaxBytes: () => number;
  /** Adds the effects of a call to the audit log. Never rejects. */
  readonly record: (deed: Deed) => Promise<void>;
}

/** Implements the owner's contract over both stores, for any transport. */
export class OwnerService {
  readonly calls: OwnerCalls;
  readonly #dependencies: OwnerServiceDependencies;
  readonly #devices: DeviceChanges;
  readonly #records: OwnerRecords;
  readonly #photos: Photos;
  readonly #damaged: DamagedFiles;
  readonly #keystore: KeystoreFile;
  readonly #storage: StorageState;
  #queries: QueryThread;
  #locations: StoreLocations;
  #localUrl: string | null = null;
  #isStopping = false;
  readonly #ends: readonly (() => void)[];

  constructor(dependencies: OwnerServiceDependencies) {
    this.#dependencies = dependencies;
    this.#devices = new DeviceChanges(dependencies.store, dependencies.nodeEvents, dependencies.clock);
    const { log, clock } = dependencies;
    this.#photos = new Photos({
      dataDir: dependencies.nodeInfo().dataDir,
      store: () => dependencies.store('private'),
      events: dependencies.nodeEvents,
      ...{ clock, log, maxBytes: dependencies.photosMaxBytes },
    });
    this.#records = new OwnerRecords(dependencies.store, dependencies.nodeEvents, clock, this.#photos);
    const folder = { path: dependencies.nodeInfo().dataDir, log, now: () => clock.now() };
    this.#damaged = new DamagedFiles(folder);
    this.#keystore = new KeystoreFile(folder);
    this.#storage = new StorageState(dependencies.nodeEvents, dependencies.clock);
    this.#locations = dependencies.locations();
    this.#queries = this.#queryThread();
    this.#ends = this.#tellQueriesChanges();
    const handlers = { ...dependencies.handlers, ...this.#handlers() };
    this.calls = new OwnerCalls(dependencies.log, handlers, dependencies.record);
  }

  /** Call this when someone opens the page, so that the stores are open at its first call. */
  warmUp(): void {
    if (!this.#isStopping) this.#queries.warmUp();
  }

  /** Adds a listener for events. Returns a function that removes it. */
  listen(onEvent: OnEvent): () => void {
    return this.#dependencies.events.listen(onEvent);
  }

  /** Call this when a stop begins: it interrupts long work, so that the stop does not wait for it. */
  stopSoon(): void {
    this.#isStopping = true;
    this.#devices.stop();
  }

  /** Call this when the node listens at another address or has another store. */
  async followNode(): Promise<void> {
    const { locations, demo, nodeInfo, nodeEvents, log } = this.#dependencies;
    if (locations().public !== this.#locations.public) {
      this.#locations = locations();
      const before = this.#queries;
      this.#queries = this.#queryThread();
      await before.close();
      nodeEvents.emit('storeOpened', () => ({ store: 'public' }));
    }
    if (!demo.isRunning || nodeInfo().localUrl === this.#localUrl) return;
    await demo.stop();
    // The owner changed a port and did not start demo devices: their failure must not make the change fail.
    await this.#startDemo().catch((error: unknown) => log.error({ err: error }, 'demo devices failed'));
  }

  async close(): Promise<void> {
    this.stopSoon();
    for (const end of this.#ends) end();
    this.#dependencies.events.close();
    this.#storage.close();
    await this.#dependencies.demo.terminate();
    await this.#queries.close();
    await this.#photos.close();
    await this.#keystore.settled();
  }

  #handlers(): Handlers<Exclude<MethodName, OutsideMethod>> {
    return {
      caller: (_input, { role, devices, mayUnlock, mayLog, pairing }) => ({
        ...{ role, isBounded: devices !== null, mayUnlock, mayLog: role === 'owner' || mayLog },
        name: pairing?.name ?? null,
      }),
      nodeInfo: (_input, { pairing }) => {
        const node = this.#dependencies.nodeInfo();
        const addresses = ownAddresses().map(({ address }) => address);
        return { ...node, addresses, ownerView: pairing === null ? node.ownerView : 'browser' };
      },
      storage: () => this.#storage.read(this.#dependencies.locations()),
      overview: (input, caller) => this.#ask('overview', input, caller),
      device: (input, caller) => this.#ask('device', input, caller),
      latestReadings: (input, caller) => this.#ask('latestReadings', input, caller),
      readingsPage: (input, caller) => this.#ask('readingsPage', input, caller),
      proofPage: (input, caller) => this.#ask('proofPage', input, caller),
      history: (input, caller) => this.#ask('history', input, caller),
      ownerChoices: (input, caller) => this.#ask('ownerChoices', input, caller),
      setOwnerChoices: async (input, caller) => {
        await this.#records.choose(input);
        return this.#ask('ownerChoices', {}, caller);
      },
      space: (input, caller) => this.#ask('space', input, caller),
      retention: (input, caller) => this.#ask('retention', input, caller),
      previewRetention: (input, caller) => this.#ask('previewRetention', input, caller),
      exportSize: (input, caller) => this.#ask('exportSize', input, caller),
      journal: (input, caller) => this.#ask('journal', input, caller),
      writeJournalEntry: (input, caller) => this.#records.writeEntry(input, caller),
      deleteJournalEntry: (input) => this.#records.deleteEntry(input),
      addPhoto: (input, caller) => this.#photos.add(input, caller),
      photo: (input, caller) => this.#photos.read(input, caller),
      photos: (input, caller) => this.#ask('photos', input, caller),
      photoSpace: () => this.#photos.space(),
      tasks: (input, caller) => this.#ask('tasks', input, caller),
      writeTask: (input) => this.#records.tasks.write(input),
      completeTask: (input, caller) => this.#records.tasks.complete(input, caller),
      reopenTask: (input) => this.#records.tasks.reopen(input),
      postponeTask: (input) => this.#records.tasks.postpone(input),
      deleteTask: (input) => this.#records.tasks.delete(input),
      cycles: (input, caller) => this.#ask('cycles', input, caller),
      writeCycle: (input) => this.#records.cycles.write(input),
      deleteCycle: (input) => this.#records.cycles.delete(input),
      setNotes: (input) => this.#devices.setNotes(input),
      forgetDevice: (input) => this.#devices.forget(input),
      damagedFiles: () => ({ files: this.#damaged.list() }),
      dismissDamagedFile: ({ id }) => this.#damaged.dismiss(id),
      readKeystore: () => this.#keystore.read(),
      writeKeystore: (input) => this.#keystore.write(input),
      startDemo: async () => {
        await this.#startDemo();
        await this.#setUpDemo();
        return {};
      },
      stopDemo: async () => {
        await this.#dependencies.demo.stop();
        await unwatchDemo(this.#dependencies.handlers, this.#dependencies.nodeInfo().publicKey);
        // Also forgets demo devices of an earlier start. They register at the local endpoint only.
        await this.#devices.forgetOwn(demoDeviceIds(this.#dependencies.nodeInfo().publicKey));
        return {};
      },
    };
  }

  /** Notifies the query thread of changes in the stores. Returns functions that stop this. */
  #tellQueriesChanges(): (() => void)[] {
    const { nodeEvents } = this.#dependencies;
    const forgot = ({ deviceId }: { readonly deviceId: string }) => this.#queries.forgot(deviceId);
    return [
      nodeEvents.on('stored', ({ readings }) => {
        for (const { deviceId, receivedAt } of readings) this.#queries.arrived(deviceId, receivedAt);
      }),
      nodeEvents.on('readingsDeleted', forgot),
      nodeEvents.on('arrivalsMoved', forgot),
      nodeEvents.on('forgotten', forgot),
    ];
  }

  #queryThread(): QueryThread {
    const { publicKey, dataDir } = this.#dependencies.nodeInfo();
    return new QueryThread({ locations: this.#locations, nodePublicKey: publicKey, dataDir }, this.#dependencies.log);
  }

  #ask<M extends QueryName>(method: M, input: Checked<M>, caller: Caller): Promise<JsonBytes<Output<M>>> {
    const { intakes, demo } = this.#dependencies;
    const context: QueryContext = {
      unregistered: new Map(intakes().map(({ storeName, unregistered }) => [storeName, unregistered.list()])),
      pendingCounts: new Map(intakes().map(({ storeName, pendingCounts }) => [storeName, pendingCounts])),
      demo: demo.isRunning,
      silenceRuleMs: this.#dependencies.silenceRuleMs(),
      now: this.#dependencies.clock.now(),
      sight: sightOf(caller),
    };
    return this.#queries.ask(method, input, context);
  }

  async #startDemo(): Promise<void> {
    this.#localUrl = this.#dependencies.nodeInfo().localUrl;
    await this.#dependencies.demo.start(this.#dependencies.nodeInfo());
  }

  /** Writes the tank of the first demo device, and a rule for the last one. Does nothing if the rule exists. */
  async #setUpDemo(): Promise<void> {
    const { handlers, nodeInfo } = this.#dependencies;
    const { publicKey } = nodeInfo();
    if ((await demoRules(handlers, publicKey)).length > 0) return;
    const [first] = demoDeviceIds(publicKey);
    await this.#devices.setNotes({ id: first!, notes: { ...NO_NOTES, units: { waterLevel: { tank: DEMO_TANK } } } });
    await watchDemo(handlers, publicKey);
  }
}

/** Creates a rule that fires within two minutes, because the pH of the last demo device drifts. */
async function watchDemo(calls: RuleCalls, nodePublicKey: string): Promise<void> {
  const rule: RuleInput = {
    id: null,
    kind: 'range',
    name: 'Demo: pH',
    scope: { kind: 'device', device: demoDeviceIds(nodePublicKey).at(-1)! },
    ...{ field: 'ph', low: 5.5, high: 6.5, margin: 0.1, forMinutes: 1 },
    ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
  };
  await calls.writeAlertRule({ rule });
}

/** Deletes the rules whose scope is a demo device. */
async function unwatchDemo(calls: RuleCalls, nodePublicKey: string): Promise<void> {
  for (const id of await demoRules(calls, nodePublicKey)) await calls.deleteAlertRule({ id });
}

async function demoRules(calls: RuleCalls, nodePublicKey: string): Promise<string[]> {
  const demo = new Set(demoDeviceIds(nodePublicKey));
  const { rules } = await calls.alertRules({});
  return rules.flatMap(({ rule }) =>
    rule.kind === 'range' && rule.scope.kind === 'device' && demo.has(rule.scope.device) ? [rule.id] : [],
  );
}
