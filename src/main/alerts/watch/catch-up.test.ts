import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AT, someAlert } from '../../../../test/support/alert-notices.ts';
import { EngineUnderRules } from '../../../../test/support/engine-under-rules.ts';
import { OwnerStoresForTest } from '../../../../test/support/owner-stores.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import type { MergedReading, StoresView } from '../../store/stores-view.ts';
import { catchUp, type Left } from './catch-up.ts';
import type { KeptDevice } from './engine.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NEVER = Number.NEGATIVE_INFINITY;
const END = 2n ** 64n - 1n;

let stores: OwnerStoresForTest;
beforeAll(() => {
  stores = new OwnerStoresForTest();
});
afterAll(() => stores.dispose());

let node: EngineUnderRules;
/** A device of its own for each test. */
let device: string;
/** The pages that were read, as arguments. */
let pages: Parameters<StoresView['page']>[];
beforeEach(async () => {
  node = new EngineUnderRules();
  pages = [];
  device = stores.register({ name: 'Tank' }, ['private']).id;
  // The node starts an hour after the times of the tests.
  await node.pass(HOUR);
});

/** Stores readings, each as its minute after AT and its pH, and where they differ its EC and its time. */
function store(readings: readonly (readonly [number, number | null, number?, number?])[], id = device): void {
  stores.append(
    'private',
    id,
    readings.map(([minute, ph, ec, timestamp], index) => {
      const receivedAt = AT + minute * MINUTE;
      const values: Partial<Record<string, number | null>> = { ph, ec: ec ?? null };
      const fields = FIELD_NAMES.map((name) => values[name] ?? null);
      return { seq: BigInt(index + 1), timestamp: BigInt(timestamp ?? receivedAt), receivedAt, fields };
    }),
  );
}

async function run(left: Left | null, ids: readonly string[] = [device]): Promise<boolean> {
  return (await stores.reader).snapshot(async (view) => {
    await node.devices.reload(view, ids, new Set());
    const seen = {
      latest: (...args: Parameters<StoresView['latest']>) => view.latest(...args),
      page: (...args: Parameters<StoresView['page']>) => {
        pages.push(args);
        return view.page(...args);
      },
    } as StoresView;
    return catchUp({ engine: node.engine, devices: node.devices, clock: node.clock }, seen, left);
  });
}

const kept = (change: Partial<KeptDevice> = {}): KeptDevice => ({
  ...{ id: device, newestAt: AT, lastReceivedAt: AT, fields: {} },
  ...change,
});
const left = (change: Partial<KeptDevice> = {}): Left => ({ devices: [kept(change)], savedAt: AT });
const watch = () => node.engine.watchOf(device)!;

describe('without an earlier run', () => {
  it('a device has the times of its latest readings, and its rules wait for the earlier ones', async () => {
    const rule = node.rule();
    store([
      [-9, 6, 1],
      [-5, 5],
      [-4, 5],
    ]);
    expect(await run(null)).toBe(false);
    expect(watch()).toMatchObject({ newestAt: AT - 4 * MINUTE, lastReceivedAt: AT - 4 * MINUTE, heardAt: HOUR });
    expect(Object.fromEntries(watch().fields)).toEqual({
      ph: { receivedAt: AT - 4 * MINUTE, heardAt: HOUR },
      ec: { receivedAt: AT - 9 * MINUTE, heardAt: HOUR },
    });
    expect(node.engine.waiting.map(({ rules }) => rules)).toEqual([[rule]]);
    expect([pages, node.live]).toEqual([[], []]);
  });

  it.each([
    [49, ['ph', 'ec']],
    [50, ['ph']],
  ])('fifty readings are enough: a value before %d others', async (others, fields) => {
    store([[0, 6, 1], ...Array.from({ length: others }, (_, index) => [index + 1, 6] as const)]);
    await run(null);
    expect([...watch().fields.keys()].toSorted()).toEqual(fields.toSorted());
  });

  it('a device without readings was never heard', async () => {
    expect(await run(null)).toBe(false);
    expect(watch()).toMatchObject({ newestAt: NEVER, lastReceivedAt: null, heardAt: NEVER });
  });
});

