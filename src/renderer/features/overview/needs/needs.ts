import type { DeviceSummary } from '../../../../shared/owner-api/devices.ts';
import type { Overview } from '../../../../shared/owner-api/overview.ts';
import type { Storage } from '../../../../shared/owner-api/storage.ts';
import type { FieldName } from '../../../../shared/protocol/fields.ts';
import { deviceStatus } from '../../../devices/status/status.ts';

/** More devices of a kind than this are told as one. */
const TOLD_APART = 3;

/** Something that the owner should see to; each has one action. */
export type Need =
  | { readonly kind: 'store'; readonly store: 'private' | 'public'; readonly since: number }
  /** Of the alerts. */
  | { readonly kind: 'outOfRange'; readonly device: DeviceSummary; readonly field: FieldName }
  | { readonly kind: 'silent'; readonly device: DeviceSummary }
  | { readonly kind: 'manySilent'; readonly count: number }
  | { readonly kind: 'room'; readonly freeBytes: number }
  | { readonly kind: 'knocking' }
  | { readonly kind: 'clock'; readonly device: DeviceSummary }
  | { readonly kind: 'manyClocks'; readonly count: number }
  | { readonly kind: 'keys' };

/** What is known of the node and its devices. */
export interface Known {
  readonly overview: Pick<Overview, 'devices'>;
  readonly storage: Storage | undefined;
  /** Whether a device of the owner's knocks that the owner has not dismissed. */
  readonly isKnocking: boolean;
  /** Whether there are keys of which no copy was exported. */
  readonly hasOnlyKeys: boolean;
  /** Unix milliseconds of the node's clock. */
  readonly now: number;
}

/** What needs the owner now, the worst first. */
export function needsNow({ overview, storage, isKnocking, hasOnlyKeys, now }: Known): Need[] {
  const mine = overview.devices.filter((device) => device.mine);
  const silent = mine.filter((device) => deviceStatus(device, now) === 'silent');
  const clocks = mine.filter((device) => device.clockNotSet && device.notes.status === 0);
  const room = storage?.room;
  return [
    ...(storage?.stores ?? []).flatMap(({ store, refusing }): Need[] =>
      refusing === null ? [] : [{ kind: 'store', store, since: refusing.since }],
    ),
    ...told(silent, 'silent', 'manySilent'),
    ...(room?.isLow ? [{ kind: 'room', freeBytes: room.freeBytes } as const] : []),
    ...(isKnocking ? [{ kind: 'knocking' } as const] : []),
    ...told(clocks, 'clock', 'manyClocks'),
    ...(hasOnlyKeys ? [{ kind: 'keys' } as const] : []),
  ];
}

function told(
  devices: readonly DeviceSummary[],
  one: 'silent' | 'clock',
  many: 'manySilent' | 'manyClocks',
): readonly Need[] {
  if (devices.length > TOLD_APART) return [{ kind: many, count: devices.length }];
  return devices.map((device) => ({ kind: one, device }));
}
