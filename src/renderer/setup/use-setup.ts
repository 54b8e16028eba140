import { useMemo } from 'react';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import type { OwnerChoices } from '../../shared/owner-data/choices.ts';
import type { SetupStep } from '../../shared/owner-data/limits.ts';
import { useRangesOf } from '../alerts/rules/use-ranges.ts';
import { useAlertChannels, useAlertRules } from '../api/queries/alerts.ts';
import { useKnownChoices } from '../api/queries/choices.ts';
import { useOverview } from '../api/queries/overview.ts';
import { useSettings } from '../api/queries/settings.ts';
import { isCropSaid, isPlaced, stepsLeft } from './setup-steps.ts';

/** The setup progress of this node. */
export interface Setup {
  readonly left: readonly SetupStep[];
  readonly choices: OwnerChoices;
  readonly devices: readonly DeviceSummary[];
  /** The devices that the owner has neither named nor put in a group. */
  readonly unplaced: readonly DeviceSummary[];
  /** The devices for which the owner has not chosen what to watch. */
  readonly unasked: readonly DeviceSummary[];
}

/** Returns the setup progress of the node; undefined until it is loaded. Only for owners. */
export function useSetup(): Setup | undefined {
  const overview = useOverview().data;
  const choices = useKnownChoices();
  const channels = useAlertChannels().data;
  const settings = useSettings().data?.settings;
  const areRulesKnown = useAlertRules().data !== undefined;
  const rangesOf = useRangesOf();
  return useMemo(() => {
    if (overview === undefined || choices === undefined || channels === undefined || settings === undefined) return;
    if (!areRulesKnown) return;
    const devices = overview.devices.filter(
      ({ id, mine, notes }) => mine && notes.status === 0 && !overview.demoDevices.includes(id),
    );
    const backupFolder = settings.backupFolder.value;
    return {
      left: stepsLeft({ devices, choices, rangesOf, channels, backupFolder }),
      ...{ choices, devices },
      unplaced: devices.filter((device) => !isPlaced(device, choices.groups)),
      unasked: devices.filter((device) => !isCropSaid(device, { choices, rangesOf })),
    };
  }, [overview, choices, channels, settings, areRulesKnown, rangesOf]);
}
