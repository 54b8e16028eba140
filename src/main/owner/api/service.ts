import type { Logger } from 'pino';
import { demoDeviceIds } from '../../../shared/demo-keys.ts';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { NodeInfo } from '../../../shared/owner-api/node.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import type { Deed } from '../../audit/audit-log.ts';
import type { ArrivalClock } from '../../common/clock.ts';
import type { NodeEvents } from '../../common/node-events.ts';
import type { Intake } from '../../intake/intake.ts';
import { DamagedFiles } from '../../state-files/damaged-files.ts';
import type { StoreLocations } from '../../store/engine.ts';
import type { Store } from '../../store/port.ts';
import type { QueryContext, QueryName } from '../queries/queries.ts';
import { QueryThread } from '../queries/thread/query-thread.ts';
import { ownAddresses } from './addresses.ts';
import { type Caller, sightOf } from './caller.ts';
import { OwnerCalls } from './calls.ts';
import type { DemoDevices } from './demo.ts';
import { unwatchDemo, watchDemo } from './demo-rule.ts';
import { DeviceChanges } from './devices.ts';
import type { OnEvent, OwnerEvents } from './events.ts';
import type {
  AlertMethod,
  AuditMethod,
  CareMethod,
  Checked,
  ConnectionMethod,
  DoorMethod,
  GateMethod,
  Handlers,
  HostMethod,
  JsonBytes,
  NodeMethod,
  NodesMethod,
  PlainHandlers,
} from './handlers.ts';
import { KeystoreFile } from './keystore.ts';
import { OwnerRecords } from './owner-records.ts';
import { StorageState } from './storage.ts';

/** What the service is made of. */
export interface OwnerServiceParts {
  readonly log: Logger;
  /** Asked at each call: addresses are known once the endpoints listen. */
  readonly nodeInfo: () => Omit<NodeInfo, 'addresses'>;
  /** The stores and where they are kept; the public one may come later. */
  readonly store: (name: StoreName) => Store | null;
  readonly locations: () => StoreLocations;
  /** Those that there are at each call. */
  readonly intakes: () => readonly Intake[];
  readonly nodeEvents: NodeEvents;
  readonly clock: ArrivalClock;
  readonly events: OwnerEvents;
  readonly demo: DemoDevices;
  /** Answers what concerns the program around the node. */
  readonly hostHandlers: Handlers<HostMethod>;
  readonly alertHandlers: PlainHandlers<AlertMethod>;
  /** After how long the owner's rule takes any device for silent; null: each by its usual interval. */
  readonly silenceRuleMs: () => number | null;
  readonly gateHandlers: Handlers<GateMethod>;
  readonly doorHandlers: Handlers<DoorMethod>;
  readonly careHandlers: Handlers<CareMethod>;
  readonly connectionHandlers: PlainHandlers<ConnectionMethod>;
  readonly nodesHandlers: PlainHandlers<NodesMethod>;
  readonly auditHandlers: Handlers<AuditMethod>;
  /** Adds to the audit log what a call did. Never rejects. */
  readonly record: (deed: Deed) => Promise<void>;
}

/** Implements the owner's contract over both stores, for any transport. */
export class OwnerService {
  /** Answers the owner's calls. */
  readonly calls: OwnerCalls;
  readonly #parts: OwnerServiceParts;
  readonly #devices: DeviceChanges;
  readonly #records: OwnerRecords;
  readonly #damaged: DamagedFiles;
  readonly #keystore: KeystoreFile;
  readonly #storage: StorageState;
  #queries: QueryThread;
  #locations: StoreLocations;
  #localUrl: string | null = null;
  #isStopping = false;

