import { useEffect, useMemo, useRef, useState } from 'react';
import type { DeviceDetail } from '../../../../shared/owner-api.ts';
import { getApi } from '../../../api/client.ts';
import { errorCode } from '../../../api/errors.ts';
import type { RangedHistory } from '../../../api/queries.ts';
import { mergeOpened, type OpenedHistory } from './merge-opened.ts';
import { type OpenRangeProgress, openRange } from './open-range.ts';
import { openedStore, releaseDevice, useOpenedLookup, useOpeningKeys } from './opened.ts';

/** More readings than this are opened only when the owner asks: at some 150 ms for 500 it takes seconds. */
const OPENED_UNASKED = 20_000;

/** How far the charts' values are opened. */
export type Opening =
  /** Nothing is sealed, or the keys are locked, or all was tried. */
  | { readonly state: 'idle' }
  /** Many: the owner is asked first. */
  | { readonly state: 'waiting'; readonly readings: number }
  | { readonly state: 'running'; readonly progress: OpenRangeProgress | null }
  | { readonly state: 'stopped'; readonly readings: number }
  | { readonly state: 'failed'; readonly code: string };

type Run =
  | { readonly state: 'idle' | 'stopped' }
  | { readonly state: 'running'; readonly progress: OpenRangeProgress | null }
  | { readonly state: 'failed'; readonly code: string };

const IDLE: Run = { state: 'idle' };

/**
 * Opens what is sealed of a history, page by page, and gives the history with the opened values in it, more with every
 * page. `choice` changes when the owner looks at something else: then a run ends and what was cancelled counts no more;
 * until the history of the new choice is there (`isPlaceholder`), none begins.
 */
export function useOpenedHistory(
  device: Pick<DeviceDetail, 'id' | 'ownerPubkey'> | undefined,
  history: RangedHistory | undefined,
  isPlaceholder: boolean,
  choice: unknown,
): { history: OpenedHistory | undefined; opening: Opening; start: () => void; stop: () => void } {
  const keys = useOpeningKeys();
  const id = device?.id ?? '';
  const ownerPubkey = device?.ownerPubkey ?? '';
  const opened = useOpenedLookup(id);
  const [run, setRun] = useState<Run>(IDLE);
  const [isAllowed, setAllowed] = useState(false);
  const controller = useRef<AbortController | null>(null);
  /** The history whose missing values were all asked for: what is still missing then is not to be had. */
  const tried = useRef<{ history: RangedHistory; keys: string } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `opened` tells that the series has changed
  const merged = useMemo(() => {
    if (history === undefined) return undefined;
    return mergeOpened(history, history.range, openedStore.series(id, history.axis));
  }, [history, id, opened, keys]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new choice, another device or other keys end the run
  useEffect(
    () => () => {
      controller.current?.abort();
      controller.current = null;
      setRun(IDLE);
      setAllowed(false);
    },
    [choice, id, keys],
  );

  useEffect(() => () => releaseDevice(id), [id]);

  const missing = keys === null ? null : (merged?.missing ?? null);
  const isTried = tried.current !== null && tried.current.history === history && tried.current.keys === keys;
  const asks = missing !== null && !isAllowed && missing.readings > OPENED_UNASKED;

  useEffect(() => {
    if (missing === null || keys === null || history === undefined || isPlaceholder) return;
    if (isTried || asks || run.state !== 'idle') return;
    const aborting = new AbortController();
    controller.current = aborting;
    const task = { device: { id, ownerPubkey }, axis: history.axis, from: missing.from, to: missing.to };
    setRun({ state: 'running', progress: null });
    const isCurrent = () => controller.current === aborting;
    openRange(task, openedStore, getApi(), aborting.signal, (progress) => {
      if (isCurrent()) setRun({ state: 'running', progress });
    }).then(
      () => {
        if (!isCurrent()) return;
        tried.current = { history, keys };
        setRun(IDLE);
      },
      (error: unknown) => {
        if (isCurrent()) setRun({ state: 'failed', code: errorCode(error) });
      },
    );
  }, [missing, keys, history, isPlaceholder, isTried, asks, run.state, id, ownerPubkey]);

  return {
    history: merged?.history,
    opening: openingOf(run, isTried ? null : missing, asks),
    start: () => {
      setAllowed(true);
      setRun(IDLE);
    },
    stop: () => {
      controller.current?.abort();
      controller.current = null;
      setRun({ state: 'stopped' });
    },
  };
}

function openingOf(run: Run, missing: { readonly readings: number } | null, asks: boolean): Opening {
  if (run.state === 'running' || run.state === 'failed') return run;
  if (missing === null) return { state: 'idle' };
  if (run.state === 'stopped') return { state: 'stopped', readings: missing.readings };
  return asks ? { state: 'waiting', readings: missing.readings } : { state: 'idle' };
}
