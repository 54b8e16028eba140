import type { RangeRule } from '../../shared/alerts/rule.ts';
import type { ChannelState } from '../../shared/owner-api/alerts.ts';
import type { DeviceSummary } from '../../shared/owner-api/devices.ts';
import type { OwnerChoices } from '../../shared/owner-data/choices.ts';
import { SETUP_STEPS, type SetupStep } from '../../shared/owner-data/limits.ts';

type Device = Pick<DeviceSummary, 'id' | 'mine' | 'notes'>;

/** The facts that decide which steps are done. */
export interface SetupFacts {
  /** The owner's devices in use, without the demo devices. */
  readonly devices: readonly Device[];
  readonly choices: Pick<OwnerChoices, 'groups' | 'setup'>;
  /** Returns the ranges that watch a device. */
  readonly rangesOf: (device: Device) => readonly RangeRule[];
  readonly channels: readonly Pick<ChannelState, 'channel' | 'lastSuccessAt'>[];
  readonly backupFolder: string | null;
}

/** Returns whether the owner has named a device or put it in a group. */
export function isPlaced({ id, notes }: Device, groups: OwnerChoices['groups']): boolean {
  return notes.displayName !== null || groups.some(({ devices }) => devices.includes(id));
}

/** Returns whether the owner has chosen ranges for a device, or chosen not to watch it. */
export function isCropSaid(device: Device, { choices, rangesOf }: Pick<SetupFacts, 'choices' | 'rangesOf'>): boolean {
  return choices.setup.unwatched.includes(device.id) || rangesOf(device).length > 0;
}

/** Returns the steps that are not done, in order. The card of a device that joins later asks the questions about it. */
export function stepsLeft(facts: SetupFacts): readonly SetupStep[] {
  const { devices, choices, channels, backupFolder } = facts;
  const isDone: Readonly<Record<SetupStep, boolean>> = {
    device: devices.length > 0,
    place: devices.some((device) => isPlaced(device, choices.groups)),
    crop: devices.some((device) => isCropSaid(device, facts)),
    // A channel counts after a message was delivered through it.
    phone: channels.some(
      ({ channel, lastSuccessAt }) => channel.isOn && channel.target.kind !== 'desktop' && lastSuccessAt !== null,
    ),
    backup: backupFolder !== null,
  };
  return SETUP_STEPS.filter((step) => !isDone[step]);
}

/**
 * Returns the next step after `after`, otherwise the first, that is neither done nor skipped; null if there is none.
 */
export function nextStep(
  left: readonly SetupStep[],
  skipped: readonly SetupStep[],
  after: SetupStep | null,
): SetupStep | null {
  const open = left.filter((step) => step !== after && !skipped.includes(step));
  const later = open.find((step) => after === null || SETUP_STEPS.indexOf(step) > SETUP_STEPS.indexOf(after));
  return later ?? open[0] ?? null;
}
