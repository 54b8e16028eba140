import { useEffect, useMemo, useRef, useState } from 'react';
import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { DeviceDetail } from '../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import { useNode } from '../api/node-connection.ts';
import { readingsPages } from '../api/queries/readings.ts';
import type { OpenRangeProgress } from '../opening/open-range.ts';
import { useOpened, useOpeningKeys } from '../opening/opened.ts';
import { BATCH, type OpenedStore } from '../opening/opened-store.ts';
import { useOpening } from '../opening/opening.ts';
import { pageOpener } from '../opening/page-opener.ts';
import { type VersionCount, VersionCounter } from './version-counts.ts';

/**
 * After all readings were seen once, no value can turn out to be a copy. The third try covers readings that arrive
 * meanwhile.
 */
const TRIES = 3;

type Run =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly progress: OpenRangeProgress }
  | { readonly state: 'done'; readonly counts: readonly VersionCount[]; readonly total: number }
  | { readonly state: 'failed'; readonly error: unknown };

/** Counts how many readings each key version opens: of the latest readings at once, of all when the owner asks. */
export function useVersionCounts(device: DeviceDetail, latest: readonly OwnerReading[]) {
  const { api } = useNode();
  const { store } = useOpening();
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

  /** Resolves with null if it was cancelled or failed; `run` says which. */
  const countAll = (): Promise<readonly VersionCount[] | null> => {
    const aborting = new AbortController();
    controller.current = aborting;
    setRun({ state: 'running', progress: { done: 0, total: 0 } });
    const isCurrent = () => controller.current === aborting && !aborting.signal.aborted;
    return countEvery(api, store, device, aborting.signal, (progress) => {
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

/** Opens all readings of a device page by page and keeps only the counts. */
async function countEvery(
  api: OwnerApi,
  store: OpenedStore,
  device: DeviceDetail,
  signal: AbortSignal,
  onProgress: (progress: OpenRangeProgress) => void,
): Promise<{ counts: readonly VersionCount[]; total: number }> {
  const open = pageOpener(store, device);
  for (let left = TRIES; ; left--) {
    const counter = new VersionCounter();
    let isOverturned = false;
    let done = 0;
    let total = 0;
    for await (const page of readingsPages(api, { id: device.id, from: null, to: null }, BATCH, signal)) {
      const opened = await open(page.readings, signal);
      isOverturned ||= done > 0 && opened.isOverturned;
      for (const reading of page.readings) counter.add(reading, opened.openedOf(reading.seq));
      done += page.readings.length;
      total = Math.max(page.total, done);
      onProgress({ done, total });
    }
    if (!isOverturned || left === 1) return { counts: counter.counts(), total };
  }
}
