import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AT } from '../../../test/support/alert-notices.ts';
import { OwnerStoresForTest } from '../../../test/support/owner-stores.ts';
import { RulesUnderTest } from '../../../test/support/rules-under-test.ts';
import type { Cycle } from '../../shared/owner-data/cycles.ts';
import type { NewEntry } from '../store/port.ts';
import { CycleRules } from './cycle-rules.ts';
import { logStages } from './stage-log.ts';

const GROUP = '3f0f6f5e-8a5a-4f1e-9d43-0c7f4c2f6a12';
/** Midnight of the day on which the stage began. */
const BEGAN = Date.UTC(2026, 10, 12);

let stores: OwnerStoresForTest;
let devices: string[];
beforeAll(() => {
  stores = new OwnerStoresForTest();
  devices = ['One', 'Two'].map((name) => stores.register({ name }, ['private']).id);
  const groups = [
    { id: crypto.randomUUID(), name: 'Shelf', isCollapsed: false, devices: [] },
    { id: GROUP, name: 'Bench', isCollapsed: false, devices },
  ];
  stores.write('private', [{ kind: 'choose', name: 'groups', value: JSON.stringify(groups), updatedAt: AT }]);
});
afterAll(() => stores.dispose());

let cycles: CycleRules;
/** The crop of this test, on the first device. */
let crop: Cycle;
let written: NewEntry[];
let fault: Error | null;
let logged: Record<string, unknown>[];
beforeEach(() => {
  const { rules, firings } = new RulesUnderTest();
  cycles = new CycleRules(rules, firings, { devicesAt: () => [], isDay: () => true });
  crop = {
    ...{ id: crypto.randomUUID(), crop: 'Tomato', variety: 'Sakura', zone: 'UTC', plantedAt: '2026-11-01' },
    ...{ place: { kind: 'device', device: devices[0]! }, plants: null, areaM2: null, endedAt: null },
    stages: [{ name: 'Seedling', from: '2026-11-12', ranges: [] }],
  };
  [written, fault, logged] = [[], null, []];
  cycles.restore([]);
});

/** Writes the begun stages of some crops to the log. */
function run(list: readonly Cycle[] = [crop]): Promise<boolean> {
  cycles.know(list);
  cycles.follow(AT);
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const writeEntry = async (entry: NewEntry) => {
    if (fault !== null) throw fault;
    written.push(entry);
    stores.write('private', [{ kind: 'writeEntry', ...entry }]);
  };
  return logStages(cycles, { stores: { locations: stores.paths }, writeEntry, log }, AT);
}
const entry = (change: Partial<NewEntry> = {}): NewEntry => ({
  ...{ id: null, device: devices[0]!, at: BEGAN, updatedAt: AT, text: 'Tomato Sakura: Seedling' },
  ...{ act: { kind: 'stageChanged', cycle: crop.id }, ...change },
});

describe('a stage that begins', () => {
  it('gets one entry at its midnight', async () => {
    expect(await run()).toBe(true);
    expect(written).toEqual([entry()]);
    expect([await run(), written.length, logged]).toEqual([false, 1, []]);
  });

  it('is named without a variety if the crop has none', async () => {
    await run([{ ...crop, variety: '' }]);
    expect(written).toEqual([entry({ text: 'Tomato: Seedling' })]);
  });

  it('at a group gets an entry for each of its devices, with the name of the group', async () => {
    await run([{ ...crop, place: { kind: 'group', group: GROUP } }]);
    expect(written).toEqual(devices.map((device) => entry({ device, text: 'Tomato Sakura: Seedling · Bench' })));
  });

  it('at a group that is gone gets none, and counts as logged', async () => {
    crop = { ...crop, place: { kind: 'group', group: crypto.randomUUID() } };
    expect([await run(), await run(), written]).toEqual([true, false, []]);
  });

  it('gets an entry for each stage that has begun', async () => {
    const second = { name: 'Growing', from: '2026-11-14', ranges: [] };
    await run([{ ...crop, stages: [...crop.stages, second] }]);
    expect(written.map(({ text, at }) => [text, at])).toEqual([
      ['Tomato Sakura: Seedling', BEGAN],
      ['Tomato Sakura: Growing', BEGAN + 2 * 86_400_000],
    ]);
  });

  it('is logged later if the log can’t be written now', async () => {
    fault = new Error('full');
    expect([await run(), cycles.kept![0]!.logged]).toEqual([true, '']);
    expect(logged).toEqual([
      { level: 40, err: expect.objectContaining({ message: 'full' }), msg: 'the log can’t be told that a stage began' },
    ]);
    fault = null;
    expect([await run(), written]).toEqual([true, [entry()]]);
  });

  it('is not logged by a node that writes no entries', async () => {
    cycles.know([crop]);
    cycles.follow(AT);
    const log = pino({ level: 'silent' });
    expect(await logStages(cycles, { stores: { locations: stores.paths }, log }, AT)).toBe(false);
    expect(cycles.kept![0]!.logged).toBe('');
  });
});

describe('an entry that is there already', () => {
  it('is not written again', async () => {
    stores.write('private', [{ kind: 'writeEntry', ...entry() }]);
    expect([await run(), written]).toEqual([true, []]);
    expect(cycles.kept![0]!.logged).toBe('2026-11-12 Seedling');
  });

  it.each<[string, () => Partial<NewEntry>]>([
    ['another device', () => ({ device: devices[1]! })],
    ['no device', () => ({ device: null })],
    ['another time', () => ({ at: BEGAN - 1 })],
    ['a later time', () => ({ at: BEGAN + 1 })],
    ['another text', () => ({ text: 'Tomato: Seedling' })],
    ['another crop', () => ({ act: { kind: 'stageChanged', cycle: crypto.randomUUID() } })],
    ['another kind', () => ({ act: { kind: 'pruned', cycle: crop.id } })],
    ['no kind', () => ({ act: undefined })],
  ])('does not count if it is of %s', async (_name, change) => {
    stores.write('private', [{ kind: 'writeEntry', ...entry(change()) }]);
    await run();
    expect(written).toEqual([entry()]);
  });
});
