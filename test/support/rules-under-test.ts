import { Firings } from '../../src/main/alerts/firings.ts';
import { RuleBook } from '../../src/main/alerts/rule-book.ts';
import type { KnownDevice } from '../../src/main/store/stores-view.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import type { BuiltInKind } from '../../src/shared/alerts/built-in.ts';
import type { BuiltInRule } from '../../src/shared/alerts/rule.ts';
import { type DeviceNotes, NO_NOTES } from '../../src/shared/owner-data/notes.ts';
import type { StoreName } from '../../src/shared/protocol/codes.ts';
import { AT, DEVICE } from './alert-notices.ts';
import { FakeClock } from './fake-clock.ts';

/** The rules and alerts of a node without stores, and a clock that moves only on request. */
export class RulesUnderTest {
  readonly clock = new FakeClock(AT);
  readonly rules = new RuleBook();
  readonly #told: string[] = [];
  readonly #ended: Alert[] = [];
  readonly firings = new Firings({
    clock: this.clock,
    findRule: (id) => this.rules.find(id),
    onNews: (kind, alert) => void this.#told.push(`${kind} ${alert.kind}`),
    onEnded: (alert) => void this.#ended.push(alert),
    onChange: () => {},
  });

  get live(): Alert[] {
    return this.firings.all.map(({ alert }) => alert);
  }

  /** Returns the messages since the last call, each as "what kind". */
  heard(): string[] {
    return this.#told.splice(0);
  }

  /** Returns the alerts that ended since the last call, each as "kind why", with its time since AT. */
  ended(): [string, number][] {
    return this.#ended.splice(0).map(({ kind, ended, endedAt }) => [`${kind} ${ended}`, endedAt! - AT]);
  }

  builtIn(kind: BuiltInKind): BuiltInRule {
    return this.rules.find(kind) as BuiltInRule;
  }

  change(kind: BuiltInKind, change: Partial<BuiltInRule>): void {
    this.rules.write({ ...this.builtIn(kind), ...change });
  }

  pass(ms: number): Promise<void> {
    return this.clock.pass(ms, async () => {});
  }
}

/** Returns a device as the stores know it, with only what alerts need. */
export function knownDevice(
  notes: Partial<DeviceNotes> = {},
  { id = DEVICE, name = 'Tank', store = 'private' }: { id?: string; name?: string; store?: StoreName } = {},
): KnownDevice {
  const entries = [{ store, device: { id, name, location: null } }];
  return { id, entries, notes: { ...NO_NOTES, ...notes }, corrections: [] } as unknown as KnownDevice;
}
