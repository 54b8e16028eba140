import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { someAlert, someFacts } from '../../../test/support/alert-notices.ts';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { builtInRules } from '../../shared/alerts/rule.ts';
import { ALERT_SECRETS_FILE } from '../alerts/channels/secrets-file.ts';
import { NO_RECORD } from '../alerts/outbox/delivery.ts';
import { ALERTS_FILE, type AlertsDocument } from '../alerts/state/document.ts';
import { BRIDGE_SECRETS_FILE } from '../bridge/secrets-file.ts';
import { BACKUPS_FILE } from '../care/backup/backup-state.ts';
import { CLOCK_FILE } from '../clock/clock-file.ts';
import { firstState } from '../clock/clock-rule.ts';
import { PAIRINGS_FILE } from '../door/pairing/pairings.ts';
import { CERTIFICATE_FILE } from '../door/tls/certificate.ts';
import { PENDING_FILE } from '../intake/joining/pending-file.ts';
import { NODES_FILE } from '../nodes/known-nodes.ts';
import { SEEN_FILE } from '../nodes/seen-file.ts';
import { SENT_CHECKPOINTS_FILE } from '../proof/checkpoint-outlets.ts';
import { LOG_FINDINGS_FILE } from '../proof/log-findings.ts';
import { LOG_HEADS_FILE } from '../proof/log-heads.ts';
import { WITNESSES_FILE } from '../proof/log-witnesses.ts';
import { WITNESSED_FILE } from '../proof/witness.ts';
import { SETTINGS_KIND } from '../settings/settings-file.ts';
import type { StateFolder } from './aside.ts';
import { DamagedFiles, openStateFile } from './damaged-files.ts';
import { salvage } from './salvage.ts';
import type { StateFileKind } from './state-file.ts';

const [ONE, TWO, DEVICE] = [crypto.randomUUID(), crypto.randomUUID(), 'ab'.repeat(32)];
const NOW = 1_790_000_000_000;

let folder: StateFolder;
beforeEach(() => {
  folder = { path: temporaryFolder(), log: pino({ enabled: false }), now: () => NOW };
});
afterEach(() => removeFolder(folder.path));

const channel = (id: string) => ({
  ...{ id, name: `To ${id}`, isOn: true, withoutValues: false, maxPerHour: 20 },
  target: { kind: 'ntfy' as const, server: 'https://ntfy.sh', topic: 'well' },
});
const delivery = (id: string) => ({
  ...{ channel: id, tries: 1, nextAt: NOW, isQuiet: false },
  facts: someFacts({ id: crypto.randomUUID() }),
});
const device = (id: string) => ({ id, newestAt: 1.5, lastReceivedAt: NOW, fields: { ph: NOW, ec: NOW } });
const rule = (id: string, name: string) => ({ ...RANGE_RULE, id, name }) as AlertsDocument['rules'][0];
const ALERTS: AlertsDocument = {
  ...{ version: 1, savedAt: NOW },
  rules: [rule(ONE, 'One'), rule(TWO, 'Two'), ...builtInRules()],
  options: {
    ...{ quietHours: { from: '22:00', to: '06:00' }, linkBase: 'https://well.example', language: 'es' },
    digest: { weekday: 7, time: '07:00', zone: 'Europe/Berlin', channels: [ONE, TWO] },
  },
  live: [ONE, TWO].map((id) => ({ alert: { ...someAlert(), id }, toldAt: NOW })),
  devices: [device('first'), device('second')],
  channels: [channel(ONE), channel(TWO)],
  outbox: { deliveries: [delivery(ONE), delivery(TWO)], records: { [ONE]: NO_RECORD, [TWO]: NO_RECORD } },
  cycles: [ONE, TWO].map((id) => ({ id, stage: 'a', logged: 'a', deleted: [{ field: 'ph', low: 5, high: null }] })),
  digestTold: '2026-11-22',
};
const pairing = (id: string, name: string) => ({
  ...{
    id,
    name,
    role: 'viewer' as const,
    devices: [DEVICE, 'cd'.repeat(32)],
    mayUnlock: false,
    mayLog: false,
    kind: 'app' as const,
  },
  ...{ tokenHash: 'ef'.repeat(32), createdAt: NOW, ownerKey: null, endsAt: null, lastUsedAt: null, lastAddress: null },
});
const other = (id: string, name: string) => ({
  ...{
    id,
    name,
    url: 'https://b',
    fingerprint: 'aa',
    certificate: 'pem',
    token: 't',
    role: 'owner' as const,
    addedAt: 1,
  },
});
const seen = (id: string) => ({
  id,
  heardAt: NOW,
  answers: ['a', 'b'].map((key) => ({ key, at: 1, json: '{}', from: null })),
});
const made = (name: string) => ({
  name,
  at: NOW,
  bytes: 1,
  durationMs: 2.5,
  encryption: 'none' as const,
  keystore: null,
});
const backups = (path: string) => ({ path, id: ONE, isUnlisted: false, made: [made('a'), made('b')] });
const waiting = (id: string) => {
  const registration = { id, mac: '02a1b2c3d4e5', ownerPubkey: id, name: 'Tank' };
  const sent = (name: string) => JSON.stringify({ ...registration, name });
  const at = { address: '192.168.1.9', hosts: ['192.168.1.9'], count: 1, firstAt: NOW, lastAt: NOW };
  const registrations = [
    { sent: sent('A'), ...at },
    { sent: sent('B'), ...at },
  ];
  return { id, since: NOW, isSigned: false, isHeld: false, onlyOneOf: null, registrations };
};
const shift = (clock: number) => ({ clock, next: 0, by: 1.25, from: 0.5, to: 9, at: NOW });
const state = firstState({ wall: NOW, uptime: 5.25, isSynchronised: null }, 0, () => 7);

