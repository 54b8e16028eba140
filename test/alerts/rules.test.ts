import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import { builtInRules } from '../../src/shared/alerts/rule.ts';
import { RANGE_RULE } from '../support/alerts.ts';
import { type RunningNode, removeFolder, startNode, startProcess, temporaryFolder } from '../support/node-process.ts';
import { call, EventSocket, failure } from '../support/owner-client.ts';

let dataDir: string;
let node: RunningNode;
const options = () => ({ dataDir, args: ['--ui'], env: { PUBLIC_ENABLED: 'false' } });
const start = async () => {
  node = await startNode(options());
};
beforeAll(() => {
  dataDir = temporaryFolder();
});
afterAll(async () => {
  await node.dispose();
  removeFolder(dataDir);
});
afterEach(async () => {
  for (const { id, kind } of await rules())
    if (kind === 'range') await call(node, 'deleteAlertRule', { id: id as string });
});

const rules = async () => (await call(node, 'alertRules', {})).rules.map(({ rule }) => rule);

describe('rules', () => {
  it('exist by default; they and the owner’s survive a kill -9', async () => {
    let killed = await startProcess(options());
    node = killed;
    expect(await rules()).toEqual(builtInRules());
    const written = await call(node, 'writeAlertRule', { rule: RANGE_RULE });
    expect(written).toEqual({ ...RANGE_RULE, id: expect.any(String) });
    const silent = { ...builtInRules()[0]!, threshold: 90, isOn: false, repeatMinutes: 60 };
    expect(await call(node, 'writeAlertRule', { rule: silent })).toEqual(silent);
    const alertOptions = { ...NO_OPTIONS, quietHours: { from: '22:00', to: '07:00' } };
    await call(node, 'setAlertOptions', alertOptions);
    await killed.kill();
    killed = await startProcess(options());
    node = killed;
    expect(await rules()).toEqual([written, silent, ...builtInRules().slice(1)]);
    expect(await call(node, 'alertOptions', {})).toEqual(alertOptions);
    await call(node, 'deleteAlertRule', { id: written.id as string });
    await killed.kill();
    await start();
    expect(await rules()).toEqual([silent, ...builtInRules().slice(1)]);
    expect(statSync(join(dataDir, 'alerts.json')).mode & 0o777).toBe(0o600);
    await call(node, 'writeAlertRule', { rule: builtInRules()[0]! });
    await call(node, 'setAlertOptions', NO_OPTIONS);
  });

  it('that are invalid are refused', async () => {
    const wrong = [
      { ...RANGE_RULE, low: null, high: null },
      { ...RANGE_RULE, low: 7, high: 6 },
      { ...RANGE_RULE, margin: 10 },
      { ...RANGE_RULE, forMinutes: 1441 },
      { ...builtInRules()[0]!, threshold: 0 },
      { ...builtInRules()[1]!, threshold: null },
      { ...builtInRules()[2]!, threshold: 5 },
      { ...builtInRules()[0]!, kind: 'fieldSilent' },
    ];
    for (const rule of wrong) {
      expect(await failure(node, 'writeAlertRule', { rule }), JSON.stringify(rule)).toMatchObject([400, {}]);
    }
    const id = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';
    expect(await failure(node, 'writeAlertRule', { rule: { ...RANGE_RULE, id } })).toMatchObject([404, {}]);
    expect(await failure(node, 'deleteAlertRule', { id })).toMatchObject([404, {}]);
    expect(await failure(node, 'deleteAlertRule', { id: 'silent' })).toMatchObject([400, {}]);
    expect(await rules()).toEqual(builtInRules());
  });

  it('that change are reported to the page', async () => {
    const socket = new EventSocket(node);
    try {
      await socket.ready;
      await call(node, 'writeAlertRule', { rule: RANGE_RULE });
      await socket.next('alerts');
    } finally {
      socket.close();
    }
  });
});

it('diagnostics have the rules without names and devices, and only the kinds of channels', async () => {
  const device = 'ab'.repeat(32);
  await call(node, 'writeAlertRule', {
    rule: { ...RANGE_RULE, name: 'Aunt’s tank', scope: { kind: 'device', device } },
  });
  await call(node, 'writeAlertChannel', {
    channel: {
      ...{ id: null, name: 'My phone', isOn: true, withoutValues: false },
      target: { kind: 'ntfy', server: 'https://ntfy.example', topic: 'hush-1234' },
    },
    secrets: { token: 'tk_verysecret' },
  });
  const { files } = await call(node, 'diagnostics', {});
  const report = JSON.parse(files.find(({ name }) => name === 'report.json')!.text);
  expect(report.alerts.channels).toEqual(['ntfy']);
  expect(report.alerts.rules[0]).toEqual({
    ...{ kind: 'range', scope: 'device', field: 'ph', low: 5.5, high: 6.5, margin: 0.1, forMinutes: 0 },
    ...{ repeatMinutes: null, severity: 'warning', channels: 'all', isOn: true, devices: 0, sealedOn: 0 },
  });
  expect(report.alerts.rules).toHaveLength(1 + builtInRules().length);
  const all = files.map(({ text }) => text).join();
  for (const text of ['Aunt', device, 'My phone', 'ntfy.example', 'hush-1234', 'tk_verysecret'])
    expect(all).not.toContain(text);
});

// Each kind of damage, with and without a previous copy: src/main/state-files/state-file.test.ts.
it.each([
  ['{"version":1', true],
  ['{"version":2}', false],
  ['[]', true],
  ['', false],
])('a damaged file %j is kept, and the previous copy is used if there is one: %s', async (text, isThere) => {
  await call(node, 'writeAlertRule', { rule: RANGE_RULE });
  const before = await rules();
  const damaged = () => readdirSync(dataDir).filter((name) => name.startsWith('alerts.json.damaged-'));
  const earlier = damaged();
  await node.stop();
  const path = join(dataDir, 'alerts.json');
  writeFileSync(path, text);
  if (!isThere) rmSync(`${path}.previous`);
  await start();
  expect(await rules()).toEqual(isThere ? before : builtInRules());
  const [aside] = damaged().filter((name) => !earlier.includes(name));
  expect(readFileSync(join(dataDir, aside!), 'utf8')).toBe(text);
  expect(node.records.find(({ msg }) => String(msg).includes('was damaged'))).toMatchObject({ level: 50 });
});
