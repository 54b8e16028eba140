import type { DeviceRegistration } from '../../../../shared/protocol/device.ts';
import type { RegistrationOrigin } from '../../port.ts';
import type { NewReading } from '../../reading.ts';
import { toRow, type WriteJob, type WriteOutcome } from './write-jobs.ts';
import { WriterConnection } from './writer-connection.ts';

const SUM_UP_MS = 1000;

/**
 * Writes a store that no node has open, on the calling thread and without bounds: for scripts, benchmarks and tests.
 */
export class DirectWriter {
  readonly #connection: WriterConnection;

  /** Opens a prepared store. */
  constructor(path: string) {
    this.#connection = new WriterConnection({ path, durability: 'normal', bounds: null });
  }

  register(registration: DeviceRegistration, createdAt: number, origin?: RegistrationOrigin): void {
    this.run([{ kind: 'register', registration, createdAt, origin }]);
  }

  append(readings: readonly NewReading[]): void {
    this.run([{ kind: 'append', rows: readings.map(toRow) }]);
  }

  /** Runs jobs in one transaction. Throws if one of them fails. */
  run(jobs: readonly WriteJob[]): WriteOutcome[] {
    const outcomes = this.#connection.runGroup(jobs);
    if (outcomes === null) throw new Error('another process uses the store');
    for (const outcome of outcomes)
      if (!outcome.ok) throw new Error(`${outcome.engineCode ?? outcome.code}: ${outcome.message}`);
    return outcomes;
  }

  /** Sums up every complete hour, as a running node does over time. */
  sumUp(): void {
    while (this.#connection.sumUp(SUM_UP_MS));
  }

  close(): void {
    this.#connection.close();
  }
}
