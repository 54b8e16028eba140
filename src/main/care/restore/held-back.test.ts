import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { activeIn, dropHeldBack, HELD_BACK_FILE, heldBackIn, holdBack, releaseHeldBack } from './held-back.ts';

const WEBHOOK = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a01';
const DESKTOP = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a02';
const channel = (id: string, target: object, isOn = true) => ({ id, name: 'x', isOn, target });
const PLANTED = {
  'settings.json': {
    publicEnabled: true,
    gateAddress: '192.168.1.5',
    doorAddress: '0.0.0.0',
    doorPort: 4443,
    localAllowedHosts: ['evil.example', 'good.example'],
    mqttUrl: 'mqtt://evil.example',
    metricsPort: 9464,
    metricsAddress: '0.0.0.0',
    backupFolder: '/mnt/evil',
    backupRecipient: 'age1evil',
    theme: 'dark',
  },
  'alerts.json': {
    version: 1,
    channels: [
      channel(WEBHOOK, { kind: 'webhook', url: 'https://evil.example/x' }),
      channel(DESKTOP, { kind: 'desktop' }),
    ],
  },
  'alert-secrets.json': { version: 1, channels: { [WEBHOOK]: { signingKey: 'k' } } },
  'nodes.json': { version: 1, nodes: [{ id: 'ab', name: 'Shed', url: 'https://evil.example:3443', token: 't' }] },
};

let folder: string;
let restored: string;
let present: { dataDir: string; settingsFile: string };
beforeEach(() => {
  folder = temporaryFolder();
  restored = join(folder, 'restored');
  const dataDir = join(folder, 'data');
  for (const path of [restored, dataDir]) mkdirSync(path);
  present = { dataDir, settingsFile: join(dataDir, 'settings.json') };
});
afterEach(() => removeFolder(folder));

function put(into: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(files)) writeFileSync(join(into, name), JSON.stringify(value));
}
const json = (name: string, of = restored) => JSON.parse(readFileSync(join(of, name), 'utf8'));
const kinds = (of: string) => heldBackIn(of).map(({ kind }) => kind);
/** The paths of the restored folder. */
const paths = () => ({ dataDir: restored, settingsFile: join(restored, 'settings.json') });

describe('a restore on a new machine', () => {
  beforeEach(() => put(restored, PLANTED));

  it('does not listen, send or admit others until the owner confirms', () => {
    const before = activeIn(restored);
    expect(before.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'public: 0.0.0.0, –',
      'gate: 192.168.1.5, –',
      'door: 0.0.0.0, 4443',
      'hosts: evil.example, good.example',
      'mqtt: mqtt://evil.example',
      'metrics: 0.0.0.0, 9464',
      'backups: /mnt/evil, age1evil',
      'channel: webhook https://evil.example/x',
      'node: Shed, https://evil.example:3443',
    ]);
    holdBack(restored, { ...present, settingsFile: join(folder, 'beside.json') }, false);
    // The backup folder of a copy waits through the backup state (folder-guard.test.ts).
    expect(json('settings.json')).toEqual({
      ...{ doorPort: 4443, theme: 'dark', localAllowedHosts: [] },
      ...{ backupFolder: '/mnt/evil', backupRecipient: 'age1evil' },
    });
    expect(json('alerts.json').channels.map(({ isOn }: { isOn: boolean }) => isOn)).toEqual([false, true]);
    expect(json('nodes.json').nodes).toEqual([]);
    expect(kinds(restored)).toEqual(['public', 'gate', 'door', 'hosts', 'mqtt', 'metrics', 'channel', 'node']);
    expect(activeIn(restored).map(({ kind }) => kind)).toEqual(['backups']);
  });

  it('applies items that the owner confirms, single ones or all, and deletes dropped ones', () => {
    holdBack(restored, present, true);
    const [door] = heldBackIn(restored).filter(({ kind }) => kind === 'door');
    releaseHeldBack(paths(), [door!.id]);
    expect(json('settings.json')).toMatchObject({ doorAddress: '0.0.0.0', doorPort: 4443 });
    expect(json('settings.json')).not.toHaveProperty('gateAddress');
    const [hosts] = heldBackIn(restored).filter(({ kind }) => kind === 'hosts');
    dropHeldBack(restored, [hosts!.id]);
    releaseHeldBack(
      paths(),
      heldBackIn(restored).map(({ id }) => id),
    );
    const { localAllowedHosts: _dropped, publicEnabled: _default, ...rest } = PLANTED['settings.json'];
    expect(json('settings.json')).toMatchObject({ ...rest, localAllowedHosts: [] });
    expect(json('alerts.json')).toEqual(PLANTED['alerts.json']);
    expect(json('nodes.json')).toEqual(PLANTED['nodes.json']);
    expect(heldBackIn(restored)).toEqual([]);
  });
});

