import { BridgedDevice } from '../../src/main/bridge/devices/bridged-device.ts';
import type { StoredReading } from '../../src/main/common/node-events.ts';
import type { GeneralUnits } from '../../src/shared/measures/field-scale.ts';
import { type DeviceNotes, NO_NOTES } from '../../src/shared/owner-data/notes.ts';

/** The time at which the first reading of a test was measured and arrived, in Unix milliseconds. */
export const FIRST_AT = 1_790_000_000_000;

/** Returns a device for a bridge, without readings. */
export function bridgedDevice(
  notes: Partial<DeviceNotes> = {},
  {
    name = 'Tank 1',
    general = {},
    leafOffset = null,
  }: { readonly name?: string; readonly general?: GeneralUnits; readonly leafOffset?: number | null } = {},
): BridgedDevice {
  const facts = {
    id: 'ab'.repeat(32),
    name,
    model: 'R1',
    firmware: '1.2',
    notes: { ...NO_NOTES, ...notes },
    corrections: [],
    leafOffset,
  };
  return new BridgedDevice(facts, general);
}

/** Returns a reading that arrived when it was measured. */
export function storedAt(at: number, reading: Partial<StoredReading> = {}): StoredReading {
  return {
    ...{ deviceId: 'ab'.repeat(32), seq: String(at - FIRST_AT + 1), timestamp: String(at), receivedAt: at },
    ...{ values: {}, sealed: [] },
    ...reading,
  };
}
