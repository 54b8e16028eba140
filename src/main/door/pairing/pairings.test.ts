import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { Pairings } from './pairings.ts';

let folder: string;
const CLOCK = SYSTEM_CLOCK;
const HOUR = 3_600_000;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wellhouse-test-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

it('a clock that is set back does not extend a session', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 5, 1) });
  const pairings = new Pairings(folder, CLOCK, pino({ enabled: false }));
  const made = { role: 'owner', devices: null, mayUnlock: false, mayLog: false, ownerKey: null } as const;
  const stays = await pairings.add({ ...made, name: 'stays', kind: 'app', endsAt: null });
  const ends = await pairings.add({ ...made, name: 'ends', kind: 'key', endsAt: Date.now() + 12 * HOUR });
  vi.advanceTimersByTime(11 * HOUR);
  vi.setSystemTime(Date.UTC(2026, 4, 1));
  expect(pairings.takeEnded()).toEqual([]);
  const caller = pairings.callerOf(ends.token, '127.0.0.1')!;
  expect([caller.role, caller.isValid()]).toEqual(['owner', true]);
  vi.advanceTimersByTime(HOUR);
  // An open connection ends with the session, not only when the ended pairings are removed.
  expect(caller.isValid()).toBe(false);
  expect(pairings.callerOf(ends.token, '127.0.0.1')).toBeNull();
  expect(pairings.takeEnded()).toEqual([ends.pairing.id]);
  expect(pairings.all.map(({ name }) => name)).toEqual(['stays']);
  expect(pairings.callerOf(stays.token, '127.0.0.1')).not.toBeNull();
  await pairings.close();
});

it('revokes a key’s session at once, even if the disk takes no writes', async () => {
  const pairings = new Pairings(folder, CLOCK, pino({ enabled: false }));
  const ownerKey = 'ab'.repeat(32);
  const made = {
    role: 'owner',
    devices: null,
    mayUnlock: false,
    mayLog: false,
    kind: 'key',
    endsAt: null,
    name: 'key',
  } as const;
  const { pairing, token } = await pairings.add({ ...made, ownerKey });
  const caller = pairings.callerOf(token, '127.0.0.1')!;
  rmSync(folder, { recursive: true, force: true });
  const { ended, written } = pairings.setKeys([]);
  expect([ended, caller.isValid(), pairings.callerOf(token, '127.0.0.1')]).toEqual([[pairing.id], false, null]);
  await expect(written).rejects.toThrow(/can't be written/);
});

it('a pairing that could not be written is none', async () => {
  const pairings = new Pairings(folder, CLOCK, pino({ enabled: false }));
  const made = { role: 'owner', devices: null, mayUnlock: false, mayLog: false, ownerKey: null } as const;
  rmSync(folder, { recursive: true, force: true });
  const adding = pairings.add({ ...made, name: 'lost', kind: 'app', endsAt: null });
  await expect(adding).rejects.toThrow(/can't be written/);
  expect(pairings.all).toEqual([]);
});

it('remembers a bounded number of revoked tokens, also after a restart', async () => {
  let pairings = new Pairings(folder, CLOCK, pino({ enabled: false }));
  const made = {
    role: 'viewer',
    devices: null,
    mayUnlock: false,
    mayLog: false,
    ownerKey: null,
    endsAt: null,
    kind: 'browser',
  } as const;
  const [ended, left, kept] = [
    await pairings.add({ ...made, name: 'ended' }),
    await pairings.add({ ...made, name: 'left' }),
    await pairings.add({ ...made, name: 'kept' }),
  ];
  await pairings.revoke(ended.pairing.id);
  await pairings.revoke(left.pairing.id, false);
  await pairings.close();
  pairings = new Pairings(folder, CLOCK, pino({ enabled: false }));
  expect(pairings.callerOf(ended.token, '127.0.0.1')).toBeNull();
  expect(pairings.endOf(ended.token)).toBeGreaterThan(Date.now() - HOUR);
  for (const token of [left.token, kept.token, 'A'.repeat(43)]) expect(pairings.endOf(token)).toBeNull();
  for (let more = 0; more < 200; more += 1) {
    await pairings.revoke((await pairings.add({ ...made, name: 'more' })).pairing.id);
  }
  expect(pairings.endOf(ended.token)).toBeNull();
  await pairings.close();
});