  constructor(parts: OwnerServiceParts) {
    this.#parts = parts;
    this.#devices = new DeviceChanges(parts.store, parts.nodeEvents, parts.clock);
    this.#records = new OwnerRecords(parts.store, parts.nodeEvents, parts.clock);
    const { log, clock } = parts;
    const folder = { path: parts.nodeInfo().dataDir, log, now: () => clock.now() };
    this.#damaged = new DamagedFiles(folder);
    this.#keystore = new KeystoreFile(folder);
    this.#storage = new StorageState(parts.nodeEvents, parts.clock);
    this.#locations = parts.locations();
    this.#queries = this.#queryThread();
    this.calls = new OwnerCalls(parts.log, { ...parts.hostHandlers, ...this.#handlers() }, parts.record);
  }

  /** To be called when somebody opens the page: its first call then finds the stores open. */
  warmUp(): void {
    if (!this.#isStopping) this.#queries.warmUp();
  }

  /** Listens to events; returns what ends it. */
  listen(onEvent: OnEvent): () => void {
    return this.#parts.events.listen(onEvent);
  }

  /** To be called when a stop begins: long work is broken off, so that the stop need not wait for it. */
  stopSoon(): void {
    this.#isStopping = true;
    this.#devices.stop();
  }

  /** To be called when the node listens elsewhere, or has another store: what depends on that follows. */
  async followNode(): Promise<void> {
    const { locations, demo, nodeInfo, nodeEvents, log } = this.#parts;
    if (locations().public !== this.#locations.public) {
      this.#locations = locations();
      const before = this.#queries;
      this.#queries = this.#queryThread();
      await before.close();
      nodeEvents.emit('storeOpened', () => ({ store: 'public' }));
    }
    if (!demo.isRunning || nodeInfo().localUrl === this.#localUrl) return;
    await demo.stop();
    // Who asked for another port did not ask for demo devices: they may fail without it failing.
    await this.#startDemo().catch((error: unknown) => log.error({ err: error }, 'demo devices failed'));
  }

  async close(): Promise<void> {
    this.stopSoon();
    this.#parts.events.close();
    this.#storage.close();
    await this.#parts.demo.terminate();
    await this.#queries.close();
    await this.#keystore.settled();
  }

  #handlers(): Handlers<NodeMethod> {
    return {
      ...this.#parts.alertHandlers,
      ...this.#parts.gateHandlers,
      ...this.#parts.doorHandlers,
      ...this.#parts.careHandlers,
      ...this.#parts.nodesHandlers,
      ...this.#parts.auditHandlers,
      ...this.#parts.connectionHandlers,
      caller: (_input, { role, devices, mayUnlock, pairing }) => ({
        ...{ role, isBounded: devices !== null, mayUnlock },
        name: pairing?.name ?? null,
      }),
      nodeInfo: (_input, { pairing }) => {
        const node = this.#parts.nodeInfo();
        const addresses = ownAddresses().map(({ address }) => address);
        return { ...node, addresses, ownerView: pairing === null ? node.ownerView : 'browser' };
      },
      storage: () => this.#storage.read(this.#parts.locations()),
      overview: (input, caller) => this.#ask('overview', input, caller),
      device: (input, caller) => this.#ask('device', input, caller),
      latestReadings: (input, caller) => this.#ask('latestReadings', input, caller),
      readingsPage: (input, caller) => this.#ask('readingsPage', input, caller),
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
      writeJournalEntry: (input) => this.#records.writeEntry(input),
      deleteJournalEntry: (input) => this.#records.deleteEntry(input),
      setNotes: (input) => this.#devices.setNotes(input),
      forgetDevice: (input) => this.#devices.forget(input),
      damagedFiles: () => ({ files: this.#damaged.list() }),
      dismissDamagedFile: ({ id }) => this.#damaged.dismiss(id),
      readKeystore: () => this.#keystore.read(),
      writeKeystore: (input) => this.#keystore.write(input),
      startDemo: async () => {
        await this.#startDemo();
        await watchDemo(this.#parts.alertHandlers, this.#parts.nodeInfo().publicKey);
        return {};
      },
      stopDemo: async () => {
        await this.#parts.demo.stop();
        await unwatchDemo(this.#parts.alertHandlers, this.#parts.nodeInfo().publicKey);
        // Also those of an earlier start; they register at the local endpoint alone.
        await this.#devices.forgetOwn(demoDeviceIds(this.#parts.nodeInfo().publicKey));
        return {};
      },
    };
  }

  #queryThread(): QueryThread {
    return new QueryThread(
      { locations: this.#locations, nodePublicKey: this.#parts.nodeInfo().publicKey },
      this.#parts.log,
    );
  }

  #ask<M extends QueryName>(method: M, input: Checked<M>, caller: Caller): Promise<JsonBytes<Output<M>>> {
    const { events, intakes, demo } = this.#parts;
    const context: QueryContext = {
      unregistered: new Map(intakes().map(({ storeName, unregistered }) => [storeName, unregistered.list()])),
      pendingCounts: new Map(intakes().map(({ storeName, pendingCounts }) => [storeName, pendingCounts])),
      arrivals: events.takeArrivals(),
      forgotten: this.#devices.takeForgotten(),
      demo: demo.isRunning,
      silenceRuleMs: this.#parts.silenceRuleMs(),
      now: this.#parts.clock.now(),
      sight: sightOf(caller),
    };
    return this.#queries.ask(method, input, context);
  }

  async #startDemo(): Promise<void> {
    this.#localUrl = this.#parts.nodeInfo().localUrl;
    await this.#parts.demo.start(this.#parts.nodeInfo());
  }
}
