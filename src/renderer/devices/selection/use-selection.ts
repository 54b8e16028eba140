import { useCallback, useMemo } from 'react';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { type NodeConnection, useNode } from '../../api/node-connection.ts';
import { useOwnerChoices } from '../../api/queries/choices.ts';
import { useNow } from '../../now.ts';
import { useNewestNumbers } from '../../opening/opened.ts';
import { useLanguage } from '../../texts/language.ts';
import { inGroups } from '../groups/groups.ts';
import { useScalesOf, useSharedLabels } from '../use-scales.ts';
import { isFieldSort, type ListPreferences, usePreferences } from './preferences.ts';
import { type NumberOf, type Selection, SHOW_ALL, selectDevices, sortNumber } from './select-devices.ts';

/** A device, and its node if that is not the shown one. */
type OfNode = DeviceSummary & { readonly node?: NodeConnection };

/** Returns the devices to list, by the owner's search, order and filters. */
export function useSelection<Device extends OfNode>(devices: readonly Device[]): Selection<Device> {
  return useSelectionBy(devices, usePreferences());
}

/**
 * Returns all devices in the order of the lists: by group, and inside of a group in the owner's order. Ignores the
 * search and filters.
 */
export function useInOrder<Device extends OfNode>(devices: readonly Device[]): readonly Device[] {
  const preferences = usePreferences();
  const everything = useMemo(() => ({ ...preferences, ...SHOW_ALL }), [preferences]);
  const { mine, claimed, others } = useSelectionBy(devices, everything);
  const { groups } = useOwnerChoices();
  return useMemo(
    () => [...inGroups(groups, mine).flatMap((section) => section.devices), ...claimed, ...others],
    [groups, mine, claimed, others],
  );
}

function useSelectionBy<Device extends OfNode>(
  devices: readonly Device[],
  preferences: ListPreferences,
): Selection<Device> {
  const node = useNode();
  const language = useLanguage();
  // Only filtering or sorting by status depends on the time, and a few seconds do not matter.
  const timed = preferences.status !== 'all' || preferences.sort === 'status';
  const now = useNow(timed ? 2000 : 60_000);
  const newestOf = useNewestNumbers(devices, isFieldSort(preferences.sort));
  const scalesOf = useScalesOf();
  const labelOf = useSharedLabels(devices);
  const numberOf = useCallback<NumberOf<Device>>(
    (device, field) => {
      const sent = newestOf(device, field);
      return sent === null ? null : sortNumber(scalesOf(device)[field], sent, labelOf(field) === 'waterAny');
    },
    [newestOf, scalesOf, labelOf],
  );
  return useMemo(
    () => selectDevices(devices, preferences, (device) => (device.node ?? node).lastKnown(now), language, numberOf),
    [node, devices, preferences, now, language, numberOf],
  );
}
