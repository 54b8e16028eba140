import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { sortedAddresses } from '../owner/api/addresses.ts';
import type { OwnerService } from '../owner/api/service.ts';
import { readSettings, type Settings } from '../settings/settings.ts';
import { Door, reachableAt } from './door.ts';

const HOUR = 3_600_000;
const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: false } as const;
const OWNER_KEY = 'ab'.repeat(32);
/** A key's session, which ends after twelve hours. */
const SESSION = { ...OFFER, name: 'Key', role: 'owner', kind: 'key', ownerKey: OWNER_KEY } as const;

let dataDir: string;
let clock: FakeClock;
let door: Door;
let lines: { level: number; msg: string }[];
/** The number of events that the door changed. */
let changes: number;
const settings = (doorAddress: string | null, change: Partial<Settings> = {}) => ({
  ...{ ...readSettings({}, { dataDir, publicEnabled: false }), doorAddress, ...change },
});
/** No machine has this address, so the door waits for it. */
const AWAY = '2001:db8::1';

/** Returns a door that is not started; `service` is null for a node without the owner's view. */
function newDoor(own: Settings, service: object | null = {}): Door {
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const events: NodeEvents = new EventBus(log);
  events.on('doorChanged', (payload) => {
    expect(payload).toEqual({});
    changes += 1;
  });
  return new Door({
    ...{ settings: own, log, events, clock, dataDir: () => dataDir, nodePublicKey: () => 'cd'.repeat(32) },
    service: () => service as OwnerService | null,
  });
}

/** Returns how often the door has changed since the last call. */
function changesSince(): number {
  const count = changes;
  changes = 0;
  return count;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  dataDir = mkdtempSync(join(tmpdir(), 'wellhouse-door-'));
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  lines = [];
  changes = 0;
  door = newDoor(settings(AWAY));
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

const failure = (code: string, message: string) => expect.objectContaining({ name: 'OwnerError', code, message });

describe('a door that waits', () => {
  it('says for what, and reports each change once', async () => {
    const waiting = { state: 'waiting', address: AWAY, port: settings(AWAY).doorPort, detail: null };
    expect(door.standing).toEqual({ ...waiting, reason: 'no_such_address' });
    expect([door.tls, door.certificateProblem, changesSince()]).toEqual([null, null, 1]);
    await door.apply(settings(AWAY));
    expect(changesSince()).toBe(0);
    await door.apply(settings(null));
    expect([door.standing, changesSince()]).toEqual([{ state: 'off' }, 1]);
  });

  it('has no authority to replace', async () => {
    const refused = failure('conflict', 'the door shows no certificate of its own');
    await expect(door.replaceAuthority()).rejects.toThrow(refused);
  });

  it('waits for a certificate too, and says what is wrong with it', async () => {
    const detail = 'DOOR_CERT and DOOR_KEY must both be set';
    changesSince();
    await door.apply(settings('127.0.0.1', { doorCert: 'door.pem', doorPort: 3443 }));
    const place = { address: '127.0.0.1', port: 3443 };
    expect(door.standing).toEqual({ state: 'waiting', ...place, reason: 'certificate', detail });
    expect([door.tls, door.certificateProblem, changesSince()]).toEqual([null, detail, 2]);
    await door.apply(settings('127.0.0.1', { doorCert: 'door.pem', doorPort: 3443 }));
    expect(changesSince()).toBe(0);
  });
});

describe('a pairing', () => {
  const APP = { ...OFFER, kind: 'app', endsAt: null, ownerKey: null } as const;

  it.each([
    ['that the owner revokes', [], true],
    ['that ends itself', [false], false],
  ] as const)('%s takes the code that it made along', async (_name, byOwner, isTold) => {
    const [first, second] = [await door.pairings.add(APP), await door.pairings.add({ ...APP, name: 'Other' })];
    const code = door.openPairing.open(OFFER, second.pairing.id);
    changesSince();
    await door.revoke(first.pairing.id, ...byOwner);
    expect([door.pairings.all, door.openPairing.codeFor(null)]).toEqual([[second.pairing], code]);
    expect(changesSince()).toBe(1);
    const written = door.revoke(second.pairing.id, ...byOwner);
    expect([door.pairings.all, door.openPairing.state]).toEqual([[], null]);
    await written;
    expect(changesSince()).toBe(2);
    for (const { token } of [first, second]) expect(door.pairings.endOf(token)).toBe(isTold ? clock.now() : null);
    await expect(door.revoke(first.pairing.id)).rejects.toThrow(failure('not_found', 'no such pairing'));
  });

  it('that is no session of a removed key stays, with its code', async () => {
    const { pairing } = await door.pairings.add(APP);
    const code = door.openPairing.open(OFFER, pairing.id);
    changesSince();
    await door.setKeys([OWNER_KEY]);
    expect([door.pairings.keys, changesSince()]).toEqual([[OWNER_KEY], 1]);
    await door.setKeys([]);
    expect([door.pairings.keys, changesSince()]).toEqual([[], 1]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([door.pairings.all, door.openPairing.codeFor(null), changesSince()]).toEqual([[pairing], code, 0]);
  });
});

describe('a node without the owner’s view', () => {
  it.each([
    [AWAY, ["DOOR_ADDRESS is set, but this node has no owner's view, so the door stays closed: start it with --ui"]],
    [null, []],
  ])('has a closed door at %s', async (address, warnings) => {
    const closed = newDoor(settings(address), null);
    await closed.start();
    expect(lines.flatMap(({ level, msg }) => (level === 40 && msg.includes('DOOR') ? [msg] : []))).toEqual(warnings);
    await closed.apply(settings('127.0.0.1'));
    expect([closed.standing, closed.tls, closed.pairings.all]).toEqual([{ state: 'off' }, null, []]);
    await closed.stop();
  });
});

it('a door that stops closes its code, and one that never started has nothing to close', async () => {
  door.openPairing.open(OFFER, null);
  changesSince();
  await door.stop();
  expect([door.openPairing.state, changesSince()]).toEqual([null, 1]);
  const idle = newDoor(settings(AWAY));
  expect([idle.standing, idle.tls, idle.certificateProblem]).toEqual([{ state: 'off' }, null, null]);
  await idle.apply(settings(null));
  await idle.stop();
});

it('people reach a door at its address, or at each address that this machine has', () => {
  expect(reachableAt('192.168.1.5')).toEqual(['192.168.1.5']);
  expect(reachableAt('fe80::5%eth0')).toEqual(['fe80::5']);
  const own = sortedAddresses().map(({ address }) => address);
  const [every, ofIPv4] = [own, own.filter((address) => !address.includes(':'))];
  expect(reachableAt('::')).toEqual(every.length > 0 ? every : ['127.0.0.1']);
  expect(reachableAt('0.0.0.0')).toEqual(ofIPv4.length > 0 ? ofIPv4 : ['127.0.0.1']);
});
