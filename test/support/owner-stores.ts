import { history } from '../../src/main/owner/history.ts';
import { device, overview } from '../../src/main/owner/overview.ts';
import { latestReadings, readingsPage } from '../../src/main/owner/pages.ts';
import { type QueryContext, QueryState } from '../../src/main/owner/queries.ts';
import { prepareStore } from '../../src/main/store/database.ts';
import type { StoreName } from '../../src/main/store/owner-stores.ts';
import type { StoredField, WriteJob, WriteOutcome } from '../../src/main/store/write-jobs.ts';
import { WriterConnection } from '../../src/main/store/writer-connection.ts';
import type { Input, Output } from '../../src/shared/owner-api.ts';
import { METHODS } from '../../src/shared/owner-api.ts';
import type { Destination } from '../../src/shared/protocol/codes.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { type DeviceOptions, SimulatedDevice } from '../../src/simulator/device.ts';
import { ENDPOINTS, removeFolder, temporaryFolder } from './node-process.ts';
import { storePath } from './store-file.ts';

const ENDPOINT: Record<StoreName, Destination> = { private: 'local', public: 'public' };
/** This node's key, for the rules of policies. */
export const NODE_KEY = 'ab'.repeat(32);

/** A reading for a test to write. */
export interface TestReading {
  readonly seq: bigint;
  readonly timestamp: bigint;
  readonly receivedAt: number;
  /** In the order of SENSOR_FIELDS. */
  readonly fields: readonly StoredField[];
}

/** Two real stores in a folder of their own, written to and asked without threads. */
export class OwnerStoresForTest {
  readonly folder = temporaryFolder();
  readonly #writers: Record<StoreName, WriterConnection>;
  #state: QueryState | null = null;

  constructor() {
    for (const endpoint of ENDPOINTS) prepareStore(storePath(this.folder, endpoint), endpoint);
    const open = (store: StoreName) =>
      new WriterConnection({ path: storePath(this.folder, ENDPOINT[store]), durability: 'normal', bounds: null });
    this.#writers = { private: open('private'), public: open('public') };
  }

  /** What the query thread works with. */
  get state(): QueryState {
    this.#state ??= new QueryState(
      { private: storePath(this.folder, 'local'), public: storePath(this.folder, 'public') },
      NODE_KEY,
    );
    return this.#state;
  }

  /** Forgets what was remembered between queries, as a restart does. */
  reopen(): void {
    this.#state?.stores.close();
    this.#state = null;
  }

  /** Runs jobs in one transaction. Throws where one of them fails. */
  write(store: StoreName, jobs: readonly WriteJob[]): WriteOutcome[] {
    const outcomes = this.#writers[store].runGroup(jobs)!;
    for (const outcome of outcomes) if (!outcome.ok) throw new Error(outcome.message);
    return outcomes;
  }

  /** Registers a device in stores; returns its number in each, the same in both. */
  register(options: DeviceOptions, stores: readonly StoreName[], overrides: object = {}): SimulatedDevice {
    const simulated = new SimulatedDevice(options);
    const registration = deviceRegistration.parse(simulated.registration(overrides));
    for (const store of stores) this.write(store, [{ kind: 'register', registration, createdAt: 1_700_000_000_000 }]);
    return simulated;
  }

  /** The small number of a device. */
  numberIn(store: StoreName, id: string): number {
    return this.state.device(id).numbers[store]!;
  }

  append(store: StoreName, number: number, readings: readonly TestReading[]): void {
    const rows = readings.map(({ seq, timestamp, receivedAt, fields }) => {
      const [ph = null, ec = null, waterLevel = null, tempWater = null, tempAmbient = null, humidity = null] = fields;
      const integers = [BigInt.asIntN(64, seq), BigInt.asIntN(64, timestamp)] as const;
      return [number, ...integers, receivedAt, 0, ph, ec, waterLevel, tempWater, tempAmbient, humidity] as const;
    });
    this.write(store, [{ kind: 'append', rows }]);
  }

  /** Sums up all hours that are over. */
  sumUp(store: StoreName): void {
    while (this.#writers[store].sumUp(1000));
  }

  /** Asks as the query thread does: in a snapshot, its answer checked against the contract. */
  ask<M extends keyof typeof QUERIES>(method: M, input: Input<M>, context: Partial<QueryContext> = {}): Output<M> {
    const whole = { unregistered: new Map(), arrivals: new Map(), forgotten: [], demo: false, now: Date.now() };
    const run = QUERIES[method] as (state: QueryState, input: unknown, context: QueryContext) => unknown;
    const value = this.state.stores.snapshot(() => run(this.state, input, { ...whole, ...context }));
    return METHODS[method].output.parse(JSON.parse(JSON.stringify(value))) as Output<M>;
  }

  dispose(): void {
    this.#state?.stores.close();
    for (const writer of Object.values(this.#writers)) writer.close();
    removeFolder(this.folder);
  }
}

const QUERIES = { overview, device, latestReadings, readingsPage, history };
