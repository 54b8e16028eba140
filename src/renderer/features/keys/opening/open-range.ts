import type { Output, OwnerApi, OwnerReading } from '../../../../shared/owner-api.ts';
import type { KeyDevice } from '../session/types.ts';
import { BATCH, type OpenedStore, sealedFields } from './opened-store.ts';

/** What to open: a stretch of a device's readings, both times inclusive on the axis of its charts. */
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

/** What is opened is shown as it comes, but drawing a long series takes its time: the longer, the rarer. */
const SHOWN_EVERY_MS = 500;
const READINGS_PER_MS = 50;

/** When a reading stands on an axis, Unix milliseconds. */
export function axisTime(reading: Pick<OwnerReading, 'timestamp' | 'receivedAt'>, axis: OpenRangeTask['axis']): number {
  return axis === 'timestamp' ? Number(reading.timestamp) : reading.receivedAt;
}

/**
 * Opens the sealed values of a stretch page by page into the device's series; the next page is fetched while one is
 * opened. Readings that are open already are not opened again. Rejects with an ApiError, KeySessionError (`locked`), or
 * the signal's reason, between two pages; what was opened until then stays.
 */
export async function openRange(
  { device, axis, from, to }: OpenRangeTask,
  store: OpenedStore,
  api: Pick<OwnerApi, 'call'>,
  signal: AbortSignal,
  onProgress: (progress: OpenRangeProgress) => void,
): Promise<void> {
  const fetchPage = (cursor: string | null) =>
    api.call('readingsPage', { id: device.id, from, to, cursor, limit: BATCH });
  let done = 0;
  let shownAt = performance.now();
  let total = 0;
  let coming: Promise<Output<'readingsPage'>> | null = fetchPage(null);
  try {
    while (coming !== null) {
      const page: Output<'readingsPage'> = await coming;
      signal.throwIfAborted();
      coming = page.next === null ? null : fetchPage(page.next);
      // A failure is told when its turn comes, not as one that nobody waits for.
      coming?.catch(() => {});
      const series = store.series(device.id, axis);
      const wanted = page.readings.filter(
        (reading) =>
          sealedFields(reading.fields).length > 0 &&
          !series.has(reading.seq, axisTime(reading, axis), reading.receivedAt),
      );
      if (wanted.length > 0) {
        await store.openNow(device, wanted, ({ readings }) => {
          for (const [index, reading] of wanted.entries()) {
            const { seq, receivedAt } = reading;
            store.series(device.id, axis).put(seq, axisTime(reading, axis), receivedAt, readings[index]!.fields);
          }
        });
      }
      if (performance.now() - shownAt > SHOWN_EVERY_MS + series.size / READINGS_PER_MS) {
        store.touch(device.id);
        shownAt = performance.now();
      }
      signal.throwIfAborted();
      done += page.readings.length;
      total = page.total ?? total;
      onProgress({ done, total: Math.max(done, total) });
    }
  } finally {
    store.touch(device.id);
  }
}
