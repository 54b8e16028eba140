import type { Registered, Store, StoreBounds } from '../../../src/main/store/port.ts';
import type { NewReading } from '../../../src/main/store/reading.ts';
import type { StoresReader, StoresView } from '../../../src/main/store/stores-view.ts';
import type { StoreName } from '../../../src/shared/protocol/codes.ts';
import { deviceRegistration } from '../../../src/shared/protocol/device.ts';
import { type DeviceOptions, SimulatedDevice } from '../../../src/simulator/device.ts';
import { newReading, type TestReading } from '../../support/readings.ts';

/** Two fresh stores of an engine. */
export interface StoresUnderTest {
  store(name: StoreName): Store;
  readonly reader: StoresReader;
  /**
   * Closes the stores, lets the engine do what it puts off until it has time, and opens them again. The reader stays open:
   * what it remembers must not go stale.
   */
  restart(): Promise<void>;
  /** Breaks what a store is written with while it works; resolves once it takes writes again. */
  loseAnswers(name: StoreName): Promise<void>;
  dispose(): Promise<void>;
}

/** Opens two fresh stores; `bounds` are those of the public one. */
export type OpenStores = (bounds?: StoreBounds) => Promise<StoresUnderTest>;

export const BOTH: readonly StoreName[] = ['private', 'public'];
/** When devices are registered, in Unix milliseconds. */
export const REGISTERED_AT = 1_700_000_000_000;

/** Registers a device in a store. */
export function register(
  store: Store,
  options: DeviceOptions = {},
  overrides: object = {},
): Promise<{ readonly id: string; readonly result: Registered }> {
  const device = new SimulatedDevice(options);
  const registration = deviceRegistration.parse(device.registration(overrides));
  return store.register(registration, REGISTERED_AT).then((result) => ({ id: device.id, result }));
}

/** A reading whose times and values don't matter. */
export function plainReading(deviceId: string, seq: bigint, over: Partial<TestReading> = {}): NewReading {
  const timestamp = 1_760_000_000_000n + (seq % 1_000_000n);
  return newReading(deviceId, { seq, timestamp, receivedAt: REGISTERED_AT, fields: [7], ...over });
}

/** The outcome of each, in one word. */
export function kinds(outcomes: readonly { readonly kind: string }[]): string[] {
  return outcomes.map(({ kind }) => kind);
}

/** Asks one thing of both stores. */
export function ask<T>({ reader }: StoresUnderTest, question: (stores: StoresView) => Promise<T>): Promise<T> {
  return reader.snapshot(question);
}
