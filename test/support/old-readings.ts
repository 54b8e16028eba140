import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { newReading } from './readings.ts';
import { storePath } from './store-file.ts';

const AT_ONCE = 5000;

/** Readings at equal intervals, received when they were measured. Times are Unix milliseconds. */
export interface OldReadings {
  readonly count: number;
  readonly first: number;
  readonly stepMs: number;
  /** Whether the device measured nothing at this time. */
  readonly isGap?: (time: number) => boolean;
}

/** Writes readings of a device into the private store of a stopped node, with or without the sums of their hours. */
export function writeOldReadings(
  dataDir: string,
  id: string,
  { count, first, stepMs, isGap = () => false }: OldReadings,
  areSummedUp = true,
): void {
  const writer = new DirectWriter(storePath(dataDir, 'local'));
  for (let from = 0; from < count; from += AT_ONCE) {
    const readings = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => {
      const place = from + index;
      const time = first + place * stepMs;
      const fields = [5 + (place % 13) / 10, 1200, 80, 20, 21, 60];
      return newReading(id, { seq: BigInt(place), timestamp: BigInt(time), receivedAt: time, fields });
    }).filter(({ receivedAt }) => !isGap(receivedAt));
    writer.append(readings);
  }
  if (areSummedUp) writer.sumUp();
  writer.close();
}
