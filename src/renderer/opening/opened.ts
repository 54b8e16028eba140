import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { correctedValue } from '../../shared/measures/correction.ts';
import { type AnyField, type DerivedBy, isDerived, sourcesOf } from '../../shared/measures/derived.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import type { OwnerReading } from '../../shared/owner-api/readings.ts';
import { FIELD_NAMES, type FieldName, perFieldName } from '../../shared/protocol/fields.ts';
import { type NodeConnection, useNode } from '../api/node-connection.ts';
import { type ShownValue, shownDerived, shownNumber, shownValue } from '../format/values.ts';
import type { KeyDevice, SealedReading } from '../keys/types.ts';
import { useDerivedBy, useDerivedByOf } from './derived.ts';
import type { OpenedLookup, OpenedStore } from './opened-store.ts';
import { openingOf, useOpening } from './opening.ts';
import { openedSparkline } from './sparklines/sparkline-means.ts';

/** Returns an identifier of the keys that open values, to detect a change; null while they are locked. */
export function useOpeningKeys(): string | null {
  const opening = useOpening();
  return useSyncExternalStore(opening.onKeysChange, opening.keys);
}

/** Returns the opened values of a device, updated as they change. */
export function useOpenedLookup(deviceId: string): OpenedLookup {
  const { store } = useOpening();
  return useSyncExternalStore(store.subscribe, () => store.lookup(deviceId));
}

/** Requests values to be opened. If that fails, they stay sealed until the next readings request them again. */
function request(store: OpenedStore, device: KeyDevice, readings: readonly SealedReading[]): void {
  store.request(device, readings).catch(() => {});
}

/** Returns the opened values of these readings as they become available; none while the keys are locked. */
export function useOpened({ id, ownerPubkey }: KeyDevice, readings: readonly OwnerReading[]): OpenedLookup {
  const { store } = useOpening();
  const openingKeys = useOpeningKeys();
  const opened = useOpenedLookup(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (openingKeys !== null) request(store, { id, ownerPubkey }, readings);
  }, [store, openingKeys, id, ownerPubkey, readings, opened]);
  return opened;
}

/** Returns the readings with the newest sealed values of a device. */
export function newestSealed(newest: DeviceSummary['newest']): SealedReading[] {
  const readings = new Map<string, SealedReading>();
  for (const field of FIELD_NAMES) {
    const value = newest[field];
    if (value === null || typeof value.value === 'number') continue;
    const { seq, keyVersion, receivedAt } = value;
    const reading = readings.get(seq) ?? { seq, keyVersion, receivedAt, fields: noFields() };
    readings.set(seq, { ...reading, fields: { ...reading.fields, [field]: value.value } });
  }
  return [...readings.values()];
}

function noFields(): SealedReading['fields'] {
  return perFieldName(() => null);
}

/** Returns the displayed newest value of a measured field. */
export function newestShown(
  { newest, corrections }: Pick<DeviceSummary, 'newest' | 'corrections'>,
  field: FieldName,
  opened: OpenedLookup,
): ShownValue {
  const value = newest[field];
  if (value === null) return { kind: 'absent' };
  const time = value.measuredAt ?? value.receivedAt;
  return shownValue(value.value, value.keyVersion, opened.of(value.seq)?.[field], (sent) =>
    correctedValue(corrections, field, time, sent),
  );
}

/**
 * Returns the displayed newest value of any field. A derived value needs its sources in one reading; otherwise it is
 * absent.
 */
function newestAny(
  device: Pick<DeviceSummary, 'newest' | 'corrections'>,
  field: AnyField,
  opened: OpenedLookup,
  by: DerivedBy,
): ShownValue {
  if (!isDerived(field)) return newestShown(device, field, opened);
  const readings = new Set(sourcesOf(field).map((source) => device.newest[source]?.seq));
  if (readings.size > 1) return { kind: 'absent' };
  return shownDerived(field, (source) => newestShown(device, source, opened), by);
}

/** Opens the newest values of a device. Returns a function for the displayed value of a field. */
export function useNewest({
  id,
  ownerPubkey,
  newest,
  corrections,
  notes,
}: Pick<DeviceSummary, 'id' | 'ownerPubkey' | 'newest' | 'corrections' | 'notes'>) {
  const { store } = useOpening();
  const openingKeys = useOpeningKeys();
  const opened = useOpenedLookup(id);
  const by = useDerivedBy({ id, notes });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (openingKeys !== null) request(store, { id, ownerPubkey }, newestSealed(newest));
  }, [store, openingKeys, id, ownerPubkey, newest, opened]);
  return useMemo(
    () => (field: AnyField) => newestAny({ newest, corrections }, field, opened, by),
    [newest, corrections, opened, by],
  );
}

/**
 * Returns a function for the newest number of a field of several devices, plain or opened. Sealed values are opened if
 * `isWanted`. A leaf's VPD is only of devices at the shown node, whose leaf offsets are known.
 */
export function useNewestNumbers(devices: readonly OfNode[], isWanted: boolean) {
  const node = useNode();
  const byOf = useDerivedByOf();
  const openingKeys = useOpeningKeys();
  const isOpening = isWanted && openingKeys !== null;
  const changes = useStoreChanges(devices, isOpening);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (!isOpening) return;
    for (const device of devices) {
      request(openingOf(device.node ?? node).store, device, newestSealed(device.newest));
    }
  }, [node, isOpening, devices, changes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tells that another order may be right
  return useCallback(
    ({ node: of = node, ...device }: OfNode, field: AnyField) =>
      shownNumber(newestAny(device, field, openingOf(of).store.lookup(device.id), byOf(device))),
    [node, byOf, changes],
  );
}

/** A device, and its node if that is not the shown one. */
type OfNode = DeviceSummary & { readonly node?: NodeConnection };

/** Returns a counter of the opened values at the nodes of these devices; 0 if `isOpening` is false. */
export function useStoreChanges(devices: readonly { readonly node?: NodeConnection }[], isOpening: boolean): number {
  const node = useNode();
  const stores = useMemo(
    () => [...new Set(devices.map((device) => device.node ?? node))].map((each) => openingOf(each).store),
    [devices, node],
  );
  const subscribe = useCallback(
    (callback: () => void) => {
      const ends = stores.map((store) => store.subscribe(callback));
      return () => {
        for (const end of ends) end();
      };
    },
    [stores],
  );
  return useSyncExternalStore(subscribe, () =>
    isOpening ? stores.reduce((sum, store) => sum + store.changes(), 0) : 0,
  );
}

/** Returns the sparklines of a device, including opened values of its last day. */
export function useOpenedSparkline(device: DeviceSummary): DeviceSummary['sparkline']['values'] {
  const { clock } = useNode();
  const { store, sparklines } = useOpening();
  const openingKeys = useOpeningKeys();
  const opened = useOpenedLookup(device.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (openingKeys !== null) sparklines.want(device, clock.now());
  }, [clock, sparklines, openingKeys, device, opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `opened` tells that the series has changed
  return useMemo(() => {
    if (openingKeys === null) return device.sparkline.values;
    const axis = device.clockNotSet ? 'received' : 'timestamp';
    return openedSparkline(device.sparkline, store.series(device.id, axis), device.corrections);
  }, [store, openingKeys, opened, device]);
}
