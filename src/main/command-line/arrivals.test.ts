import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import { Arrivals } from './arrivals.ts';

const PAGE = 3;

/** A device whose readings are listed in pages, the newest first. */
class Readings {
  readonly #all: OwnerReading[] = [];
  #receivedAt = 1000;

  store(...times: readonly number[]): string[] {
    this.#receivedAt += 1;
    return times.map((time) => {
      const seq = String(this.#all.length + 1);
      this.#all.push({ seq, timestamp: String(time), receivedAt: this.#receivedAt } as OwnerReading);
      return seq;
    });
  }

  readonly page = (cursor: string | null) => {
    const from = Number(cursor ?? 0);
    const sorted = this.#all.toSorted(
      (a, b) => Number(b.timestamp) - Number(a.timestamp) || Number(b.seq) - Number(a.seq),
    );
    const readings = sorted.slice(from, from + PAGE);
    const next = readings.length < PAGE ? null : String(from + PAGE);
    return Promise.resolve({ readings, next, total: cursor === null ? sorted.length : null });
  };
}

const seqs = (readings: readonly OwnerReading[]) => readings.map(({ seq }) => seq);

it('a reading is reported once, whatever its timestamp; earlier readings are not', async () => {
  const times = fc.array(fc.nat(50), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(times, fc.array(times, { maxLength: 6 }), async (before, looks) => {
      const device = new Readings();
      device.store(...before);
      const arrivals = new Arrivals(device.page);
      await arrivals.begin();
      for (const look of looks) {
        const stored = device.store(...look);
        expect(seqs(await arrivals.next()).toSorted()).toEqual(stored.toSorted());
      }
    }),
  );
});

it('a reading that was found another way is not reported again', async () => {
  const device = new Readings();
  device.store(10, 20, 30, 40);
  const arrivals = new Arrivals(device.page);
  expect(seqs(await arrivals.begin())).toEqual(['2', '3', '4']);
  device.store(50, 5);
  arrivals.add((await device.page(null)).readings);
  expect(seqs(await arrivals.next())).toEqual(['6']);
});
