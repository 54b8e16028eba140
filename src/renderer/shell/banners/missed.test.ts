import { describe, expect, it } from 'vitest';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import { missedIn } from './missed.ts';

const MINUTE = 60_000;
const device = (part: Partial<DeviceSummary>): DeviceSummary =>
  ({ mine: true, notes: { status: 0 }, lastReceivedAt: 1, usualIntervalMs: MINUTE, ...part }) as DeviceSummary;

describe('missedIn', () => {
  it('counts readings that devices could not keep', () => {
    expect(missedIn([device({})], 50 * MINUTE)).toEqual({ devices: 0, readings: 0 });
    expect(missedIn([device({}), device({ usualIntervalMs: 10 * MINUTE })], 80 * MINUTE)).toEqual({
      devices: 1,
      readings: 30,
    });
    expect(missedIn([device({ usualIntervalMs: null }), device({})], 60 * MINUTE)).toEqual({
      devices: 2,
      readings: 20,
    });
  });

  it('leaves out devices without expected readings', () => {
    const others = [
      device({ mine: false }),
      device({ notes: { status: 2 } as DeviceSummary['notes'] }),
      device({ lastReceivedAt: null }),
    ];
    expect(missedIn(others, 1000 * MINUTE)).toEqual({ devices: 0, readings: 0 });
  });
});
