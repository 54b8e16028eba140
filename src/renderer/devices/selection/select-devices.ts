import type { FieldScale } from '../../../shared/measures/field-scale.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { type DeviceStatus, deviceStatus, storesOf } from '../../../shared/wellness/status.ts';
import { nameOf } from '../names.ts';
import { DEFAULT_PREFERENCES, type ListPreferences } from './preferences.ts';

/** The devices to list, in order, and the numbers of hidden ones. */
export interface Selection<Device extends DeviceSummary = DeviceSummary> {
  readonly mine: readonly Device[];
  /** Devices of the public endpoint that claim to be the owner's. */
  readonly claimed: readonly Device[];
  /** Devices of other owners that post to the public endpoint. */
  readonly others: readonly Device[];
  /** The numbers of devices that the search and the filters hide. */
  readonly hiddenMine: number;
  readonly hiddenOthers: number;
}

const STATUS_ORDER: Readonly<Record<DeviceStatus, number>> = {
  silent: 0,
  waiting: 1,
  online: 2,
  inactive: 3,
  lost: 4,
  foreign: 5,
};

/** Returns the text in lower case without accents, so that "agua" finds "Água". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function matches(device: DeviceSummary, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = plain(
    [
      nameOf(device),
      device.name,
      device.id,
      device.mac,
      // The MAC address with colons, as on labels and in routers.
      (device.mac.match(/../g) ?? []).join(':'),
      device.ownerName ?? '',
      device.ownerPubkey,
      device.hardware.model ?? '',
    ].join('\n'),
  );
  return words.every((word) => text.includes(word));
}

function passes(device: DeviceSummary, preferences: ListPreferences, now: number): boolean {
  if (preferences.store !== 'all' && storesOf(device) !== preferences.store) return false;
  if (preferences.status === 'all') return true;
  const status = deviceStatus(device, now);
  if (preferences.status === 'off') return status === 'inactive' || status === 'lost';
  if (preferences.status === 'silent') return status === 'silent' || status === 'waiting';
  return status === preferences.status;
}

/** Returns the newest number of a field for sorting; null if the page shows no number. */
export type NumberOf<Device extends DeviceSummary = DeviceSummary> = (
  device: Device,
  field: FieldName,
) => number | null;

/** Larger than any distance to the water, in any unit. */
const BELOW_LEVELS = 1e9;

/**
 * Returns the number to sort a value by, as it is displayed. A column may mix levels of some tanks and distances to the
 * water of others. Then more water comes after less in both groups, and all levels come after all distances, as the two
 * can't be compared.
 */
export function sortNumber(scale: FieldScale, sent: number, isMixed: boolean): number {
  if (isMixed) return scale.label === 'waterDistance' ? -BELOW_LEVELS - sent : scale.toShown(sent);
  return scale.isReversed ? scale.toShown(sent) : sent;
}

const plainNumber: NumberOf = (device, field) => {
  const value = device.newest[field]?.value;
  return typeof value === 'number' ? value : null;
};

/** Returns the value to sort a device by. null comes last in both directions. */
function sortValue<Device extends DeviceSummary>(
  device: Device,
  sort: Exclude<ListPreferences['sort'], 'name'>,
  now: number,
  numberOf: NumberOf<Device>,
): number | null {
  switch (sort) {
    case 'lastReading':
      return device.lastReceivedAt;
    case 'status':
      return STATUS_ORDER[deviceStatus(device, now)];
    case 'added':
      return Math.min(...device.stores.map((store) => store.createdAt));
    default:
      return numberOf(device, sort satisfies FieldName);
  }
}

/**
 * Searches, filters and sorts. `knownOf` returns the time up to which a device's silence is known, in Unix milliseconds
 * of its node's clock. `locale` is a BCP 47 tag for sorting names.
 */
export function selectDevices<Device extends DeviceSummary>(
  devices: readonly Device[],
  preferences: ListPreferences,
  knownOf: (device: Device) => number,
  locale: string,
  numberOf: NumberOf<Device> = plainNumber,
): Selection<Device> {
  const words = plain(preferences.search).split(/\s+/).filter(Boolean);
  const shown = devices.filter((device) => passes(device, preferences, knownOf(device)) && matches(device, words));
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const direction = preferences.descending ? -1 : 1;
  const { sort } = preferences;
  const sorted = shown
    .map((device) => ({
      device,
      name: nameOf(device),
      value: sort === 'name' ? null : sortValue(device, sort, knownOf(device), numberOf),
    }))
    .sort((a, b) => {
      const byName =
        collator.compare(a.name, b.name) || (a.device.id < b.device.id ? -1 : a.device.id > b.device.id ? 1 : 0);
      if (sort === 'name') return byName * direction;
      if (a.value === null || b.value === null) {
        return a.value === b.value ? byName : a.value === null ? 1 : -1;
      }
      return (a.value - b.value) * direction || byName;
    })
    .map(({ device }) => device);
  const mine = sorted.filter((device) => device.mine);
  const claimed = sorted.filter((device) => device.claimed);
  const others = sorted.filter((device) => !device.mine && !device.claimed);
  const allMine = devices.filter((device) => device.mine).length;
  const hiddenMine = allMine - mine.length;
  return { mine, claimed, others, hiddenMine, hiddenOthers: devices.length - sorted.length - hiddenMine };
}

/** Returns whether a search or filter is set that may hide devices. */
export function isNarrowed(preferences: ListPreferences): boolean {
  return preferences.search.trim() !== '' || preferences.status !== 'all' || preferences.store !== 'all';
}

/** The preferences that show all devices. */
export const SHOW_ALL: Partial<ListPreferences> = {
  search: DEFAULT_PREFERENCES.search,
  status: DEFAULT_PREFERENCES.status,
  store: DEFAULT_PREFERENCES.store,
};
