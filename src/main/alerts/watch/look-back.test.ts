import { beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../../test/support/alert-notices.ts';
import { EngineUnderRules } from '../../../../test/support/engine-under-rules.ts';
import { knownDevice } from '../../../../test/support/rules-under-test.ts';
import type { RangeRule } from '../../../shared/alerts/rule.ts';
import { type FieldName, perFieldName } from '../../../shared/protocol/fields.ts';
import type { KnownDevice, MergedReading, StoresView } from '../../store/stores-view.ts';
import { lookBack } from './catch-up.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const OTHER = 'cd'.repeat(32);
const END = 2n ** 64n - 1n;

type Values = Partial<Record<FieldName, number>>;

let node: EngineUnderRules;
/** The pages of a device, newest first; each is a list of values a minute apart. */
let pages: Record<string, Values[][]>;
/** The arguments of each page that was read, but its position. */
let asked: unknown[];
let positions: (bigint | null)[];
/** The error of the stores, if they can't be read. */
let fault: Error | null;
beforeEach(async () => {
  node = new EngineUnderRules();
  [pages, asked, positions, fault] = [{}, [], [], null];
  await node.know([knownDevice()]);
  await node.pass(MINUTE);
});

/** Returns values, newest first, as readings; the newest was measured at AT and arrived a second later. */
function readings(values: readonly Values[], first: number): MergedReading[] {
  return values.map((each, index) => {
    const at = AT - (first + index) * MINUTE;
    const fields = perFieldName((name) => each[name] ?? null);
    return { seq: BigInt(at), timestamp: BigInt(at), receivedAt: at + 1000, keyVersion: 0, fields, store: 'private' };
  });
}

/** The stores; an error instead of a page if there is a fault. */
const stores = {
  latest: async (id: string, axis: string, limit: number) => {
    asked.push([id, axis, limit]);
    return readings((pages[id] ?? []).flat(), 0);
  },
  page: async (id: string, span: unknown, after: MergedReading | null, limit: number, options: unknown) => {
    if (fault !== null) throw fault;
    const mine = positions.filter((_, index) => (asked[index] as unknown[])[0] === id).length;
    asked.push([id, span, limit, options]);
    positions.push(after?.seq ?? null);
    const page = pages[id]?.[mine] ?? [];
    return readings(page, (pages[id] ?? []).slice(0, mine).flat().length);
  },
} as unknown as StoresView;

const full = (last: Values, values: Values = { ph: 5 }) => [...new Array<Values>(499).fill(values), last];

/** Evaluates the rules as new ones. */
function run(): Promise<boolean> {
  node.engine.follow({ looksBack: true });
  return lookBack({ engine: node.engine, clock: node.clock }, stores);
}

it('nothing is read if no rule is new', async () => {
  expect([await run(), asked]).toEqual([false, []]);
});

it('a new rule has the beginning that it would have had from the start', async () => {
  const rule = node.rule({ forMinutes: 10 });
  pages = { [DEVICE]: [[{ ph: 5 }, { ph: 4 }, ...new Array<Values>(10).fill({ ph: 5 }), { ph: 6 }, { ph: 5 }]] };
  expect(await run()).toBe(true);
  expect(node.live).toMatchObject([
    {
      ...{ rule: rule.id, device: DEVICE, state: 'firing', since: AT - 11 * MINUTE, firedAt: AT + MINUTE },
      ...{ value: 5, extreme: 4 },
    },
  ]);
  expect(node.engine.waiting).toEqual([]);
  const span = { axis: 'timestamp', from: BigInt(AT + MINUTE - 7 * DAY), to: END };
  expect(asked).toEqual([[DEVICE, span, 500, { order: 'descending' }]]);
});

it('a rule that does not fire yet brings no news', async () => {
  node.rule({ forMinutes: 10 });
  pages = { [DEVICE]: [[{ ph: 5 }, { ph: 6 }]] };
  expect([await run(), node.live.map(({ state }) => state)]).toEqual([false, ['pending']]);
});

it('there is news if any of several devices has some', async () => {
  await node.know([knownDevice(), knownDevice({}, { id: OTHER })]);
  node.rule();
  pages = { [DEVICE]: [[{ ph: 5 }]] };
  expect(await run()).toBe(true);
  expect(node.live.map(({ device }) => device)).toEqual([DEVICE]);
});

it('the earliest time is that of 1970, and a whole millisecond', async () => {
  node.rule();
  node.clock.set(7 * DAY - 1);
  await run();
  node.rule();
  node.clock.set(7 * DAY + 5.5);
  await run();
  expect(asked).toMatchObject([
    [DEVICE, { from: 0n }, 500, {}],
    [DEVICE, { from: 5n }, 500, {}],
  ]);
});

it('a device whose clock is not set is read by the arrival of its latest readings', async () => {
  node.rule({ forMinutes: 10 });
  node.engine.admit();
  node.engine.watchOf(DEVICE)!.isClockUnset = true;
  pages = { [DEVICE]: [[...new Array<Values>(12).fill({ ph: 5 }), { ph: 6 }]] };
  expect(await run()).toBe(true);
  expect(node.live).toMatchObject([{ since: AT - 11 * MINUTE }]);
  expect(asked).toEqual([[DEVICE, 'received', 500]]);
});

it('a rule does not wait for longer if the stores can’t be read', async () => {
  node.rule();
  fault = new Error('no disk');
  await expect(run()).rejects.toThrow('no disk');
  expect(node.engine.waiting).toEqual([]);
});

describe('a device is read back', () => {
  it('page after page, from the last reading of the one before', async () => {
    node.rule();
    pages = { [DEVICE]: [full({ ph: 5 }), full({ ph: 5 }), [{ ph: 5 }]] };
    await run();
    expect(positions).toEqual([null, BigInt(AT - 499 * MINUTE), BigInt(AT - 999 * MINUTE)]);
    expect(node.live).toMatchObject([{ since: AT - 1000 * MINUTE }]);
  });

  it('for twenty thousand readings at most', async () => {
    node.rule();
    pages = { [DEVICE]: new Array(41).fill(full({ ph: 5 })) };
    await run();
    expect(asked).toHaveLength(40);
  });

  it('until each rule has found a right value', async () => {
    node.rule();
    node.rule({ field: 'ec', low: 1, high: null });
    pages = { [DEVICE]: [full({ ph: 6 }), full({ ec: 1 }, { ph: 6, ec: 0.5 }), full({ ph: 6 })] };
    await run();
    expect(asked).toHaveLength(2);
  });

  const PH = { field: 'ph', low: 5.5, high: 6.5 } as const;
  const corrected: Partial<KnownDevice> = { corrections: [{ field: 'ph', from: 0, slope: 1, offset: 1 }] };
  it.each<[string, Partial<RangeRule>, Values, boolean, Partial<KnownDevice>?]>([
    ['the lowest value', PH, { ph: 5.5 }, true],
    ['a lower value', PH, { ph: 5.4 }, false],
    ['the highest value', PH, { ph: 6.5 }, true],
    ['a higher value', PH, { ph: 6.6 }, false],
    ['a low value without a lower bound', { ...PH, low: null }, { ph: 1 }, true],
    ['a high value without a lower bound', { ...PH, low: null }, { ph: 7 }, false],
    ['a high value without an upper bound', { ...PH, high: null }, { ph: 9 }, true],
    ['a low value without an upper bound', { ...PH, high: null }, { ph: 5 }, false],
    ['no value', PH, { ec: 6 }, false],
    ['a derived value', { field: 'vpd', low: 0.5, high: 1.5 }, { tempAmbient: 25, humidity: 65 }, true],
    ['a derived value outside', { field: 'vpd', low: 0.5, high: 1 }, { tempAmbient: 25, humidity: 65 }, false],
    ['a value that is corrected', PH, { ph: 5 }, true, corrected],
    ['a value that is wrong when it is corrected', PH, { ph: 6 }, false, corrected],
  ])('by one page if it has a right value: %s', async (_name, rule, last, isRight, device = {}) => {
    await node.know([{ ...knownDevice(), ...device }]);
    node.rule({ margin: 0, ...rule });
    pages = { [DEVICE]: [full(last, {}), full({ ph: 6 }, {})] };
    await run();
    expect(asked.length === 1).toBe(isRight);
  });
});

describe('the engine', () => {
  it('lets new rules wait for the earlier readings of each device', async () => {
    const rule = node.rule({ forMinutes: 10 });
    const units = { ec: { label: 'drops' } };
    node.leafOffsets.set(DEVICE, -2);
    await node.know([knownDevice({ units }), knownDevice({}, { id: OTHER })]);
    node.engine.follow({ looksBack: true });
    const seen = { corrections: [], units, leafOffset: -2 };
    expect(node.engine.waiting).toMatchObject([
      { device: { id: DEVICE }, seen, rules: [rule] },
      { device: { id: OTHER }, seen: { leafOffset: null }, rules: [rule] },
    ]);
    expect(node.engine.lookBack('unknown', [])).toBe(false);
    const past = [-11, -5, 0].map((minute) => {
      const at = AT + minute * MINUTE;
      return node.reading({ ph: 5 }, { receivedAt: at, timestamp: String(at) });
    });
    expect(node.engine.lookBack(DEVICE, past)).toBe(true);
    expect(node.live).toMatchObject([{ device: DEVICE, since: AT - 11 * MINUTE, firedAt: AT + MINUTE }]);
    expect(node.engine.waiting.map(({ device }) => device.id)).toEqual([OTHER]);
  });

  it('does not compare readings from before a clock that was set back with those after it', async () => {
    node.rule({ forMinutes: 10 });
    await node.know([knownDevice()]);
    node.engine.follow({ looksBack: true });
    const past = [0, -20, -15].map((minute) => {
      const at = AT + minute * MINUTE;
      return node.reading({ ph: minute === 0 ? 6 : 5 }, { receivedAt: at, timestamp: String(at) });
    });
    expect(node.engine.lookBack(DEVICE, past)).toBe(false);
    expect(node.live).toMatchObject([{ state: 'pending', since: AT - 20 * MINUTE }]);
  });

  it('finds derived and corrected values in earlier readings', async () => {
    node.rule({ field: 'vpd', low: null, high: 1.3, margin: 0 });
    await node.know([{ ...knownDevice(), corrections: [{ field: 'tempAmbient', from: 0, slope: 1, offset: 5 }] }]);
    node.engine.follow({ looksBack: true });
    expect(node.engine.lookBack(DEVICE, [node.reading({ tempAmbient: 25, humidity: 65 })])).toBe(true);
  });
});
