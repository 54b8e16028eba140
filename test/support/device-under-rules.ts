import { DeviceConditions } from '../../src/main/alerts/watch/device-conditions.ts';
import { DeviceWatch } from '../../src/main/alerts/watch/device-watch.ts';
import type { StoredReading } from '../../src/main/common/node-events.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import type { BuiltInKind } from '../../src/shared/alerts/built-in.ts';
import { AT, DEVICE, someAlert } from './alert-notices.ts';
import { knownDevice, RulesUnderTest } from './rules-under-test.ts';

/** A device of the owner and the built-in rules about devices. */
export class DeviceUnderRules extends RulesUnderTest {
  readonly watch = new DeviceWatch();
  conditions = this.#start();
  #seq = 0;

  #start(): DeviceConditions {
    const { rules, firings, clock } = this;
    return new DeviceConditions({ rules, firings, clock });
  }

  /** Starts the evaluation now, as a start of the node does. */
  restart(): void {
    this.conditions = this.#start();
  }

  /** Receives a reading now, or as if at other times by the wall clock and by the steady clock. */
  receive(
    values: StoredReading['values'] = { ph: 6 },
    receivedAt = this.clock.now(),
    heardAt = this.clock.steady(),
  ): void {
    this.#seq += 1;
    const times = { seq: String(this.#seq), timestamp: String(receivedAt), receivedAt };
    this.watch.take({ deviceId: DEVICE, ...times, values, sealed: [] }, heardAt);
  }

  look(device = knownDevice()): boolean {
    return this.conditions.look(device, this.watch);
  }

  /** The live alerts as "kind" or "kind field". */
  get kinds(): string[] {
    return this.live.map(({ kind, field }) => (field === null ? kind : `${kind} ${field}`));
  }

  /** Returns an alert of a built-in rule that fires. */
  alertOf(kind: BuiltInKind, change: Partial<Alert>): Alert {
    const none = { name: '', field: null, side: null, value: null, extreme: null };
    return someAlert({ ...none, rule: kind, kind, ...change });
  }

  /** Restores an alert from before the start. */
  restore(kind: BuiltInKind, change: Partial<Alert>): void {
    this.firings.restore([{ alert: this.alertOf(kind, change), toldAt: AT }]);
  }
}
