import { describe, expect, test } from 'vitest';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import {
  accept,
  handWritten,
  onlyReadingOf,
  postBlocks,
  readingsOf,
  refuse,
  registeredDevice,
} from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

function phBlock(device: SimulatedDevice, seq: bigint | number, ph: string, timestamp: bigint | number = 5) {
  return handWritten(device, { seq, timestamp, tail: `|ph=${ph}`, json: { ph: { plain: Number(ph) } } });
}

describe.each(ENDPOINTS)('duplicates, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test('the same block again is accepted without effect', async () => {
    const device = await registeredDevice(url());
    await accept(url(), phBlock(device, 1, '6.20'));
    const first = await onlyReadingOf(url(), device.id);
    await accept(url(), phBlock(device, 1, '6.20'));
    await accept(url(), phBlock(device, 1, '6.20'));
    expect(await onlyReadingOf(url(), device.id)).toEqual(first);
  });

  test('another block of the same seq is accepted, and the first one is kept', async () => {
    const device = await registeredDevice(url());
    await accept(url(), phBlock(device, 1, '6.20', 1000));
    const first = await onlyReadingOf(url(), device.id);
    await accept(url(), phBlock(device, 1, '7.30', 2000));
    expect(await onlyReadingOf(url(), device.id)).toEqual(first);
    expect(first).toMatchObject({ timestamp: 1000n, ph: { value: 6.2 } });
  });

  test('within one batch each one counts, and the first one is kept', async () => {
    const device = await registeredDevice(url());
    const blocks = [phBlock(device, 1, '6.20'), phBlock(device, 1, '7.30'), phBlock(device, 1, '6.20')];
    expect(await postBlocks(url(), blocks)).toEqual({ status: 200, accepted: 3, errors: [] });
    expect((await onlyReadingOf(url(), device.id)).ph).toEqual({ value: 6.2 });
  });

  test('a seq belongs to its device', async () => {
    const [one, other] = [await registeredDevice(url()), await registeredDevice(url())];
    await accept(url(), phBlock(one, 1, '6.20'));
    await accept(url(), phBlock(other, 1, '7.30'));
    expect((await onlyReadingOf(url(), one.id)).ph).toEqual({ value: 6.2 });
    expect((await onlyReadingOf(url(), other.id)).ph).toEqual({ value: 7.3 });
  });

  test('a stored seq excuses no invalid signature', async () => {
    const device = await registeredDevice(url());
    await accept(url(), phBlock(device, 1, '6.20'));
    const forged = { ...phBlock(device, 1, '6.20'), signature: '00'.repeat(64) };
    expect(await refuse(url(), forged)).toBe(`Invalid signature for device ${device.id}`);
  });

  test('older seqs after newer ones, and gaps, are accepted', async () => {
    const device = await registeredDevice(url());
    const seqs = [900, 100, 500, 1, 0, 899, 10_000];
    for (const seq of seqs) await accept(url(), phBlock(device, seq, '6.20', seq));
    const stored = (await readingsOf(url(), device.id)).map(({ seq }) => Number(seq));
    expect(stored).toEqual(seqs.toSorted((a, b) => b - a));
  });
});

/** Readings are served alike whether somebody looked before they came (a node may keep what it served) or not. */
const READ_BEFORE = [false, true];

describe.each(ENDPOINTS.flatMap((endpoint) => READ_BEFORE.map((readBefore) => [endpoint, readBefore] as const)))(
  'the order of readings, %s endpoint, read before: %s',
  (endpoint, readBefore) => {
    const url = () => node.url(endpoint);

    async function newDevice(): Promise<SimulatedDevice> {
      const device = await registeredDevice(url());
      if (readBefore) expect(await readingsOf(url(), device.id)).toEqual([]);
      return device;
    }

    test('of 520 readings the newest 500 are returned, newest first, for any order of arrival', async () => {
      const device = await newDevice();
      // 7 and 520 have no common divisor: a shuffle that is the same every time.
      const times = Array.from({ length: 520 }, (_, index) => (index * 7) % 520);
      const blocks = times.map((time, seq) => handWritten(device, { seq, timestamp: 1_700_000_000_000 + time }));
      for (let start = 0; start < blocks.length; start += 100) {
        const result = await postBlocks(url(), blocks.slice(start, start + 100));
        expect(result.errors).toEqual([]);
      }
      const readings = await readingsOf(url(), device.id);
      expect(readings.map(({ timestamp }) => Number(timestamp) - 1_700_000_000_000)).toEqual(
        Array.from({ length: 500 }, (_, index) => 519 - index),
      );
    });

    test('timestamps are unsigned', async () => {
      const device = await newDevice();
      const newestFirst = [
        2n ** 64n - 1n,
        2n ** 63n + 1n,
        2n ** 63n,
        2n ** 63n - 1n,
        2n ** 53n + 1n,
        2n ** 53n,
        1n,
        0n,
      ];
      const shuffled = [3, 7, 0, 5, 2, 6, 1, 4].map((index) => newestFirst[index]!);
      for (const timestamp of shuffled) {
        // The newer, the lower the seq: an order that takes two timestamps for equal shows.
        const seq = newestFirst.indexOf(timestamp);
        await accept(url(), handWritten(device, { seq, timestamp }));
      }
      expect((await readingsOf(url(), device.id)).map(({ timestamp }) => timestamp)).toEqual(newestFirst);
    });

    test('of one timestamp the higher unsigned seq is first', async () => {
      const device = await newDevice();
      const highestFirst = [2n ** 64n - 1n, 2n ** 63n, 2n ** 63n - 1n, 2n ** 53n + 1n, 2n ** 53n, 10n, 9n, 0n];
      const shuffled = [3, 7, 0, 5, 2, 6, 1, 4].map((index) => highestFirst[index]!);
      for (const seq of shuffled) await accept(url(), handWritten(device, { seq, timestamp: 77 }));
      expect((await readingsOf(url(), device.id)).map(({ seq }) => seq)).toEqual(highestFirst);
    });

    test.each(['0', '9007199254740993', '9223372036854775808', '18446744073709551615'])(
      'seq and timestamp %s are returned as integers with every digit',
      async (digits) => {
        const device = await newDevice();
        await accept(url(), handWritten(device, { seq: digits, timestamp: digits }));
        const { text } = await send(`${url()}/v1/devices/${device.id}/telemetry`);
        expect(text).toMatch(new RegExp(`"seq":\\s*${digits},`));
        expect(text).toMatch(new RegExp(`"timestamp":\\s*${digits},`));
      },
    );
  },
);
