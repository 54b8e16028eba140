import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LatestReadings } from './latest-readings.ts';
import type { RenderedReading } from './readings.ts';

interface Plain {
  readonly seq: bigint;
  readonly timestamp: bigint;
}

const rendered = ({ seq, timestamp }: Plain): RenderedReading => {
  return { seq: String(seq), timestamp: String(timestamp), json: `[${seq},${timestamp}]` };
};

/** What a store answers: sorted anew from everything, newest first. */
function newest(all: readonly Plain[]): RenderedReading[] {
  const descending = (a: bigint, b: bigint) => (a < b ? 1 : a > b ? -1 : 0);
  return [...all]
    .sort((a, b) => descending(a.timestamp, b.timestamp) || descending(a.seq, b.seq))
    .slice(0, 500)
    .map(rendered);
}

const body = (readings: readonly RenderedReading[]) => `{"readings":[${readings.map(({ json }) => json).join(',')}]}`;

// Few distinct timestamps, so that ties are common, and some around 2^63, where signed order would differ.
const reading = fc.record({
  seq: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  timestamp: fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.constantFrom(2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n)),
});
const uniqueReadings = (maxLength: number) => fc.uniqueArray(reading, { selector: ({ seq }) => seq, maxLength });

it('keeps what the store would answer, however readings arrive', () => {
  fc.assert(
    fc.property(uniqueReadings(700), uniqueReadings(300), (before, added) => {
      const all = [...before];
      const latest = new LatestReadings(() => newest(all));
      expect(latest.body(1).toString()).toBe(body(newest(all)));
      for (const fresh of added) {
        if (all.some(({ seq }) => seq === fresh.seq)) continue;
        all.push(fresh);
        latest.add(1, rendered(fresh));
      }
      expect(latest.body(1).toString()).toBe(body(newest(all)));
    }),
    { numRuns: 50 },
  );
});

it('takes in once a reading that the store was read with already', () => {
  const all: Plain[] = [{ seq: 1n, timestamp: 5n }];
  const latest = new LatestReadings(() => newest(all));
  latest.body(1);
  latest.add(1, rendered(all[0]!));
  expect(latest.body(1).toString()).toBe(body(newest(all)));
});

it('keeps the devices read most recently, and reads the others again', () => {
  let fetched = 0;
  const latest = new LatestReadings(() => {
    fetched += 1;
    return [];
  });
  for (let device = 0; device < 64; device += 1) latest.body(device);
  latest.body(0);
  expect(fetched).toBe(64);
  latest.body(64);
  latest.body(0);
  expect(fetched).toBe(65);
  latest.body(1);
  expect(fetched).toBe(66);
});
