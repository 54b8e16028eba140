import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { OwnerService } from '../owner/api/service.ts';
import { readSettings } from '../settings/settings.ts';
import { Door } from './door.ts';

const log = pino({ enabled: false });
const HOUR = 3_600_000;
const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: false } as const;
const OWNER_KEY = 'ab'.repeat(32);
/** A key's session, which ends after twelve hours. */
const SESSION = { ...OFFER, name: 'Key', role: 'owner', kind: 'key', ownerKey: OWNER_KEY } as const;

let dataDir: string;
let clock: FakeClock;
let door: Door;
/** No machine has this address, so the door waits for it. */
const settings = (doorAddress: string | null) => ({
  ...readSettings({}, { dataDir, publicEnabled: false }),
  doorAddress,
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  dataDir = mkdtempSync(join(tmpdir(), 'wellhouse-door-'));
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  door = new Door({
    settings: settings('2001:db8::1'),
    log,
    events: new EventBus(log),
    clock,
    dataDir: () => dataDir,
    nodePublicKey: () => 'cd'.repeat(32),
    service: () => ({}) as OwnerService,
  });
  await door.start();
});
afterEach(async () => {
  await door.stop();
  vi.useRealTimers();
  rmSync(dataDir, { recursive: true, force: true });
});

it('turning the door off closes the open code, and moving it does not', async () => {
  expect(door.standing).toMatchObject({ state: 'waiting', reason: 'no_such_address' });
  const code = door.openPairing.open(OFFER, null);
  await door.apply(settings('2001:db8::2'));
  expect(door.openPairing.codeFor(null)).toBe(code);
  await door.apply(settings(null));
  expect(door.openPairing.state).toBeNull();
  expect(door.openPairing.redeem(code)).toBeNull();
});

it('a code ends with the session of the owner’s key that made it', async () => {
  const { pairing } = await door.pairings.add({ ...SESSION, endsAt: clock.now() + 12 * HOUR });
  await clock.pass(12 * HOUR - 60_000, async () => {});
  const code = door.openPairing.open(OFFER, pairing.id);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(door.openPairing.codeFor(null)).toBe(code);
  await clock.pass(60_000, async () => {});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(door.pairings.all).toEqual([]);
  expect(door.openPairing.redeem(code)).toBeNull();
});

it('a code ends when the owner removes the key whose session made it', async () => {
  const { pairing } = await door.pairings.add({ ...SESSION, endsAt: clock.now() + 12 * HOUR });
  const code = door.openPairing.open(OFFER, pairing.id);
  await door.setKeys([OWNER_KEY]);
  expect(door.openPairing.codeFor(null)).toBe(code);
  await door.setKeys([]);
  expect(door.openPairing.redeem(code)).toBeNull();
});
