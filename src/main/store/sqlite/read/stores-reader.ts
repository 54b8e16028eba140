import type { StoreLocations } from '../../engine.ts';
import type { StoresReader, StoresView } from '../../stores-view.ts';
import { unavailable } from '../file/fault.ts';
import { ArrivalHours } from './arrival-hours.ts';
import { MergedHours } from './merged-hours.ts';
import { MergedReadings } from './merged-readings.ts';
import { ReadConnection } from './read-connection.ts';
import { RetainedHours } from './retained-hours.ts';
import type { StepSources } from './steps.ts';
import { SqliteStoresView } from './stores-view.ts';

/** Reads both stores through one connection of the thread that creates it. Throws like better-sqlite3. */
export class SqliteStoresReader implements StoresReader {
  readonly #connection: ReadConnection;
  readonly #sources: StepSources;
  /** Resolves when the previous call has ended. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(paths: StoreLocations) {
    this.#connection = ReadConnection.toBoth(paths);
    const readings = new MergedReadings(this.#connection);
    this.#sources = {
      readings,
      hours: new MergedHours(this.#connection, readings),
      retained: new RetainedHours(this.#connection),
      arrivals: new ArrivalHours(this.#connection, readings),
    };
  }

  snapshot<T>(run: (stores: StoresView) => Promise<T>): Promise<T> {
    return this.#inTransaction(run);
  }

  forgotten(id: string): void {
    this.#sources.arrivals.forgotten(id);
  }

  prepareArrivals(id: string, readings: number): Promise<boolean> {
    return this.#inTransaction(async (stores) => stores.prepareArrivals(id, readings));
  }

  async close(): Promise<void> {
    await this.#turn;
    this.#connection.close();
  }

  #inTransaction<T>(run: (stores: SqliteStoresView) => Promise<T>): Promise<T> {
    const { db } = this.#connection;
    const result = this.#turn.then(async () => {
      try {
        db.exec('BEGIN DEFERRED');
        return await run(new SqliteStoresView(this.#connection, this.#sources));
      } catch (error) {
        throw unavailable(error);
      } finally {
        if (db.inTransaction) db.exec('COMMIT');
      }
    });
    this.#turn = result.catch(() => {});
    return result;
  }
}
