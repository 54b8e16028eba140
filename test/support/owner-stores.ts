import type { Checked } from '../../src/main/owner/handlers.ts';
import { type QueryContext, QueryMemory, type QueryName, STORES_ALONE } from '../../src/main/owner/queries/queries.ts';
import { runQuery } from '../../src/main/owner/queries/thread/query-methods.ts';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { WriteJob, WriteOutcome } from '../../src/main/store/sqlite/write/write-jobs.ts';
import type { StoresReader } from '../../src/main/store/stores-view.ts';
import { METHODS, type Output } from '../../src/shared/owner-api/contract.ts';
import type { EndpointName, StoreName } from '../../src/shared/protocol/codes.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { type DeviceOptions, SimulatedDevice } from '../../src/simulator/device.ts';
import { ENDPOINTS, removeFolder, temporaryFolder } from './node-process.ts';
import { newReading, type TestReading } from './readings.ts';
import { queryStore, STORE_OF, storePath } from './store-file.ts';

const ENDPOINT: Record<StoreName, EndpointName> = { private: 'local', public: 'public' };
/** This node's key for the rules of policies. */
export const NODE_KEY = 'ab'.repeat(32);

/** Two real stores in their own folder, written and queried without threads. */
export class OwnerStoresForTest {
  readonly folder = temporaryFolder();
  readonly paths = { private: storePath(this.folder, 'local'), public: storePath(this.folder, 'public') };
  /** The memory that queries share. */
  memory = new QueryMemory(NODE_KEY, this.folder);
  readonly #writers: Record<StoreName, DirectWriter>;
  #reader: Promise<StoresReader> | null = null;

  constructor() {
    for (const endpoint of ENDPOINTS) prepareStore(storePath(this.folder, endpoint), STORE_OF[endpoint]);
    this.#writers = { private: new DirectWriter(this.paths.private), public: new DirectWriter(this.paths.public) };
  }

  /** The query thread's reader of the stores. */
  get reader(): Promise<StoresReader> {
    this.#reader ??= openStoresReader(this.paths);
    return this.#reader;
  }

  /** Clears the memory of the queries, as a restart does. */
  async reopen(): Promise<void> {
    await (await this.#reader)?.close();
    this.#reader = null;
    this.memory = new QueryMemory(NODE_KEY, this.folder);
  }

  /** Runs jobs in one transaction. Throws if one of them fails. */
  write(store: StoreName, jobs: readonly WriteJob[]): WriteOutcome[] {
    return this.#writers[store].run(jobs);
  }

  /** Registers a device in stores. */
  register(options: DeviceOptions, stores: readonly StoreName[], overrides: object = {}): SimulatedDevice {
    const simulated = new SimulatedDevice(options);
    const registration = deviceRegistration.parse(simulated.registration(overrides));
    for (const store of stores) this.#writers[store].register(registration, 1_700_000_000_000);
    return simulated;
  }

  /** Returns the short number of a device. */
  numberIn(store: StoreName, id: string): number {
    const sql = 'SELECT device FROM devices WHERE id = ?';
    return Number(queryStore(this.folder, ENDPOINT[store], sql, Buffer.from(id, 'hex'))[0]!.device);
  }

  /** Writes readings one minute apart. `last` is the time of the last one; `over` returns the contents of each. */
  fill(
    store: StoreName,
    id: string,
    { last, count, over = () => ({}) }: { last: number; count: number; over?: (index: number) => Partial<TestReading> },
  ): void {
    const readings = Array.from({ length: count }, (_, index) => {
      const time = last - (count - 1 - index) * 60_000;
      const fields = [6 + index, null, null, null, null, null];
      return { seq: BigInt(index + 1), timestamp: BigInt(time), receivedAt: time + 50, fields, ...over(index) };
    });
    this.append(store, id, readings);
    this.memory.summaries.arrived(id, 0);
  }

  append(store: StoreName, id: string, readings: readonly TestReading[]): void {
    this.#writers[store].append(readings.map((reading) => newReading(id, reading)));
  }

  /** Sums up all hours that have ended. */
  sumUp(store: StoreName): void {
    this.#writers[store].sumUp();
  }

  /** Queries as the query thread does: in a snapshot, with its answer checked against the contract. */
  async ask<M extends QueryName>(
    method: M,
    input: Checked<M>,
    context: Partial<QueryContext> = {},
  ): Promise<Output<M>> {
    const whole = { ...STORES_ALONE, now: Date.now(), ...context };
    const value = await runQuery(await this.reader, this.memory, { method, input, context: whole });
    return METHODS[method].output.parse(JSON.parse(JSON.stringify(value))) as Output<M>;
  }

  async dispose(): Promise<void> {
    await (await this.#reader)?.close();
    for (const writer of Object.values(this.#writers)) writer.close();
    removeFolder(this.folder);
  }
}
