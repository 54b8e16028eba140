import { describe, expect, it } from 'vitest';
import { LOGS, OPENS_KEYS, type Role } from '../../shared/owner-api/method.ts';
import { type Caller, LOCAL_CALLERS, LOCAL_OWNER, mayUse, sightOf } from './caller.ts';

const caller = (role: Role, mayUnlock: boolean, mayLog: boolean): Caller => ({
  ...{ by: 'pairing', role, devices: null, mayUnlock, mayLog, pairing: { id: 'a', name: 'Ana' } },
  isValid: () => false,
});

describe('the owner at the machine itself', () => {
  it('has every right, which no pairing can remove', () => {
    const rights = { role: 'owner', devices: null, mayUnlock: true, mayLog: true, pairing: null };
    const isValid = expect.any(Function);
    expect(LOCAL_OWNER).toEqual({ by: 'machine', ...rights, isValid });
    expect(LOCAL_CALLERS).toEqual({
      page: { by: 'page', ...rights, isValid },
      command: { by: 'command', ...rights, isValid },
    });
    for (const each of [LOCAL_OWNER, LOCAL_CALLERS.page, LOCAL_CALLERS.command]) expect(each.isValid()).toBe(true);
  });
});

it('an owner sees everything, and a viewer plain values of its devices', () => {
  const devices = new Set(['aa']);
  expect(sightOf(LOCAL_OWNER)).toBeNull();
  expect(sightOf({ ...caller('owner', false, false), devices })).toBeNull();
  expect(sightOf(caller('viewer', true, true))).toEqual({ devices: null });
  expect(sightOf({ ...caller('viewer', false, false), devices })).toEqual({ devices });
});

describe('a caller', () => {
  it.each([
    { role: 'owner', mayUnlock: true, mayLog: false, opensKeys: true, logs: true },
    { role: 'owner', mayUnlock: false, mayLog: true, opensKeys: false, logs: true },
    { role: 'viewer', mayUnlock: true, mayLog: false, opensKeys: false, logs: false },
    { role: 'viewer', mayUnlock: true, mayLog: true, opensKeys: false, logs: true },
    { role: 'viewer', mayUnlock: false, mayLog: false, opensKeys: false, logs: false },
  ] as const)('$role, mayUnlock $mayUnlock, mayLog $mayLog', ({ role, mayUnlock, mayLog, opensKeys, logs }) => {
    const each = caller(role, mayUnlock, mayLog);
    expect([mayUse(each, undefined), mayUse(each, OPENS_KEYS), mayUse(each, LOGS)]).toEqual([true, opensKeys, logs]);
  });
});
