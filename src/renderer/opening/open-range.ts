import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import { readingsPages } from '../api/queries/readings.ts';
import type { KeyDevice } from '../keys/types.ts';
import { BATCH, type OpenedStore, sealedFields } from './opened-store.ts';

/** The readings to open: a time range of a device's readings. Both times are inclusive, on the axis of its charts. */
export interface OpenRangeTask {
  readonly device: KeyDevice;
  readonly axis: 'timestamp' | 'received';
  readonly from: number | null;
  readonly to: number | null;
}

export interface OpenRangeProgress {
  readonly done: number;
  readonly total: number;
}

/** How often newly opened values are shown. A long series is slow to draw, so it is drawn less often. */
const SHOWN_EVERY_MS = 500;
const READINGS_PER_MS = 50;

/** Returns the time of a reading on an axis, in Unix milliseconds. */
export function axisTime(reading: Pick<OwnerReading, 'timestamp' | 'receivedAt'>, axis: OpenRangeTask['axis']): number {
  return axis === 'timestamp' ? Number(reading.timestamp) : reading.receivedAt;
}

/**
 * Opens the sealed values of a range into the device's series, page by page, the newest first. The next page is fetched
 * while one is opened. Readings that are already open are skipped. Rejects with an ApiError, KeySessionError
 * (`locked`), or the signal's reason. Values that were opened by then are kept.
 */
export async function openRange(
  { device, axis, from, to }: OpenRangeTask,
  store: OpenedStore,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: OpenRangeProgress) => void,
): Promise<void> {
  const pages = readingsPages(api, { id: device.id, from, to, order: 'descending' }, BATCH, signal);
  let done = 0;
  let shownAt = performance.now();
  try {
    for await (const { readings, total } of pages) {
      const series = store.series(device.id, axis);
      const wanted = readings.filter(
        (reading) =>
          sealedFields(reading.fields).length > 0 &&
          !series.has(reading.seq, axisTime(reading, axis), reading.receivedAt),
      );
      if (wanted.length > 0) {
        await store.openNow(device, wanted, (opened) => {
          for (const [index, reading] of wanted.entries()) {
            const { seq, receivedAt } = reading;
            store.series(device.id, axis).put(seq, axisTime(reading, axis), receivedAt, opened.readings[index]!.fields);
          }
        });
      }
      if (performance.now() - shownAt > SHOWN_EVERY_MS + series.size / READINGS_PER_MS) {
        store.touch(device.id);
        shownAt = performance.now();
      }
      signal.throwIfAborted();
      done += readings.length;
      onProgress({ done, total: Math.max(done, total) });
    }
  } finally {
    store.touch(device.id);
  }
}
