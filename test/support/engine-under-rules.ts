import { Engine } from '../../src/main/alerts/watch/engine.ts';
import { KnownDevices } from '../../src/main/alerts/watch/known-devices.ts';
import type { StoredReading } from '../../src/main/common/node-events.ts';
import type { KnownDevice, StoresView } from '../../src/main/store/stores-view.ts';
import type { RangeRule } from '../../src/shared/alerts/rule.ts';
import { DEVICE } from './alert-notices.ts';
import { RANGE_RULE } from './alerts.ts';
import { RulesUnderTest } from './rules-under-test.ts';

/** An engine with devices that the test chooses. */
export class EngineUnderRules extends RulesUnderTest {
  readonly devices = new KnownDevices();
  /** By how many °C leaves are warmer than the air, by device. */
  readonly leafOffsets = new Map<string, number>();
  isStoreMissing = false;
  readonly engine: Engine;
  #seq = 0;

  constructor() {
    super();
    const { rules, firings, clock, devices } = this;
    this.engine = new Engine({
      ...{ rules, firings, clock, devices },
      leafOffsetOf: (id) => this.leafOffsets.get(id) ?? null,
      isStoreMissing: () => this.isStoreMissing,
    });
  }

  /** Makes these the known devices. `groups` is the owner's choice of that name. */
  async know(devices: readonly KnownDevice[], groups: readonly object[] = []): Promise<void> {
    const stores = { devices: async () => devices, choices: async () => new Map([['groups', groups]]) };
    const names = new Set(this.rules.ranges.flatMap(({ scope }) => (scope.kind === 'device' ? [scope.device] : [])));
    await this.devices.load(stores as unknown as StoresView, names);
  }

  /** Adds a rule: pH between 5.5 and 6.5 on all devices, which fires at once. */
  rule(change: Partial<RangeRule> = {}): RangeRule {
    return this.rules.write({ ...RANGE_RULE, ...change, id: null }).rule as RangeRule;
  }

  /** Returns a reading that arrives now. */
  reading(values: StoredReading['values'], change: Partial<StoredReading> = {}): StoredReading {
    this.#seq += 1;
    const now = this.clock.now();
    const times = { seq: String(this.#seq), timestamp: String(now), receivedAt: now };
    return { deviceId: DEVICE, ...times, values, sealed: [], ...change };
  }
}