describe('after an earlier run', () => {
  it('only the time in which the node ran counts as silence', async () => {
    store([
      [-7, 6, 1],
      [-5, 6],
    ]);
    await run(left({ fields: { waterLevel: AT - 2 * HOUR, ph: AT - 3 * HOUR } }));
    expect(watch().heardAt).toBe(HOUR - 5 * MINUTE);
    expect(Object.fromEntries(watch().fields)).toEqual({
      ph: { receivedAt: AT - 5 * MINUTE, heardAt: HOUR - 5 * MINUTE },
      ec: { receivedAt: AT - 7 * MINUTE, heardAt: HOUR - 7 * MINUTE },
      waterLevel: { receivedAt: AT - 2 * HOUR, heardAt: HOUR - 2 * HOUR },
    });
    expect(watch()).toMatchObject({ newestAt: AT, lastReceivedAt: AT - 5 * MINUTE });
  });

  it('a reading after it counts as heard now', async () => {
    store([[20, 6]]);
    await run(left());
    expect(watch()).toMatchObject({ newestAt: AT + 20 * MINUTE, lastReceivedAt: AT + 20 * MINUTE, heardAt: HOUR });
  });

  it('the readings since the save are evaluated in the order of arrival', async () => {
    const rule = node.rule({ forMinutes: 10 });
    store([
      [1, 6],
      [2, 5],
      [7, 4.5],
      [12, 5],
      [13, 5],
    ]);
    expect(await run(left())).toBe(true);
    expect(node.engine.waiting).toEqual([]);
    node.engine.settle();
    expect(node.live).toMatchObject([
      { rule: rule.id, device, state: 'firing', since: AT + 2 * MINUTE, firedAt: AT + 12 * MINUTE, extreme: 4.5 },
    ]);
    expect(node.heard()).toEqual(['fired range']);
  });

  it('those of several devices are evaluated in the order of arrival', async () => {
    node.rule();
    const other = stores.register({ name: 'Other' }, ['private']).id;
    store([[5, 5]]);
    store([[4, 7]], other);
    expect(await run({ devices: [kept(), kept({ id: other })], savedAt: AT }, [device, other])).toBe(true);
    expect(node.live.map((alert) => alert.device)).toEqual([other, device]);
  });

  it.each([
    [-MINUTE - 1, []],
    [-MINUTE, ['range']],
  ])('a reading that arrived up to a minute before the save is evaluated: %d ms', async (after, kinds) => {
    node.rule();
    store([[after / MINUTE, 5]]);
    expect(await run(left({ newestAt: AT - HOUR }))).toBe(kinds.length > 0);
    expect(node.live.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('a reading that was evaluated already changes nothing', async () => {
    node.rule();
    store([[0, 5]]);
    expect([await run(left()), node.live]).toEqual([false, []]);
  });

  it.each([
    ['from the newest evaluated one', AT, AT - 10 * MINUTE],
    ['from a whole millisecond', AT + 0.5, AT - 10 * MINUTE],
    ['from the first', null, 0],
  ])('readings are read again %s, and as long before it as a rule waits', async (_name, newestAt, from) => {
    node.rule({ forMinutes: 3 });
    node.rule({ forMinutes: 10 });
    store([[-30, 6]]);
    await run(left({ newestAt }));
    const span = { axis: 'timestamp', from: BigInt(from), to: END };
    expect(pages).toEqual([[device, span, null, 2000, { order: 'descending' }]]);
  });

  it('a device that registered since then is evaluated from its first reading on', async () => {
    node.rule();
    store([[5, 5]]);
    expect(await run({ devices: [], savedAt: AT })).toBe(true);
    expect(pages.map(([, { from }]) => from)).toEqual([0n]);
    expect(watch().newestAt).toBe(AT + 5 * MINUTE);
  });

  it('a pending alert continues: the readings that are shown again look like no clock that was set back', async () => {
    const rule = node.rule({ forMinutes: 10 });
    const alert = someAlert({ rule: rule.id, device, state: 'pending', since: AT - 5 * MINUTE, firedAt: null });
    node.firings.restore([{ alert, toldAt: null }]);
    store([
      [1, 5],
      [3, 5],
      [6, 5],
    ]);
    expect(await run(left())).toBe(true);
    expect(node.live).toMatchObject([{ id: alert.id, state: 'firing', since: AT - 5 * MINUTE }]);
  });

  it.each([
    [5 * MINUTE, AT + HOUR + 5 * MINUTE],
    [5 * MINUTE + 1, NEVER],
  ])(
    'a newest time up to five minutes ahead counts, and a later one is from a wrong clock: %d ms',
    async (ahead, newestAt) => {
      await run(left({ newestAt: AT + HOUR + ahead }));
      expect(watch().newestAt).toBe(newestAt);
    },
  );

  it('a device whose clock is not set is evaluated by the arrival of its latest readings', async () => {
    node.rule();
    store([
      [1, 6, 1, 1000],
      [2, 5, 1, 2000],
    ]);
    expect(await run(left({ newestAt: null }))).toBe(true);
    expect(pages).toEqual([]);
    expect(watch().isClockUnset).toBe(true);
    expect(node.live).toMatchObject([{ since: AT + 2 * MINUTE }]);
  });
});

describe('the readings that are read again', () => {
  /** Returns the number of pages of as many readings that are read, and after which reading the last one begins. */
  const read = async (sizes: readonly number[]) => {
    const after: (bigint | null)[] = [];
    let seq = 1_000_000n;
    await node.know([knownDevice({}, { id: device })]);
    const plain = {
      latest: async () => [],
      page: async (_id: string, _span: unknown, from: MergedReading | null) => {
        const size = sizes[after.length] ?? 2000;
        after.push(from?.seq ?? null);
        return Array.from({ length: size }, () => {
          seq -= 1n;
          return { seq, timestamp: seq, receivedAt: 0, keyVersion: 0, fields: {}, store: 'private' };
        });
      },
    };
    const { engine, devices, clock } = node;
    await catchUp({ engine, devices, clock }, plain as unknown as StoresView, left());
    return after;
  };

  it('end with the first page that is not full', async () => {
    expect(await read([2000, 2000, 1999])).toEqual([null, 998_000n, 996_000n]);
    expect(await read([0])).toEqual([null]);
  });

  it('are twenty thousand at most', async () => {
    expect(await read([])).toHaveLength(10);
  });
});