/** The value that is put at the damaged place. */
const DAMAGE = true;

type Path = readonly (string | number)[];
interface Row {
  readonly kind: StateFileKind<z.ZodType>;
  readonly whole: object;
  /** A damaged place, the lost part of the document, and the report. */
  readonly damages: readonly (readonly [at: Path, gone: Path, part: string, entry: string | null, instead?: unknown])[];
}

const ROWS: readonly Row[] = [
  {
    kind: ALERTS_FILE as never,
    whole: ALERTS,
    damages: [
      [['rules', 0, 'low'], ['rules', 0], 'rules', 'One'],
      [['rules', 1, 'scope'], ['rules', 1], 'rules', 'Two'],
      [['rules', 2, 'kind'], ['rules', 2], 'rules', 'silent'],
      [['rules', 3], ['rules', 3], 'rules', '4'],
      [['live', 0, 'alert', 'since'], ['live', 0], 'live', someAlert().name || ONE],
      [['live', 1, 'toldAt'], ['live', 1], 'live', someAlert().name || TWO],
      [['live'], ['live'], 'live', null, []],
      [['devices', 0, 'newestAt'], ['devices', 0], 'devices', 'first'],
      [['devices', 1, 'fields', 'ph'], ['devices', 1, 'fields', 'ph'], 'devices', 'second › fields › ph'],
      [['channels', 0, 'target', 'topic'], ['channels', 0], 'channels', `To ${ONE}`],
      [['channels', 1, 'maxPerHour'], ['channels', 1], 'channels', `To ${TWO}`],
      [['cycles', 0, 'stage'], ['cycles', 0], 'cycles', ONE],
      [['cycles', 1, 'deleted', 0, 'field'], ['cycles', 1, 'deleted', 0], 'cycles', `${TWO} › deleted › 1`],
      [
        ['outbox', 'deliveries', 0, 'tries'],
        ['outbox', 'deliveries', 0],
        'outbox.deliveries',
        ALERTS.outbox.deliveries[0]!.facts.id,
      ],
      [['outbox', 'records', ONE, 'begunAt'], ['outbox', 'records', ONE], 'outbox.records', ONE],
      [['outbox'], ['outbox'], 'outbox', null, { deliveries: [], records: {} }],
      [['options', 'quietHours', 'from'], ['options', 'quietHours'], 'options.quietHours', null, null],
      [['options', 'linkBase'], ['options', 'linkBase'], 'options.linkBase', null, null],
      [['savedAt'], ['savedAt'], 'savedAt', null, 0],
    ],
  },
  {
    kind: ALERT_SECRETS_FILE as never,
    whole: { version: 1, channels: { [ONE]: { token: 'x' }, [TWO]: { token: 'y', password: 'z' } } },
    damages: [
      [['channels', ONE], ['channels', ONE], 'channels', ONE],
      [['channels', TWO, 'token'], ['channels', TWO, 'token'], 'channels', `${TWO} › token`],
    ],
  },
  {
    kind: BRIDGE_SECRETS_FILE as never,
    whole: { version: 1, mqttPassword: 'x', mqttPasswordFor: 'z', metricsToken: 'y'.repeat(16) },
    damages: [],
  },
  {
    kind: PAIRINGS_FILE as never,
    whole: {
      version: 1,
      pairings: [pairing(ONE, 'Ann'), pairing(TWO, 'Bob')],
      keys: [DEVICE, 'cd'.repeat(32)],
      ended: [],
    },
    damages: [
      [['pairings', 0, 'tokenHash'], ['pairings', 0], 'pairings', 'Ann'],
      [['pairings', 1, 'role'], ['pairings', 1], 'pairings', 'Bob'],
      // The pairing must not see more than before; null would mean all devices.
      [['pairings', 0, 'devices'], ['pairings', 0], 'pairings', 'Ann'],
      [['pairings', 0, 'devices', 1], ['pairings', 0, 'devices', 1], 'pairings', 'Ann › devices › 2'],
      [['keys', 0], ['keys', 0], 'keys', '1'],
    ],
  },
  {
    kind: LOG_HEADS_FILE as never,
    whole: {
      version: 1,
      private: { size: 1, root: 'ab'.repeat(32), at: NOW, brokenSince: null },
      public: { size: 2, root: 'cd'.repeat(32), at: NOW, brokenSince: NOW },
    },
    damages: [[['public', 'root'], ['public'], 'public', null, null]],
  },
  {
    kind: SENT_CHECKPOINTS_FILE as never,
    whole: {
      version: 1,
      sent: (['private', 'public'] as const).map((store) => ({ outlet: 'ab'.repeat(32), store, size: 3, at: NOW })),
    },
    damages: [[['sent', 1, 'size'], ['sent', 1], 'sent', '2']],
  },
  {
    kind: LOG_FINDINGS_FILE as never,
    whole: { version: 1, findings: ['private', 'public'].map((store) => ({ store, at: NOW, count: 2 })) },
    damages: [[['findings', 1, 'count'], ['findings', 1], 'findings', '2']],
  },
  {
    kind: WITNESSES_FILE as never,
    whole: {
      version: 1,
      witnessed: [DEVICE, 'cd'.repeat(32)].map((node) => ({
        ...{ store: 'private', node, key: 'key', since: NOW, at: NOW, size: 3, note: 'note', refusedAt: null },
      })),
    },
    damages: [[['witnessed', 1, 'size'], ['witnessed', 1], 'witnessed', '2']],
  },
  {
    kind: WITNESSED_FILE as never,
    whole: {
      version: 1,
      logs: ['one', 'two'].map((log) => ({ log, size: 3, root: 'ab'.repeat(32), at: NOW, refusedAt: null })),
    },
    damages: [[['logs', 0, 'root'], ['logs', 0], 'logs', '1']],
  },
  {
    kind: NODES_FILE as never,
    whole: { version: 1, nodes: [other(DEVICE, 'Barn'), other('cd'.repeat(32), 'Roof')] },
    damages: [
      [['nodes', 0, 'url'], ['nodes', 0], 'nodes', 'Barn'],
      [['nodes', 1, 'addedAt'], ['nodes', 1], 'nodes', 'Roof'],
    ],
  },
  {
    kind: SEEN_FILE as never,
    whole: { version: 1, nodes: [seen(DEVICE), seen('cd'.repeat(32))] },
    damages: [
      [['nodes', 0, 'heardAt'], ['nodes', 0], 'nodes', DEVICE],
      [['nodes', 1, 'answers', 0, 'json'], ['nodes', 1, 'answers', 0], 'nodes', `${'cd'.repeat(32)} › answers › 1`],
    ],
  },
  {
    kind: PENDING_FILE as never,
    whole: {
      version: 1,
      devices: [waiting(DEVICE), waiting('cd'.repeat(32))],
      dismissed: [
        { digest: 'aa', at: NOW },
        { digest: 'bb', at: NOW },
      ],
    },
    damages: [
      [['devices', 0, 'since'], ['devices', 0], 'devices', DEVICE],
      [
        ['devices', 1, 'registrations', 1, 'sent'],
        ['devices', 1, 'registrations', 1],
        'devices',
        `${'cd'.repeat(32)} › registrations › 2`,
      ],
      [['dismissed', 0, 'at'], ['dismissed', 0], 'dismissed', '1'],
    ],
  },
  {
    kind: BACKUPS_FILE as never,
    whole: {
      ...{
        version: 2,
        node: ONE,
        isCopy: false,
        folders: [backups('/a'), backups('/b')],
        chosen: { path: '/a', at: 1 },
      },
      ...{ program: '1.0.0', failure: null },
    },
    damages: [
      [['folders', 0, 'id'], ['folders', 0], 'folders', '/a'],
      [['folders', 1, 'made', 0, 'bytes'], ['folders', 1, 'made', 0], 'folders', '/b › made › a'],
      [['chosen', 'at'], ['chosen'], 'chosen', null, null],
      [['failure'], ['failure'], 'failure', null, null],
      [['program'], ['program'], 'program', null, null],
    ],
  },
  {
    kind: CLOCK_FILE as never,
    whole: { version: 1, boot: 'a', uptime: 1.5, state, shifts: [shift(1), shift(2)], lastStep: { at: 1, by: 2 } },
    damages: [
      [['shifts', 0, 'by'], ['shifts', 0], 'shifts', '1'],
      [['lastStep', 'at'], ['lastStep'], 'lastStep', null, null],
      [['boot'], ['boot'], 'boot', null, null],
    ],
  },
  {
    kind: SETTINGS_KIND as never,
    whole: { localPort: 4000, dataDir: '/well', oldDataDirs: ['/a', '/b'], ofLaterVersion: { x: 1 } },
    damages: [
      [['localPort'], ['localPort'], 'localPort', null],
      [['dataDir'], ['dataDir'], 'dataDir', null],
      [['oldDataDirs', 0], ['oldDataDirs', 0], 'oldDataDirs', '1'],
      [['oldDataDirs'], ['oldDataDirs'], 'oldDataDirs', null],
    ],
  },
];
const CASES = ROWS.flatMap(({ kind, whole, damages }) =>
  damages.map(([at, gone, part, entry, instead]) => ({
    ...{ name: kind.name, at: at.join('.'), kind, whole, path: at, gone, part, entry, instead },
  })),
);

