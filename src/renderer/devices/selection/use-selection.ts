import { useMemo } from 'react';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { useNode } from '../../api/node-connection.ts';
import { useNow } from '../../now.ts';
import { useNewestNumbers } from '../../opening/opened.ts';
import { useLanguage } from '../../texts/language.ts';
import { usePreferences } from './preferences.ts';
import { type Selection, selectDevices } from './select-devices.ts';

/** The devices to list by the owner's search, sort and filters. */
export function useSelection(devices: readonly DeviceSummary[]): Selection {
  const node = useNode();
  const preferences = usePreferences();
  const language = useLanguage();
  // Only filtering or sorting by status depends on the time, and a few seconds do not matter.
  const timed = preferences.status !== 'all' || preferences.sort === 'status';
  const now = useNow(timed ? 2000 : 60_000);
  const numberOf = useNewestNumbers(devices, FIELD_NAMES.find((field) => field === preferences.sort) ?? null);
  return useMemo(
    () => selectDevices(devices, preferences, node.lastKnown(now), language, numberOf),
    [node, devices, preferences, now, language, numberOf],
  );
}
