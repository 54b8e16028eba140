import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../../src/main/proof/log-key.ts';
import { hashOfText } from '../../../src/main/store/log-leaves.ts';
import type { RegistrationOrigin } from '../../../src/main/store/port.ts';
import type { NewReading } from '../../../src/main/store/reading.ts';
import type { StoreLog } from '../../../src/main/store/store-log.ts';
import type { LogView } from '../../../src/main/store/stores-view.ts';
import { parseEntry } from '../../../src/shared/proof/leaf.ts';
import { inclusionPath, rootByPath, rootOf } from '../../../src/shared/proof/merkle.ts';
import type { StoreName } from '../../../src/shared/protocol/codes.ts';
import { type DeviceRegistration, deviceRegistration } from '../../../src/shared/protocol/device.ts';
import { MAX_UINT64 } from '../../../src/shared/protocol/uint64.ts';
import { SimulatedDevice } from '../../../src/simulator/device.ts';
import { problemsOf, rootAt, rootOfLeaves, treeOf } from '../../support/log-trees.ts';
import { newReading } from '../../support/readings.ts';

/** A fresh store of an engine whose log is looked at. */
export interface LogUnderTest {
  readonly name: StoreName;
  register(registration: DeviceRegistration, at: number, origin: RegistrationOrigin): unknown;
  append(readings: readonly NewReading[]): unknown;
  /** Deletes what a device sent before a time, except its newest 500 readings. */
  prune(id: string, before: number): Promise<void> | void;
  forget(id: string): Promise<void> | void;
  /** Hashes all that was stored. */
  hash(): Promise<void> | void;
  ask<T>(question: (log: StoreLog, view: LogView) => T | Promise<T>): Promise<T>;
  close(): Promise<void> | void;
}

export const LOG_START = 1_760_000_000_000;
export const LOG_SPAN = { axis: 'timestamp', from: 0n, to: MAX_UINT64 } as const;
export const LOG_DEVICES = [1, 2].map((byte) => new SimulatedDevice({ seed: Buffer.alloc(32, byte) }));
const MINUTE = 60_000;

/** A signed reading with a plain and a sealed value, a minute after the one before. */
export const loggedReading = (device: SimulatedDevice, seq: number, over: object = {}): NewReading =>
  newReading(device.id, {
    ...{ seq: BigInt(seq), timestamp: BigInt(LOG_START + seq * MINUTE), receivedAt: LOG_START + seq * MINUTE + 7 },
    fields: [seq / 100, new Uint8Array(40).fill(seq)],
    signed: { signature: new Uint8Array(64).fill(seq), raw: Buffer.from(`raw of ${seq}`) },
    ...over,
  });

/** Makes one reading after the other, of the devices in turn. */
export function loggedReadings(): () => NewReading {
  let seq = 0;
  return () => {
    seq += 1;
    return loggedReading(LOG_DEVICES[seq % 2]!, seq);
  };
}

const PART = 200;

/** Appends readings in parts, as a node does: a single statement with all of them may take too long on a busy machine. */
export async function appendInParts(
  store: { append(readings: readonly NewReading[]): unknown },
  readings: readonly NewReading[],
): Promise<void> {
  for (let at = 0; at < readings.length; at += PART) await store.append(readings.slice(at, at + PART));
}

/** The texts of all entries that there are, by their index. */
export async function textsOf(log: StoreLog, view: LogView, name: StoreName): Promise<string[]> {
  const texts: string[] = [];
  for (const { id } of LOG_DEVICES) {
    for (const { index, text } of log.registrations(id)) texts[index] = text;
    for (const { index, text } of await view.loggedReadings(name, id, LOG_SPAN, null, 100_000)) texts[index!] = text;
  }
  return texts;
}