const copyOf = (document: object) => JSON.parse(JSON.stringify(document)) as object;

function around(document: object, path: Path): Record<string | number, unknown> {
  return path.slice(0, -1).reduce<unknown>((each, key) => (each as Path)[key as number], document) as never;
}

/** Returns the document without the value at a path, or with another value there. */
function without(document: object, path: Path, instead: unknown): object {
  const copy = copyOf(document);
  const container = around(copy, path);
  const key = path.at(-1)!;
  if (instead !== undefined) container[key] = instead;
  else if (Array.isArray(container)) container.splice(key as number, 1);
  else delete container[key];
  return copy;
}

describe.each(CASES)('in $name, damage at $at', ({ kind, whole, path, gone, part, entry, instead }) => {
  it('loses only that; the rest is read, and the owner is notified', () => {
    const file = join(folder.path, kind.name);
    writeFileSync(file, JSON.stringify(whole));
    expect(openStateFile(kind, folder).read()).toEqual(whole);
    const damaged = copyOf(whole);
    around(damaged, path)[path.at(-1)!] = DAMAGE;
    writeFileSync(file, JSON.stringify(damaged));
    expect(openStateFile(kind, folder).read()).toEqual(without(whole, gone, instead));
    const [told, ...others] = new DamagedFiles(folder).list();
    expect(others).toEqual([]);
    expect(told).toMatchObject({ file: kind.name, whole: null });
    expect(told!.lost[0]).toEqual({ part, entry });
    expect(JSON.parse(readFileSync(told!.copy!, 'utf8'))).toEqual(damaged);
    expect(openStateFile(kind, folder).read()).toEqual(without(whole, gone, instead));
    expect(new DamagedFiles(folder).list()).toHaveLength(1);
  });
});

