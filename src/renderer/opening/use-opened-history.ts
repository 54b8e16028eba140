import { useEffect, useMemo, useRef, useState } from 'react';
import type { DeviceDetail } from '../../shared/owner-api/devices.ts';
import { errorCode } from '../api/errors.ts';
import { useNode } from '../api/node-connection.ts';
import type { RangedHistory } from '../api/queries/readings.ts';
import { useDerivedBy, withDerived } from './derived.ts';
import { mergeOpened, type OpenedHistory } from './merge-opened.ts';
import { type OpenRangeProgress, openRange } from './open-range.ts';
import { useOpenedLookup, useOpeningKeys } from './opened.ts';
import { useOpening } from './opening.ts';

/** More readings than this are opened only on request: 500 take about 150 ms. */
const OPENED_UNASKED = 20_000;

/** The state of opening the charts' values. */
export type Opening =
  /** There are no sealed values, the keys are locked, or everything was tried. */
  | { readonly state: 'idle' }
  /** There are many values, so the owner is asked first. */
  | { readonly state: 'waiting'; readonly readings: number }
  | { readonly state: 'running'; readonly progress: OpenRangeProgress | null }
  | { readonly state: 'stopped'; readonly readings: number }
  | { readonly state: 'failed'; readonly code: string };

type Run =
  | { readonly state: 'idle' | 'stopped' }
  | { readonly state: 'running'; readonly progress: OpenRangeProgress | null }
  | { readonly state: 'failed'; readonly code: string };

const NONE: readonly never[] = [];
const IDLE: Run = { state: 'idle' };

/**
 * Opens the sealed values of a history page by page and returns the history with the values opened so far. A new
 * `choice` (another range or device) ends a run and resets a cancellation. A run starts only after its history has
 * loaded (`isPlaceholder` is false). `isAsSent`: the history has the values as the device sent them.
 */
export function useOpenedHistory(
  device: Pick<DeviceDetail, 'id' | 'ownerPubkey' | 'corrections' | 'notes'> | undefined,
  history: RangedHistory | undefined,
  isPlaceholder: boolean,
  choice: unknown,
  isAsSent = false,
): { history: OpenedHistory | undefined; opening: Opening; start: () => void; stop: () => void } {
  const { api } = useNode();
  const openingOfNode = useOpening();
  const { store } = openingOfNode;
  const keys = useOpeningKeys();
  const id = device?.id ?? '';
  const ownerPubkey = device?.ownerPubkey ?? '';
  const opened = useOpenedLookup(id);
  const corrections = (isAsSent ? undefined : device?.corrections) ?? NONE;
  const [run, setRun] = useState<Run>(IDLE);
  const [isAllowed, setAllowed] = useState(false);
  const controller = useRef<AbortController | null>(null);
  /** The history whose missing values were all requested. Values that are still missing can't be opened. */
  const tried = useRef<{ history: RangedHistory; keys: string } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `opened` tells that the series has changed
  const merged = useMemo(() => {
    if (history === undefined) return undefined;
    return mergeOpened(history, history.range, store.series(id, history.axis), corrections);
  }, [store, history, id, opened, keys, corrections]);

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

  useEffect(() => {
    if (id === '') return;
    openingOfNode.hold(id);
    return () => openingOfNode.release(id);
  }, [openingOfNode, id]);

  // The history may be loaded before the device.
  const missing = keys === null || id === '' ? null : (merged?.missing ?? null);
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
    openRange(task, store, api, aborting.signal, (progress) => {
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
  }, [api, store, missing, keys, history, isPlaceholder, isTried, asks, run.state, id, ownerPubkey]);

  const by = useDerivedBy(device);
  const shown = useMemo(() => merged && withDerived(merged.history, by), [merged, by]);
  return {
    history: shown,
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
