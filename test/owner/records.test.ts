import { describe, expect, it } from 'vitest';
import type { Input } from '../../src/shared/owner-api/contract.ts';
import { NO_CHOICES } from '../../src/shared/owner-data/no-choices.ts';
import { NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import { registeredDevice } from '../support/client.ts';
import { runningNode, startNode } from '../support/node-process.ts';
import { call, EventSocket, failure } from '../support/owner-client.ts';
import { UNKNOWN_DEVICE as UNKNOWN } from '../support/owner-inputs.ts';

const node = runningNode({ args: ['--ui'] });
const refusal = [400, { ok: false, error: 'invalid_input', details: expect.any(String) }];
const ID = '6b1f4c2e-7a3d-4c55-9d10-2f6f0a1b2c3d';
const OTHER = '0f3c7a52-1c9e-4b6a-8a44-7d8e9f001122';
const [A, B] = ['aa'.repeat(32), 'bb'.repeat(32)];

describe('the owner’s choices for all devices', () => {
  const units = { temperature: 'fahrenheit', conductivity: 'millisiemens' } as const;
  const groups = [
    { id: ID, name: 'Roof', isCollapsed: true, devices: [A, B] },
    { id: OTHER, name: 'Cellar', isCollapsed: false, devices: [] },
  ];

  it('are saved one by one, reported to every screen, and there after a restart', async () => {
    const own = await startNode({ args: ['--ui'] });
    try {
      const socket = new EventSocket(own);
      await socket.ready;
      expect(await call(own, 'setOwnerChoices', { units })).toEqual({ ...NO_CHOICES, units });
      await socket.next('choices');
      expect(await call(own, 'setOwnerChoices', { groups })).toEqual({ ...NO_CHOICES, units, groups });
      const comparisons = [
        { id: ID, name: 'Roof and cellar', lines: [{ device: A, field: 'ec' as const }], range: '' },
      ];
      await call(own, 'setOwnerChoices', { comparisons });
      socket.close();
      await own.stop();
      const again = await startNode({ args: ['--ui'], dataDir: own.dataDir });
      expect(await call(again, 'ownerChoices', {})).toEqual({ ...NO_CHOICES, units, groups, comparisons });
      await again.stop();
    } finally {
      await own.dispose();
    }
  });

  it.each<[string, unknown]>([
    ['a unit of another quantity', { units: { temperature: 'inch' } }],
    ['an unknown unit', { units: { temperature: 'kelvin' } }],
    ['a device in two groups', { groups: groups.map((group) => ({ ...group, devices: [A] })) }],
    ['a device twice in a group', { groups: [{ ...groups[0], devices: [A, A] }] }],
    ['two groups of one id', { groups: [groups[0], { ...groups[1], id: ID }] }],
    ['a group without a name', { groups: [{ ...groups[0], name: ' ' }] }],
    [
      'nine lines',
      { comparisons: [{ id: ID, name: 'x', range: '', lines: new Array(9).fill({ device: A, field: 'ec' }) }] },
    ],
  ])('takes not %s, and nothing changes', async (_, choices) => {
    const before = await call(node.process, 'ownerChoices', {});
    expect(await failure(node.process, 'setOwnerChoices', choices)).toEqual(refusal);
    expect(await call(node.process, 'ownerChoices', {})).toEqual(before);
  });
});

describe('units of a device', () => {
  it.each<[string, unknown]>([
    ['a unit of another quantity', { ec: { shown: 'celsius' } }],
    ['a per cent full of what is no level', { humidity: { shown: 'percentFull' } }],
    ['a tank without a difference', { waterLevel: { tank: { empty: 100, full: 100 } } }],
    ['a tank of what is no level', { ec: { tank: { empty: 100, full: 10 } } }],
    ['a label and a unit', { ec: { label: 'NTU', shown: 'ppm500' } }],
    ['a label of nothing', { ec: { label: ' ' } }],
  ])('are refused where one is %s', async (_, units) => {
    const { id } = await registeredDevice(node.url('local'));
    const notes = { ...NO_NOTES, units };
    expect(await failure(node.process, 'setNotes', { id, notes })).toEqual(refusal);
    expect(await call(node.process, 'device', { id })).toMatchObject({ notes: NO_NOTES });
  });
});

describe('the journal', () => {
  const all = { device: null, from: null, to: null };

  it('adds, changes and deletes entries, and reports them to every screen', async () => {
    const device = await registeredDevice(node.url('local'));
    const socket = new EventSocket(node.process);
    await socket.ready;
    const input = { id: null, device: device.id, at: 1_763_640_000_000, text: 'Changed nutrients\n2 ml/l' };
    const entry = await call(node.process, 'writeJournalEntry', input);
    expect(entry).toEqual({ ...input, id: expect.any(Number), updatedAt: expect.any(Number) });
    await socket.next('journal');
    const again = { id: entry.id, device: null, at: 5, text: 'Changed nutrients, 3 ml/l' };
    const changed = await call(node.process, 'writeJournalEntry', again);
    expect((await call(node.process, 'journal', all)).entries).toEqual([changed]);
    await call(node.process, 'deleteJournalEntry', { id: entry.id });
    expect((await call(node.process, 'journal', all)).entries).toEqual([]);
    expect((await failure(node.process, 'deleteJournalEntry', { id: entry.id }))[0]).toBe(404);
    expect((await failure(node.process, 'writeJournalEntry', { ...input, id: entry.id }))[0]).toBe(404);
    socket.close();
  });

  it('stores an action with its amount', async () => {
    const act = { kind: 'toppedUp', amount: { value: 20, unit: 'l' } } as const;
    const entry = await call(node.process, 'writeJournalEntry', { id: null, device: null, at: 7, text: '', act });
    expect(entry).toMatchObject({ act, text: '' });
    expect((await call(node.process, 'journal', all)).entries).toEqual([entry]);
    await call(node.process, 'deleteJournalEntry', { id: entry.id });
  });

  it.each<[string, object]>([
    ['negative litres', { act: { kind: 'toppedUp', amount: { value: -3, unit: 'l' } } }],
    ['litres without an end', { act: { kind: 'toppedUp', amount: { value: 1e300, unit: 'l' } } }],
    ['an unknown kind', { act: { kind: 'sold' } }],
    ['a harvest of nothing', { act: { kind: 'harvested' } }],
    ['a writer of its own', { text: 'x', by: 'Ana' }],
    ['no word', {}],
  ])('takes not %s, and nothing changes', async (_, more) => {
    const input = { id: null, device: null, at: 7, text: '', ...more };
    expect(await failure(node.process, 'writeJournalEntry', input)).toEqual(refusal);
    expect((await call(node.process, 'journal', all)).entries).toEqual([]);
  });

  it('refuses an entry about an unknown device', async () => {
    const input: Input<'writeJournalEntry'> = { id: null, device: UNKNOWN, at: 1, text: 'x' };
    expect((await failure(node.process, 'writeJournalEntry', input))[0]).toBe(404);
  });
});