function pathsIn(value: unknown, around: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [around];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inside = keys.flatMap((key) => pathsIn((value as Path)[key as number], [...around, key]));
  return around.length === 0 ? inside : [around, ...inside];
}

const DAMAGES = [true, { odd: 1 }, -1, 1e300, undefined];

/** Returns the losses beyond the entry around the damaged place: parts of the document, or entries of the same part. */
function goneBeside(whole: object, at: Path, found: Record<string, unknown>): string[] {
  const [part, entry] = at as readonly string[];
  return Object.entries(whole).flatMap(([name, value]) => {
    if (name !== part) return isDeepStrictEqual(found[name], value) ? [] : [name];
    const isOfEntries = Object.values(value ?? {}).every((each) => typeof each === 'object');
    if (at.length === 1 || typeof value !== 'object' || !isOfEntries) return [];
    const kept = Object.values(found[name] ?? {});
    return Object.entries(value as object).flatMap(([key, one]) =>
      key === String(entry) || kept.some((each) => isDeepStrictEqual(each, one)) ? [] : [`${name}.${key}`],
    );
  });
}

it.each(ROWS.map(({ kind, whole }) => ({ name: kind.name, kind, whole })))(
  'in $name, damage at any place loses only the entry around it',
  ({ name, kind, whole }) => {
    // A clock's state is indivisible.
    const paths = pathsIn(whole).filter(([part]) => name !== CLOCK_FILE.name || part !== 'state');
    const read = kind.schema.parse(whole) as object;
    const faults = paths.flatMap((path) =>
      DAMAGES.flatMap((damage) => {
        const damaged = copyOf(whole);
        around(damaged, path)[path.at(-1)!] = damage;
        const found = salvage(kind.schema, copyOf(damaged), kind.empty as object);
        const gone = found === null ? ['all'] : goneBeside(read, path, found.value as Record<string, unknown>);
        return gone.length === 0 ? [] : [`${path.join('.')} = ${JSON.stringify(damage)}: ${gone.join(', ')}`];
      }),
    );
    expect(faults).toEqual([]);
  },
);

