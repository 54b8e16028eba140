import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopFiles } from '../../src/main/data-folder/own-files.ts';
import { NodeHost } from '../../src/main/node/node-host.ts';
import type { Caller } from '../../src/main/owner/caller.ts';
import { METHODS, type MethodName } from '../../src/shared/owner-api/contract.ts';
import { type Methods, OPENS_KEYS, ROLES, type Role } from '../../src/shared/owner-api/method.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { VALID_INPUTS } from '../support/owner-inputs.ts';

/** All that a viewer may do. A method that is added here is one that shows nothing but plain readings. */
const FOR_VIEWERS: readonly MethodName[] = [
  'caller',
  'leave',
  'nodeInfo',
  'overview',
  'storage',
  'device',
  'latestReadings',
  'readingsPage',
  'history',
  'ownerChoices',
  'journal',
  'photo',
  'photos',
  'tasks',
  'cycles',
  'alerts',
  'alertHistory',
  'alertRules',
];
const NAMES = Object.keys(METHODS) as MethodName[];
/** The calls that a pairing without keys is refused: all others are allowed. */
const KEY_METHODS: readonly MethodName[] = ['readKeystore', 'writeKeystore'];

let folder: string;
let host: NodeHost;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ localPort: 0, publicPort: 0 }));
  const log = pino({ level: 'silent' });
  host = new NodeHost({ env: {}, files: desktopFiles(folder), log, ownerView: null, recentLog: () => '' });
});
afterEach(async () => {
  await host.stop();
  removeFolder(folder);
});

async function errorOf(role: Role, method: string, input: unknown, mayLog = false): Promise<string | null> {
  const caller: Caller = {
    by: 'pairing',
    role,
    devices: null,
    mayUnlock: false,
    mayLog,
    pairing: null,
    isValid: () => true,
  };
  const answer = await host.callJson(caller, method, input);
  return answer.ok ? null : answer.error;
}

describe.each(NAMES)('%s', (method) => {
  it.each(ROLES)('called by a %s is answered only if the role may call it', async (role) => {
    const mayCall = (role === 'owner' && !KEY_METHODS.includes(method)) || FOR_VIEWERS.includes(method);
    const error = await errorOf(role, method, VALID_INPUTS[method]);
    if (mayCall) expect(error).not.toBe('forbidden');
    else expect(error).toBe('forbidden');
  });

  it('tells a role without permission nothing about errors in its input', async () => {
    const error = await errorOf('viewer', method, { wrong: true });
    expect(error).toBe(FOR_VIEWERS.includes(method) ? 'invalid_input' : 'forbidden');
  });
});

it('a viewer with the right to log may call the methods that add to the log, and no other', async () => {
  for (const method of NAMES) {
    const error = await errorOf('viewer', method, VALID_INPUTS[method], true);
    if (['writeJournalEntry', 'addPhoto', 'completeTask'].includes(method) || FOR_VIEWERS.includes(method))
      expect([method, error]).not.toContain('forbidden');
    else expect([method, error]).toEqual([method, 'forbidden']);
  }
});

it('only those methods require the keystore, and an owner whose pairing has keys may call them', async () => {
  const contract: Methods = METHODS;
  expect(NAMES.filter((name) => contract[name]!.asks === OPENS_KEYS)).toEqual(KEY_METHODS);
  const caller: Caller = {
    by: 'pairing',
    role: 'viewer',
    devices: null,
    mayUnlock: true,
    mayLog: true,
    pairing: null,
    isValid: () => true,
  };
  for (const method of KEY_METHODS) {
    const asViewer = await host.callJson(caller, method, VALID_INPUTS[method]);
    expect(asViewer).toMatchObject({ ok: false, error: 'forbidden' });
    const asOwner = await host.callJson({ ...caller, role: 'owner' }, method, VALID_INPUTS[method]);
    expect(asOwner).not.toMatchObject({ error: 'forbidden' });
  }
});

it('a running node refuses a viewer in the same way, and changes nothing', async () => {
  await host.stop();
  const log = pino({ level: 'silent' });
  host = new NodeHost({ env: {}, files: desktopFiles(folder), log, ownerView: 'desktop', recentLog: () => '' });
  expect(await host.start()).toMatchObject({ state: 'running' });
  for (const method of NAMES.filter((name) => !FOR_VIEWERS.includes(name))) {
    expect(await errorOf('viewer', method, VALID_INPUTS[method]), method).toBe('forbidden');
  }
  expect(await errorOf('viewer', 'overview', { dayStart: 0 })).toBeNull();
  expect(await host.call('overview', { dayStart: 0 })).toMatchObject({ ok: true, value: { demo: false } });
});