describe('a restore in place', () => {
  it('applies items that are already active without a confirmation', () => {
    put(restored, PLANTED);
    put(present.dataDir, PLANTED);
    holdBack(restored, present, true);
    for (const name of Object.keys(PLANTED)) expect(json(name)).toEqual(json(name, present.dataDir));
    expect(existsSync(join(restored, HELD_BACK_FILE.name))).toBe(false);
  });

  it('keeps the present backup plan and hosts if the backup has others', () => {
    put(restored, PLANTED);
    put(present.dataDir, { 'settings.json': { backupFolder: '/mnt/own', localAllowedHosts: ['good.example'] } });
    holdBack(restored, present, true);
    expect(json('settings.json')).toMatchObject({ backupFolder: '/mnt/own', localAllowedHosts: ['good.example'] });
    expect(json('settings.json')).not.toHaveProperty('backupRecipient');
    expect(kinds(restored)).toContain('backups');
  });

  it.each([
    ['mqttUsername', 'mqtt'],
    ['mqttCa', 'mqtt'],
    ['metricsAddress', 'metrics'],
    ['backupRecipient', 'backups'],
  ])('holds back what differs only in %s', (name, kind) => {
    put(present.dataDir, { ...PLANTED, 'settings.json': { ...PLANTED['settings.json'], [name]: 'own' } });
    put(restored, PLANTED);
    holdBack(restored, present, true);
    expect(kinds(restored)).toEqual([kind]);
  });

  it('holds back a node whose address or token differs', () => {
    const [node] = PLANTED['nodes.json'].nodes;
    for (const change of [{ url: 'https://own.example:3443' }, { token: 'own' }]) {
      put(restored, PLANTED);
      put(present.dataDir, { ...PLANTED, 'nodes.json': { version: 1, nodes: [{ ...node, ...change }] } });
      holdBack(restored, present, true);
      expect(kinds(restored)).toEqual(['node']);
      expect(json('nodes.json').nodes).toEqual([]);
    }
  });

  it('holds back a channel that differs only in its secret', () => {
    put(restored, PLANTED);
    put(present.dataDir, { ...PLANTED, 'alert-secrets.json': { version: 1, channels: {} } });
    holdBack(restored, present, true);
    expect(kinds(restored)).toEqual(['channel']);
  });
});

it('files in a format that the node does not read apply nothing', () => {
  for (const name of Object.keys(PLANTED)) writeFileSync(join(restored, name), '[{"isOn":true}]');
  holdBack(restored, present, false);
  writeFileSync(join(restored, 'settings.json'), '{"localAllowedHosts": "evil.example", "doorAddress": 5}');
  holdBack(restored, present, false);
  expect(json('settings.json')).toEqual({ localAllowedHosts: [] });
});

it('items in UTF-16 files, which the node reads, are held back, too', () => {
  for (const [name, value] of Object.entries(PLANTED)) {
    writeFileSync(join(restored, name), Buffer.from(`\ufeff${JSON.stringify(value)}`, 'utf16le'));
  }
  holdBack(restored, present, false);
  expect(kinds(restored)).toEqual(['gate', 'door', 'hosts', 'mqtt', 'metrics', 'channel', 'node']);
  expect(activeIn(restored).map(({ kind }) => kind)).toEqual(['public', 'backups']);
});