it.each([CLOCK_FILE.name, CERTIFICATE_FILE.name])('%s is indivisible: it is read from the previous copy', (name) => {
  const [kind, whole, path] =
    name === CLOCK_FILE.name
      ? [CLOCK_FILE, ROWS.find((row) => (row.kind as unknown) === CLOCK_FILE)!.whole, ['state', 'offset']]
      : [
          CERTIFICATE_FILE,
          { version: 1, authority: { cert: 'a', key: 'b', own: [] }, leaf: { cert: 'c', key: 'd' } },
          ['leaf'],
        ];
  openStateFile(kind as never, folder).writeSync(whole as never);
  openStateFile(kind as never, folder).writeSync(whole as never);
  const damaged = copyOf(whole);
  around(damaged, path as Path)[(path as Path).at(-1)!] = true;
  writeFileSync(join(folder.path, name), JSON.stringify(damaged));
  expect(openStateFile(kind as never, folder).read()).toEqual(whole);
  expect(new DamagedFiles(folder).list()).toMatchObject([{ file: name, whole: 'previous' }]);
});

it('a state file that is far too large ends the start with one line', () => {
  writeFileSync(join(folder.path, 'alerts.json'), '');
  truncateSync(join(folder.path, 'alerts.json'), 65 * 1024 ** 2);
  expect(() => openStateFile(ALERTS_FILE, folder).read()).toThrow('too large for such a file');
});
