import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { DeviceSummary, OwnerReading } from '../../../../shared/owner-api.ts';
import { FIELD_NAMES, type FieldName } from '../../../../shared/protocol/fields.ts';
import { getApi } from '../../../api/client.ts';
import { nodeNow } from '../../../now.ts';
import { type ShownValue, shownNumber, shownValue } from '../../../values.ts';
import { forgetNonces, openReadings } from '../session/opening.ts';
import { keySession } from '../session/page-keys.ts';
import type { KeyDevice, KeysView, SealedReading } from '../session/types.ts';
import { type OpenedLookup, OpenedStore } from './opened-store.ts';
import { SparklineLoader } from './sparkline-loader.ts';
import { openedSparkline } from './sparkline-means.ts';

/** Every opened value of this page. */
export const openedStore = new OpenedStore(openReadings);
const sparklines = new SparklineLoader(openedStore, getApi);

/** What the keys of a view are, in a text: labels and settings change nothing that is shown. */
function keysIn({ secrets, fieldKeys }: KeysView): string {
  const ofSecrets = secrets.flatMap(({ keys }) => keys.map(({ publicKey }) => publicKey));
  const kept = fieldKeys.map(({ deviceId, keyVersion, fingerprint }) => `${deviceId}/${keyVersion}/${fingerprint}`);
  return [...ofSecrets, ...kept].join(' ');
}

let keys: string | null = null;

function follow(): void {
  const view = keySession.view();
  const next = view === null ? null : keysIn(view);
  if (next === keys) return;
  keys = next;
  sparklines.reset();
  openedStore.reset();
}

keySession.onLock(() => {
  keys = null;
  sparklines.reset();
  openedStore.reset();
});
keySession.subscribe(follow);
follow();

/** Beyond so many readings, what is remembered of a device is dropped when its page is left. */
const MOST_REMEMBERED = 5000;

/**
 * Called when the page of a device is left: of a long range the worker remembers every nonce, some 1 kB a reading. The
 * values go with them, since copies of them could not be told any more; what other pages show is opened anew.
 */
export function releaseDevice(deviceId: string): void {
  if (openedStore.openedOf(deviceId) > MOST_REMEMBERED) dropDevice(deviceId);
}

/** Drops every opened value of a device, and what is remembered to tell copies of them: it was forgotten. */
export function dropDevice(deviceId: string): void {
  sparklines.forget(deviceId);
  openedStore.drop(deviceId);
  forgetNonces(deviceId).catch(() => {});
}

/** Names the keys that values are opened with, so that a change of them can be told; null while they are locked. */
export function useOpeningKeys(): string | null {
  return useSyncExternalStore(keySession.subscribe, () => keys);
}

/** What of a device was opened until now, and as it changes. */
export function useOpenedLookup(deviceId: string): OpenedLookup {
  return useSyncExternalStore(openedStore.subscribe, () => openedStore.lookup(deviceId));
}

/** Asks for values to be opened. What fails stays sealed, and is asked for again with the next readings. */
export function requestOpened(device: KeyDevice, readings: readonly SealedReading[]): void {
  openedStore.request(device, readings).catch(() => {});
}

/** The opened values of these readings, as they come; nothing while the keys are locked. */
export function useOpened({ id, ownerPubkey }: KeyDevice, readings: readonly OwnerReading[]): OpenedLookup {
  const openingKeys = useOpeningKeys();
  const opened = useOpenedLookup(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (openingKeys !== null) requestOpened({ id, ownerPubkey }, readings);
  }, [openingKeys, id, ownerPubkey, readings, opened]);
  return opened;
}

/** The newest values of a device that are sealed, as the readings that they stand in. */
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
  return { ph: null, ec: null, waterLevel: null, tempWater: null, tempAmbient: null, humidity: null };
}

/** What is shown of the newest value of a field. */
export function newestShown(newest: DeviceSummary['newest'], field: FieldName, opened: OpenedLookup): ShownValue {
  const value = newest[field];
  if (value === null) return { kind: 'absent' };
  return shownValue(value.value, value.keyVersion, opened.of(value.seq)?.[field]);
}

/** Opens the newest values of a device and tells what is shown of each field. */
export function useNewest({ id, ownerPubkey, newest }: Pick<DeviceSummary, 'id' | 'ownerPubkey' | 'newest'>) {
  const openingKeys = useOpeningKeys();
  const opened = useOpenedLookup(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (openingKeys !== null) requestOpened({ id, ownerPubkey }, newestSealed(newest));
  }, [openingKeys, id, ownerPubkey, newest, opened]);
  return useMemo(() => (field: FieldName) => newestShown(newest, field, opened), [newest, opened]);
}

/**
 * The newest number of a field, in plain or opened, for an order by it (`field`; null: by something else, and nothing is
 * opened for it).
 */
export function useNewestNumbers(devices: readonly DeviceSummary[], field: FieldName | null) {
  const openingKeys = useOpeningKeys();
  const isOpening = field !== null && openingKeys !== null;
  const changes = useSyncExternalStore(openedStore.subscribe, () => (isOpening ? openedStore.changes() : 0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (isOpening) for (const device of devices) requestOpened(device, newestSealed(device.newest));
  }, [isOpening, devices, changes]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tells that another order may be right
  return useCallback(
    ({ id, newest }: DeviceSummary, of: FieldName) => shownNumber(newestShown(newest, of, openedStore.lookup(id))),
    [changes],
  );
}

/** The sparklines of a device, with the opened values of its last day in them. */
export function useOpenedSparkline(device: DeviceSummary): DeviceSummary['sparkline']['values'] {
  const openingKeys = useOpeningKeys();
  const opened = useOpenedLookup(device.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dropped meanwhile is asked for again
  useEffect(() => {
    if (openingKeys !== null) sparklines.want(device, nodeNow());
  }, [openingKeys, device, opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `opened` tells that the series has changed
  return useMemo(() => {
    if (openingKeys === null) return device.sparkline.values;
    const axis = device.clockNotSet ? 'received' : 'timestamp';
    return openedSparkline(device.sparkline, openedStore.series(device.id, axis));
  }, [openingKeys, opened, device]);
}
