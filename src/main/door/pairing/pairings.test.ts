import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { type NewPairing, Pairings } from './pairings.ts';

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

const BEGIN = Date.UTC(2026, 5, 1);
const DEVICE = 'd0'.repeat(32);
const [KEY_A, KEY_B] = ['aa'.repeat(32), 'bb'.repeat(32)];
const MADE: NewPairing = {
  ...{ name: 'Phone', role: 'viewer', devices: [DEVICE], mayUnlock: true, mayLog: false },
  ...{ kind: 'app', endsAt: null, ownerKey: null },
};

describe('pairings with a clock that the test moves', () => {
  let clock: FakeClock;
  let pairings: Pairings;
  let warnings: { readonly msg: string; readonly file: string; readonly err: { readonly code: string } }[];
  const read = () => {
    const write = (line: string) => void warnings.push(JSON.parse(line));
    return new Pairings(folder, clock, pino({ level: 'warn' }, { write }));
  };
  const file = () => join(folder, 'door.json');
  const kept = () => JSON.parse(readFileSync(file(), 'utf8'));
  const pass = (ms: number) => clock.pass(ms, async () => {});
  const isValid = ({ token }: { readonly token: string }) => pairings.callerOf(token, '10.0.0.1') !== null;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clock = new FakeClock(BEGIN);
    warnings = [];
    pairings = read();
  });
  afterEach(() => pairings.close());

  it('there is none at first', () => {
    expect([pairings.all, pairings.keys, pairings.endOf('A')]).toEqual([[], [], null]);
    expect(pairings.callerOf('A', '10.0.0.1')).toBeNull();
  });

  it.each([
    [MADE, 'pairing', new Set([DEVICE])],
    [{ ...MADE, kind: 'browser', role: 'owner', devices: null, mayUnlock: false, mayLog: true }, 'pairing', null],
    [{ ...MADE, kind: 'key', ownerKey: KEY_A, endsAt: BEGIN + HOUR, devices: [] }, 'key', new Set()],
  ] as const)('a pairing has the rights that were asked for, also after a restart: %j', async (made, by, devices) => {
    const { pairing, token } = await pairings.add(made as NewPairing);
    expect(pairing).toEqual({
      ...made,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tokenHash: createHash('sha256').update(token).digest('hex'),
      createdAt: BEGIN,
      lastUsedAt: null,
      lastAddress: null,
    });
    expect(token).toMatch(/^[\w-]{43}$/);
    for (let starts = 0; starts < 2; starts += 1) {
      expect(pairings.all).toEqual([pairing]);
      const { isValid: isStillValid, ...caller } = pairings.callerOf(token, '10.0.0.1')!;
      const { id, name, role, mayUnlock, mayLog } = pairing;
      expect(caller).toEqual({ by, role, devices, mayUnlock, mayLog, pairing: { id, name } });
      expect(isStillValid()).toBe(true);
      // The use is not on disk yet.
      pairings = read();
    }
  });

  it('the last use of a pairing is known at once, and written after an hour', async () => {
    const { token } = await pairings.add(MADE);
    await pass(1000);
    pairings.callerOf(token, '10.0.0.1');
    await pass(1000);
    pairings.callerOf(token, '10.0.0.2');
    const used = { lastUsedAt: BEGIN + 2000, lastAddress: '10.0.0.2' };
    expect(pairings.all).toMatchObject([used]);
    await vi.advanceTimersByTimeAsync(HOUR - 1);
    expect(kept().pairings).toMatchObject([{ lastUsedAt: null, lastAddress: null }]);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => kept().pairings).toMatchObject([used]);
    expect(vi.getTimerCount()).toBe(0);

    // The next use is written an hour later, or when the node stops.
    pairings.callerOf(token, '10.0.0.3');
    expect(vi.getTimerCount()).toBe(1);
    await pairings.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(kept().pairings).toMatchObject([{ lastAddress: '10.0.0.3' }]);
  });

  it('without a use, a stop writes nothing', async () => {
    await pairings.add(MADE);
    utimesSync(file(), 1000, 1000);
    await pairings.close();
    expect(statSync(file()).mtimeMs).toBe(1_000_000);
  });

  it('a use that can’t be written is reported, and written with the next one', async () => {
    const { token } = await pairings.add(MADE);
    pairings.callerOf(token, '10.0.0.1');
    rmSync(folder, { recursive: true });
    await vi.advanceTimersByTimeAsync(HOUR);
    await expect.poll(() => warnings).toHaveLength(1);
    const msg = 'the last uses of pairings can’t be written';
    expect(warnings[0]).toMatchObject({ msg, file: file(), err: { code: 'ENOENT' } });
    mkdirSync(folder, { mode: 0o700 });
    pairings.callerOf(token, '10.0.0.2');
    await pairings.close();
    expect(kept().pairings).toMatchObject([{ lastAddress: '10.0.0.2' }]);
  });

  it('there are at most a hundred, of which ended ones do not count', async () => {
    const first = await pairings.add({ ...MADE, endsAt: BEGIN + HOUR });
    for (let more = 1; more < 100; more += 1) await pairings.add(MADE);
    const full = { code: 'conflict', message: 'too many pairings: revoke some' };
    await expect(pairings.add(MADE)).rejects.toMatchObject(full);
    expect(pairings.all).toHaveLength(100);
    await pass(HOUR);
    expect(pairings.all).toHaveLength(99);
    const last = await pairings.add(MADE);
    await expect(pairings.add(MADE)).rejects.toMatchObject(full);
    await pairings.revoke(last.pairing.id);
    expect([isValid(await pairings.add(MADE)), isValid(first)]).toEqual([true, false]);
  });

  it('only the revoked pairing ends, and an unknown one can’t be revoked', async () => {
    const [one, other] = [await pairings.add(MADE), await pairings.add(MADE)];
    const caller = pairings.callerOf(one.token, '10.0.0.1')!;
    await pass(1000.4);
    await pairings.revoke(one.pairing.id);
    expect([isValid(one), caller.isValid(), isValid(other)]).toEqual([false, false, true]);
    expect([pairings.endOf(one.token), pairings.endOf(other.token)]).toEqual([BEGIN + 1000, null]);
    await expect(pairings.revoke(one.pairing.id)).rejects.toMatchObject({
      code: 'not_found',
      message: 'no such pairing',
    });
    expect(kept().pairings.map(({ id }: { readonly id: string }) => id)).toEqual([other.pairing.id]);
  });

  it('the pairings of a key end with it, and others stay', async () => {
    const { ended: endedFirst, written } = pairings.setKeys([KEY_A, KEY_B, KEY_A]);
    await written;
    expect([endedFirst, pairings.keys, kept().keys]).toEqual([[], [KEY_A, KEY_B], [KEY_A, KEY_B]]);
    const [ofA, ofB, ofCode] = [
      await pairings.add({ ...MADE, kind: 'key', ownerKey: KEY_A }),
      await pairings.add({ ...MADE, kind: 'key', ownerKey: KEY_B }),
      await pairings.add(MADE),
    ];
    const change = pairings.setKeys([KEY_B]);
    expect(change.ended).toEqual([ofA.pairing.id]);
    await change.written;
    expect([ofA, ofB, ofCode].map(isValid)).toEqual([false, true, true]);
    expect([ofA, ofB, ofCode].map(({ token }) => pairings.endOf(token))).toEqual([BEGIN, null, null]);
    await pairings.close();
    pairings = read();
    expect(pairings.keys).toEqual([KEY_B]);
    expect([ofA, ofB, ofCode].map(isValid)).toEqual([false, true, true]);
  });

  it.each([
    ['wall', () => clock.set(BEGIN + HOUR - 1), () => clock.set(BEGIN + HOUR)],
    ['steady', () => pass(HOUR - 1).then(() => clock.set(BEGIN)), () => pass(1)],
  ])('a pairing ends at its time by the %s clock, and not before', async (_name, before, at) => {
    const made = await pairings.add({ ...MADE, endsAt: BEGIN + HOUR });
    const caller = pairings.callerOf(made.token, '10.0.0.1')!;
    await before();
    expect([isValid(made), caller.isValid(), pairings.all.length, pairings.takeEnded()]).toEqual([true, true, 1, []]);
    await at();
    expect([isValid(made), caller.isValid(), pairings.all]).toEqual([false, false, []]);
    expect(pairings.takeEnded()).toEqual([made.pairing.id]);
    expect(pairings.takeEnded()).toEqual([]);
    // It ended by itself: its client is not told that the owner ended it.
    expect(pairings.endOf(made.token)).toBeNull();
  });

  it('without a disk to write to, a new pairing is none, and a revocation counts at once', async () => {
    const made = await pairings.add(MADE);
    rmSync(folder, { recursive: true });
    const failure = {
      code: 'storage_unavailable',
      message: expect.stringMatching(/door\.json can't be written \(.+\)$/),
    };
    await expect(pairings.add(MADE)).rejects.toMatchObject(failure);
    expect(pairings.all).toHaveLength(1);
    await expect(pairings.revoke(made.pairing.id)).rejects.toMatchObject(failure);
    expect(isValid(made)).toBe(false);
    await expect(pairings.setKeys([KEY_A]).written).rejects.toMatchObject(failure);
    expect(pairings.keys).toEqual([KEY_A]);
    mkdirSync(folder, { mode: 0o700 });
  });
});
