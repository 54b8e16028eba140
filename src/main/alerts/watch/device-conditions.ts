import type { BuiltInKind } from '../../../shared/alerts/built-in.ts';
import type { BuiltInRule } from '../../../shared/alerts/rule.ts';
import type { FieldName } from '../../../shared/protocol/fields.ts';
import { automaticThreshold } from '../../../shared/silence.ts';
import type { Clock } from '../../common/clock.ts';
import type { KnownDevice } from '../../store/stores-view.ts';
import { isMine } from '../../store/whose.ts';
import type { About, Firings } from '../firings.ts';
import type { RuleBook } from '../rule-book.ts';
import type { DeviceWatch } from './device-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * The time after a start in which no device counts as silent, since it may not have sent yet. A rule with a shorter
 * time uses that time.
 */
const GRACE_MS = 2 * MINUTE_MS;
/** A device may need some minutes after its start to get the time. */
const UNSET_FOR_MS = 10 * MINUTE_MS;
const ACTIVE = 0;
const KINDS: ReadonlySet<string> = new Set<BuiltInKind>(['silent', 'fieldSilent', 'clockNotSet']);

export interface DeviceConditionsDependencies {
  readonly rules: RuleBook;
  readonly firings: Firings;
  readonly clock: Clock;
}

/** The built-in rules for the owner's devices: silent device, silent field, clock not set. */
export class DeviceConditions {
  readonly #dependencies: DeviceConditionsDependencies;
  readonly #startedAt: number;
  readonly #unsetSince = new Map<string, number>();

  constructor(dependencies: DeviceConditionsDependencies) {
    this.#dependencies = dependencies;
    this.#startedAt = dependencies.clock.steady();
  }

  /**
   * Evaluates a device. Returns whether anything fired or ended. Call this regularly and when a reading of the device
   * arrives.
   */
  look(device: KnownDevice, watch: DeviceWatch): boolean {
    const { rules, firings, clock } = this.#dependencies;
    const isWatched = isMine(device) && device.notes.status === ACTIVE;
    let isNews = false;
    for (const rule of rules.builtIns) {
      if (!KINDS.has(rule.kind)) continue;
      if (isWatched && rule.isOn) isNews = this.#lookBy(rule, device, watch) || isNews;
      else
        isNews =
          firings.endAll((alert) => alert.rule === rule.id && alert.device === device.id, clock.now(), 'rule_off') ||
          isNews;
    }
    return isNews;
  }

  forget(device: string): void {
    this.#unsetSince.delete(device);
  }

  #lookBy(rule: BuiltInRule, device: KnownDevice, watch: DeviceWatch): boolean {
    if (rule.kind === 'silent') return this.#lookForSilence(rule, device, watch);
    if (rule.kind === 'clockNotSet') return this.#lookAtClock(rule, device, watch);
    const changes = [...watch.fields.keys()].map((field) => this.#lookForField(rule, device, watch, field));
    return changes.some(Boolean);
  }

  #lookForSilence(rule: BuiltInRule, device: KnownDevice, watch: DeviceWatch): boolean {
    const { firings, clock } = this.#dependencies;
    const about = aboutOf(rule, device);
    const byRule = rule.threshold === null ? null : rule.threshold * MINUTE_MS;
    const allowed = device.notes.silentAfterMs ?? byRule ?? automaticThreshold(watch.usualInterval);
    const { heardAt } = watch;
    if (watch.lastReceivedAt === null) return false;
    const lastReceivedAt = this.#notAhead(watch.lastReceivedAt, heardAt);
    if (this.#isOver(heardAt, allowed)) {
      return firings.set(
        about,
        { since: lastReceivedAt, side: null, value: null, limit: allowed / MINUTE_MS },
        clock.now(),
      );
    }
    const live = firings.find(about);
    if (live === null || lastReceivedAt > live.since) return firings.set(about, null, lastReceivedAt);
    // The device is still silent, but not for too long any more: the owner allows a longer time.
    if (!this.#staysSilent(about, allowed)) firings.end(about, clock.now(), 'rule_changed');
    return firings.find(about) === null;
  }

  #lookForField(rule: BuiltInRule, device: KnownDevice, watch: DeviceWatch, field: FieldName): boolean {
    const { firings, clock } = this.#dependencies;
    const about = { ...aboutOf(rule, device), field };
    const { receivedAt: at, heardAt } = watch.fields.get(field)!;
    const receivedAt = this.#notAhead(at, heardAt);
    const hours = rule.threshold!;
    if (!this.#isOver(heardAt, hours * HOUR_MS)) {
      const live = firings.find(about);
      if (live !== null && receivedAt <= live.since && this.#staysSilent(about, hours * HOUR_MS)) return false;
      return firings.set(about, null, receivedAt);
    }
    // A silent device raises one alert instead of one for each field.
    if (this.#isOver(watch.heardAt, hours * HOUR_MS)) return false;
    return firings.set(about, { since: receivedAt, side: null, value: null, limit: hours }, clock.now());
  }

  #lookAtClock(rule: BuiltInRule, device: KnownDevice, watch: DeviceWatch): boolean {
    const { firings, clock } = this.#dependencies;
    const about = aboutOf(rule, device);
    if (!watch.isClockUnset) {
      this.#unsetSince.delete(device.id);
      return firings.set(about, null, watch.lastReceivedAt ?? clock.now());
    }
    const since = this.#unsetSince.get(device.id) ?? clock.steady();
    this.#unsetSince.set(device.id, since);
    const unsetFor = clock.steady() - since;
    if (unsetFor < UNSET_FOR_MS) return false;
    return firings.set(about, { since: clock.now() - unsetFor, side: null, value: null, limit: null }, clock.now());
  }

  /** Returns a time of arrival. If it is in the future, it is computed from the steady clock. */
  #notAhead(receivedAt: number, heardAt: number): number {
    const { clock } = this.#dependencies;
    const now = clock.now();
    return receivedAt <= now ? receivedAt : Math.min(now, Math.round(now - (clock.steady() - heardAt)));
  }

  /**
   * Returns whether a silence from before the start continues. The device stays silent until it is heard, also during
   * the wait after a start.
   */
  #staysSilent(about: About, allowed: number): boolean {
    return this.#dependencies.firings.isRestored(about) && this.#isStarting(allowed);
  }

  #isOver(heardAt: number, allowed: number): boolean {
    return this.#dependencies.clock.steady() - heardAt > allowed && !this.#isStarting(allowed);
  }

  #isStarting(allowed: number): boolean {
    return this.#dependencies.clock.steady() - this.#startedAt < Math.min(allowed, GRACE_MS);
  }
}

function aboutOf(rule: BuiltInRule, { id }: KnownDevice): About {
  return { rule, device: id, field: null, store: null };
}