/** The rules for the log of a store, of every engine. */
export function logContract(open: () => Promise<LogUnderTest>): void {
  let store: LogUnderTest;
  let next: () => NewReading;
  const [first, second] = LOG_DEVICES as [SimulatedDevice, SimulatedDevice];
  beforeEach(async () => {
    store = await open();
    next = loggedReadings();
    for (const device of LOG_DEVICES) {
      const received = deviceRegistration.parse(device.registration({ publishTo: 0 }));
      await store.register(received, LOG_START, { way: 'local', by: null, received });
    }
  });
  afterEach(() => store.close());
  const append = (count: number) => appendInParts(store, Array.from({ length: count }, next));

  it('has registrations and readings in the order of storage, with all their data', async () => {
    await store.append([loggedReading(first, 1), loggedReading(second, 1), loggedReading(first, 1)]);
    await store.append([loggedReading(first, 2)]);
    await store.hash();
    await store.ask(async (log, view) => {
      expect(log.size).toBe(5);
      expect(log.registrations(second.id)).toMatchObject([
        { index: 1, text: expect.stringContaining(`"${second.id}"`) },
      ]);
      expect(log.registrations(null).map(({ index }) => index)).toEqual([0, 1]);
      const found = await view.loggedReadings(store.name, first.id, LOG_SPAN, null, 10);
      expect(found.map(({ index }) => index)).toEqual([expect.any(Number), 4]);
      expect(parseEntry(found[1]!.text)).toEqual({
        ...{ kind: 'reading', device: first.id, seq: '2', timestamp: String(LOG_START + 2 * MINUTE) },
        ...{ receivedAt: LOG_START + 2 * MINUTE + 7, clock: 0, keyVersion: 0 },
        signed: { signature: new Uint8Array(64).fill(2), raw: new Uint8Array(Buffer.from('raw of 2')) },
        fields: new Map<string, unknown>([
          ['ph', 0.02],
          ['ec', new Uint8Array(40).fill(2)],
        ]),
      });
    });
  });

  it('forgets a registration and readings that no tree has yet', async () => {
    await append(10);
    expect(await store.ask((log) => [log.size, log.registrations(null), log.registrations(first.id)])).toEqual([
      0,
      [],
      [],
    ]);
    await store.forget(second.id);
    await store.hash();
    await store.ask(async (log, view) => {
      expect(log.registrations(null)).toMatchObject([{ text: expect.stringContaining(`"${first.id}"`) }]);
      expect(await view.loggedReadings(store.name, first.id, LOG_SPAN, null, 99)).toHaveLength(5);
      expect(await problemsOf(log)).toEqual([]);
    });
  });

  it('proves every reading, and its hashes are those of the definition, at every size', async () => {
    for (const count of [1, 3, 50, 200, 250, 1, 300, 600]) {
      await append(count);
      await store.hash();
      await store.ask(async (log, view) => {
        const texts = await textsOf(log, view, store.name);
        expect(texts).toHaveLength(log.size);
        const root = rootOf(treeOf(log), log.size);
        expect(root).toEqual(rootOfLeaves(texts.map(hashOfText)));
        for (let index = 0; index < log.size; index += 1 + Math.floor(log.size / 50)) {
          const path = inclusionPath(treeOf(log), index, log.size);
          expect(rootByPath(sha256, { index, size: log.size, leaf: hashOfText(texts[index]!), path })).toEqual(root);
        }
        expect(await problemsOf(log)).toEqual([]);
      });
    }
  });

  it('keeps the hashes of deleted data, and thus earlier trees', async () => {
    await append(1200);
    await store.hash();
    const before = await store.ask((log) => ({ size: log.size, root: rootAt(log) }));
    await store.prune(first.id, LOG_START + 200 * MINUTE);
    await store.forget(second.id);
    await append(300);
    await store.hash();
    await store.ask(async (log, view) => {
      const left = await view.loggedReadings(store.name, first.id, LOG_SPAN, null, 9999);
      expect(left.length).toBeLessThan(750);
      expect(log.registrations(second.id)).toEqual([]);
      expect(rootAt(log, before.size)).toBe(before.root);
      expect(await problemsOf(log)).toEqual([]);
    });
  });
}
