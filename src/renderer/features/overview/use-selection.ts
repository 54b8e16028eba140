import { useMemo } from 'react';
import type { DeviceSummary } from '../../../shared/owner-api.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { lastKnown, useNow } from '../../now.ts';
import { useNewestNumbers } from '../keys/opening/opened.ts';
import { usePreferences } from './preferences.ts';
import { type Selection, selectDevices } from './select-devices.ts';

/** The devices to list by the owner's search, sort and filters. */
export function useSelection(devices: readonly DeviceSummary[]): Selection {
  const preferences = usePreferences();
  const { language } = useTranslation('app');
  // Only a filter or order by status depends on the time, and silence is told in steps of seconds.
  const timed = preferences.status !== 'all' || preferences.sort === 'status';
  const now = useNow(timed ? 2000 : 60_000);
  const numberOf = useNewestNumbers(devices, FIELD_NAMES.find((field) => field === preferences.sort) ?? null);
  return useMemo(
    () => selectDevices(devices, preferences, lastKnown(now), language, numberOf),
    [devices, preferences, now, language, numberOf],
  );
}
