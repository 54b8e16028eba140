import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { rangeModel } from '../../../test/support/range-model.ts';
import { runs } from '../../../test/support/thorough.ts';
import { TimedAlerts } from '../../../test/support/timed-alerts.ts';
import type { Alert } from '../../shared/alerts/alert.ts';
import type { Change, RangeReading } from '../../shared/alerts/range-machine.ts';
import type { RangeRule, RuleInput } from '../../shared/alerts/rule.ts';
import { DeviceWatch } from './watch/device-watch.ts';

const MINUTE = 60_000;
const REPEAT = 30;

type Action =
  | { readonly kind: 'read'; readonly value: number; readonly late: number }
  | { readonly kind: 'pass' | 'snooze'; readonly minutes: number }
  | { readonly kind: 'edit'; readonly low: number }
  | { readonly kind: 'severity'; readonly severity: 'warning' | 'critical' }
  | { readonly kind: 'turn'; readonly isOn: boolean }
  | { readonly kind: 'acknowledge' | 'restart' };

const action = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      value: fc.constantFrom(8, 9, 9, 9, 10, 11, 15, 15, 31),
      late: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(8)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.constantFrom(1, 5, 29, 31) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('snooze' as const), minutes: fc.constantFrom(1, 3, 60) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), low: fc.constantFrom(10, 12) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('severity' as const),
      severity: fc.constantFrom('warning' as const, 'critical' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('turn' as const), isOn: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'acknowledge' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

/** The live alerts, and when each was last reported. */
interface Live {
  state: Alert['state'];
  severity: Alert['severity'];
  snoozedUntil: number | null;
  toldAt: number | null;
}

/** A simple model of the states: the state of the range, and what the owner did since. */
class Model {
  live: Live | null = null;
  /** Why each alert ended, the latest first. */
  readonly ended: Alert['ended'][] = [];
  readonly #watch = new DeviceWatch();
  readonly #readings: RangeReading[] = [];

  read(rule: RangeRule, value: number, timestamp: number, receivedAt: number, seq: bigint): void {
    const times = { seq: String(seq), timestamp: String(timestamp), receivedAt };
    const { measuredAt, lateMs } = this.#watch.take({ deviceId: '', ...times, values: { ph: value }, sealed: [] }, 0);
    this.#readings.push({ measuredAt, lateMs, value });
    if (!rule.isOn) return;
    const said = rangeModel(rule, this.#readings).at(-1)!;
    for (const change of said.split(',').filter((each) => each !== '') as Change[]) {
      if (change === 'began') {
        this.live = { state: 'pending', severity: rule.severity, snoozedUntil: null, toldAt: null };
      } else if (change === 'fired') {
        this.live = { ...this.live!, state: 'firing', toldAt: receivedAt };
      } else this.end('back');
    }
  }

  end(why: Alert['ended']): void {
    if (this.live !== null && this.live.state !== 'pending') this.ended.unshift(why);
    this.live = null;
  }

  /** Applies a rule with a changed condition, as if it had always been so. */
  begin(rule: RangeRule, now: number): void {
    if (!rule.isOn) return;
    const changes = rangeModel(rule, this.#readings).flatMap((said) => said.split(',').filter((each) => each !== ''));
    const last = changes.at(-1);
    if (last !== 'began' && last !== 'fired') return;
    const isFiring = last === 'fired';
    this.live = {
      state: isFiring ? 'firing' : 'pending',
      severity: rule.severity,
      snoozedUntil: null,
      toldAt: isFiring ? now : null,
    };
  }

  tick(now: number): void {
    const { live } = this;
    if (live === null) return;
    const isAwake = live.state === 'snoozed' && now >= live.snoozedUntil!;
    const isDue = live.state === 'firing' && now - live.toldAt! >= REPEAT * MINUTE;
    if (isAwake || isDue) this.live = { ...live, state: 'firing', snoozedUntil: null, toldAt: now };
  }
}

async function run(forMinutes: number, actions: readonly Action[]): Promise<void> {
  const node = await TimedAlerts.start();
  try {
    for (const { rule } of (await node.alerts.handlers.alertRules({})).rules) {
      await node.write({ ...rule, isOn: false } as RuleInput);
    }
    const input = { ...RANGE_RULE, low: 10, high: 30, margin: 2, repeatMinutes: REPEAT, forMinutes };
    let rule = (await node.write(input)) as RangeRule;
    const model = new Model();
    const write = async (change: Partial<RangeRule>) => {
      rule = (await node.write({ ...rule, ...change } as RuleInput)) as RangeRule;
    };
    for (const each of actions) {
      switch (each.kind) {
        case 'read': {
          await node.pass(MINUTE);
          model.tick(node.wall);
          // Ensures that no two readings have the same time.
          const timestamp = node.wall - each.late * MINUTE - (each.late > 0 ? Number(node.seq) : 0);
          node.receive({ ph: each.value }, timestamp);
          model.read(rule, each.value, timestamp, node.wall, node.seq);
          break;
        }
        case 'pass':
          await node.pass(each.minutes * MINUTE);
          model.tick(node.wall);
          break;
        case 'acknowledge':
        case 'snooze': {
          const [alert] = await node.live();
          if (alert === undefined || alert.state === 'pending') break;
          const until = each.kind === 'snooze' ? node.wall + each.minutes * MINUTE : null;
          if (until === null) await node.alerts.handlers.acknowledgeAlert({ id: alert.id });
          else await node.alerts.handlers.snoozeAlert({ id: alert.id, until });
          model.live = { ...model.live!, state: until === null ? 'acknowledged' : 'snoozed', snoozedUntil: until };
          break;
        }
        case 'edit':
        case 'turn': {
          const isOther = each.kind === 'edit' ? each.low !== rule.low : each.isOn !== rule.isOn;
          const wasOn = rule.isOn;
          await write(each.kind === 'edit' ? { low: each.low } : { isOn: each.isOn });
          if (!isOther) break;
          if (wasOn) model.end(rule.isOn ? 'rule_changed' : 'rule_off');
          model.begin(rule, node.wall);
          break;
        }
        case 'severity':
          await write({ severity: each.severity });
          if (model.live !== null) model.live = { ...model.live, severity: each.severity };
          break;
        case 'restart':
          await node.alerts.stop();
          await node.start();
      }
      const live = (await node.live()).map(({ state, severity, snoozedUntil }) => ({ state, severity, snoozedUntil }));
      const told = node.alerts.firings.all.map(({ toldAt }) => ({ toldAt }));
      const expected = model.live === null ? [] : [model.live];
      expect(live.map((alert, index) => ({ ...alert, ...told[index] }))).toEqual(expected);
      expect((await node.ended()).map(({ ended }) => ended)).toEqual(model.ended.slice(0, 50));
    }
  } finally {
    await node.dispose();
  }
}

it('for any readings and any actions of the owner, the states match a simple model', async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(0, 1, 3), fc.array(action, { minLength: 20, maxLength: 50 }), run), {
    ...runs(20),
    interruptAfterTimeLimit: 60_000,
    markInterruptAsFailure: false,
  });
}, 240_000);
