import { useEffect, useMemo, useRef, useState } from 'react';
import type { DeviceDetail, Output, OwnerReading } from '../../../../shared/owner-api.ts';
import { getApi } from '../../../api/client.ts';
import type { OpenRangeProgress } from '../opening/open-range.ts';
import { useOpened, useOpeningKeys } from '../opening/opened.ts';
import { BATCH } from '../opening/opened-store.ts';
import { pageOpener } from '../opening/page-opener.ts';
import { type VersionCount, VersionCounter } from './version-counts.ts';

/** Once all readings were seen no value is overturned any more; the third try is for those that come in meanwhile. */
const TRIES = 3;

type Run =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress: OpenRangeProgress }
  | { readonly state: 'done'; readonly counts: readonly VersionCount[]; readonly total: number }
  | { readonly state: 'failed'; readonly error: unknown };

/** How many readings each key version opens: of the latest ones at once, of all of them when the owner asks. */
export function useVersionCounts(device: DeviceDetail, latest: readonly OwnerReading[]) {
  const opened = useOpened(device, latest);
  const keys = useOpeningKeys();
  const [run, setRun] = useState<Run>({ state: 'idle' });
  const controller = useRef<AbortController | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was counted with other keys holds no more
  useEffect(
    () => () => {
      controller.current?.abort();
      setRun({ state: 'idle' });
    },
    [keys, device.id],
  );

  const ofLatest = useMemo(() => {
    const counter = new VersionCounter();
    for (const reading of latest) counter.add(reading, opened.of(reading.seq));
    return counter.counts();
  }, [latest, opened]);

  /** Resolves to null where it was cancelled or failed, which `run` tells. */
  const countAll = (): Promise<readonly VersionCount[] | null> => {
    const aborting = new AbortController();
    controller.current = aborting;
    setRun({ state: 'running', progress: { done: 0, total: 0 } });
    const isCurrent = () => controller.current === aborting && !aborting.signal.aborted;
    return countEvery(device, aborting.signal, (progress) => {
      if (isCurrent()) setRun({ state: 'running', progress });
    }).then(
      ({ counts, total }) => {
        if (!isCurrent()) return null;
        setRun({ state: 'done', counts, total });
        return counts;
      },
      (error: unknown) => {
        if (isCurrent()) setRun({ state: 'failed', error });
        return null;
      },
    );
  };
  const cancel = (): void => {
    controller.current?.abort();
    setRun({ state: 'idle' });
  };
  return { run, counts: run.state === 'done' ? run.counts : ofLatest, countAll, cancel };
}

/** Opens every reading of a device, page by page, and keeps the counts alone. */
async function countEvery(
  device: DeviceDetail,
  signal: AbortSignal,
  onProgress: (progress: OpenRangeProgress) => void,
): Promise<{ counts: readonly VersionCount[]; total: number }> {
  const open = pageOpener(device);
  for (let left = TRIES; ; left--) {
    const counter = new VersionCounter();
    let isOverturned = false;
    let cursor: string | null = null;
    let done = 0;
    let total = 0;
    do {
      const page: Output<'readingsPage'> = await getApi().call('readingsPage', {
        id: device.id,
        from: null,
        to: null,
        cursor,
        limit: BATCH,
      });
      signal.throwIfAborted();
      const opened = await open(page.readings, signal);
      isOverturned ||= done > 0 && opened.isOverturned;
      for (const reading of page.readings) counter.add(reading, opened.openedOf(reading.seq));
      done += page.readings.length;
      total = Math.max(page.total ?? total, done);
      onProgress({ done, total });
      cursor = page.next;
    } while (cursor !== null);
    if (!isOverturned || left === 1) return { counts: counter.counts(), total };
  }
}
