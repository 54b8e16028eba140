import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { Pairings } from './pairings.ts';

const folder = mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
const CLOCK = SYSTEM_CLOCK;
const HOUR = 3_600_000;
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

it('a clock that is set back gives what ends by itself no more time', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 5, 1) });
  const pairings = new Pairings(folder, CLOCK, pino({ enabled: false }));
  const made = { role: 'owner', devices: null, mayUnlock: false, ownerKey: null } as const;
  const stays = await pairings.add({ ...made, name: 'stays', kind: 'app', endsAt: null });
  const ends = await pairings.add({ ...made, name: 'ends', kind: 'key', endsAt: Date.now() + 12 * HOUR });
  vi.advanceTimersByTime(11 * HOUR);
  vi.setSystemTime(Date.UTC(2026, 4, 1));
  expect(pairings.takeEnded()).toEqual([]);
  expect(pairings.callerOf(ends.token, '127.0.0.1')).toMatchObject({ role: 'owner' });
  vi.advanceTimersByTime(HOUR);
  expect(pairings.callerOf(ends.token, '127.0.0.1')).toBeNull();
  expect(pairings.takeEnded()).toEqual([ends.pairing.id]);
  expect(pairings.all.map(({ name }) => name)).toEqual(['stays']);
  expect(pairings.callerOf(stays.token, '127.0.0.1')).not.toBeNull();
  await pairings.close();
});
