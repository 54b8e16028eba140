import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { isClockUnset } from '../../common/device-clock.ts';
import type { StoredReading } from '../../common/node-events.ts';
import { storedReading } from '../../intake/stored-reading.ts';
import { HOUR_MS } from '../../store/counts.ts';
import type { MergedReading, StoresView } from '../../store/stores-view.ts';
import { LATEST } from './bridged-device.ts';

/** The time to search for a field that the latest readings lack, such as a pH that is entered by hand: a month. */
const LOOK_BACK_HOURS = 31 * 24;

/** Returns the readings that show the state of a device, oldest first. Sealed fields have only their names. */
export async function readPast(stores: StoresView, id: string): Promise<StoredReading[]> {
  const latest = await stores.latest(id, 'received', LATEST);
  const readings = new Map(latest.map((reading) => [reading.seq, reading]));
  if (!isClockUnset(latest)) {
    for (const reading of await olderOf(stores, id, latest)) readings.set(reading.seq, reading);
  }
  return [...readings.values()]
    .sort((a, b) => a.receivedAt - b.receivedAt || (a.seq < b.seq ? -1 : 1))
    .map((reading) => storedReading(id, reading));
}

async function olderOf(
  stores: StoresView,
  id: string,
  latest: readonly MergedReading[],
): Promise<readonly MergedReading[]> {
  const missing = FIELD_NAMES.filter((field) => latest.every(({ fields }) => fields[field] === null));
  const newest = latest[0];
  if (newest === undefined || missing.length === 0) return [];
  const toHour = Math.floor(newest.receivedAt / HOUR_MS);
  const found: MergedReading[] = [];
  for (const field of missing) {
    const reading = await stores.newestWith(id, field, toHour - LOOK_BACK_HOURS, toHour);
    if (reading !== null) found.push(reading);
  }
  return found;
}
