import type { Alert, AlertEnding } from '../../shared/alerts/alert.ts';
import type { Rule } from '../../shared/alerts/rule.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { OwnerError } from '../common/owner-error.ts';
import { derivedId } from './derived-id.ts';
import type { News } from './news.ts';

/** The subject of an alert. There is at most one live alert for each rule and subject. */
export interface About {
  readonly rule: Rule;
  readonly device: Alert['device'];
  readonly field: Alert['field'];
  readonly store: Alert['store'];
}

/** The current facts of an alert. */
export type Finding = Pick<Alert, 'since' | 'side' | 'value' | 'limit'>;

/** A live alert and the time of its latest message. */
export interface KeptFiring {
  readonly alert: Alert;
  readonly toldAt: number | null;
}

interface Firing {
  alert: Alert;
  toldAt: number | null;
  /** The same time by the steady clock. */
  toldSteady: number;
  /** Whether the alert was live before the node's last start. */
  readonly isRestored: boolean;
}

/** The latest time that a Date can have. */
const LATEST_MS = 8_640_000_000_000_000;
/** The longest repeat interval that a rule can have. */
const LONGEST_REPEAT_MS = 7 * 86_400_000;

/** The callbacks for changes of alerts. */
export interface FiringsDependencies {
  readonly clock: Clock;
  readonly findRule: (id: string) => Rule | null;
  readonly onNews: (kind: News['kind'], alert: Alert, rule: Rule | null, at: number) => void;
  /** Called when an alert that has fired ends. */
  readonly onEnded: (alert: Alert) => void;
  readonly onChange: () => void;
}

/** The live alerts (pending, firing, acknowledged or snoozed) and the messages about them. */
export class Firings {
  readonly #dependencies: FiringsDependencies;
  readonly #live = new Map<string, Firing>();
  /** The number of live alerts by built-in rules for each device. */
  readonly #perDevice = new Map<string | null, number>();

  constructor(dependencies: FiringsDependencies) {
    this.#dependencies = dependencies;
  }

  /** The alerts for the state file. */
  get all(): KeptFiring[] {
    return [...this.#live.values()].map(({ alert, toldAt }) => ({ alert, toldAt }));
  }

  restore(kept: readonly KeptFiring[]): void {
    const { clock } = this.#dependencies;
    for (const { alert, toldAt } of kept) {
      const ago = toldAt === null ? 0 : Math.min(Math.max(0, clock.now() - toldAt), LONGEST_REPEAT_MS);
      this.#put(keyOf(alert), { alert, toldAt, toldSteady: clock.steady() - ago, isRestored: true });
    }
  }

  /** Moves the times of alerts that are within a corrected span of the clock. */
  move({ by, from, to }: NodeEventMap['clockMoved']): void {
    const moved = <T extends number | null>(at: T) =>
      (at !== null && at >= from && at <= to ? dated(at + by) : at) as T;
    for (const firing of this.#live.values()) {
      const { alert, toldAt } = firing;
      const { since, firedAt, snoozedUntil } = alert;
      firing.toldAt = moved(toldAt);
      // A snooze lasts as long as before.
      const until = snoozedUntil !== null && snoozedUntil >= from ? dated(snoozedUntil + by) : snoozedUntil;
      firing.alert = { ...alert, since: moved(since), firedAt: moved(firedAt), snoozedUntil: until };
    }
    this.#dependencies.onChange();
  }

  /** Returns whether any alert by a built-in rule is about a device. */
  isAbout(device: string): boolean {
    return this.#perDevice.has(device);
  }

  /** Returns whether there is any alert of a kind. */
  isAnyOf(kind: Alert['kind']): boolean {
    return [...this.#live.values()].some(({ alert }) => alert.kind === kind);
  }

  find(about: About): Alert | null {
    return this.#live.get(keyOfAbout(about))?.alert ?? null;
  }

  /** Returns whether the alert was live before this start. */
  isRestored(about: About): boolean {
    return this.#live.get(keyOfAbout(about))?.isRestored ?? false;
  }

  /**
   * Adds a pending alert for a newly found condition; `fire` fires it. By default its id is derived from the finding,
   * so it is the same if a crash makes the node find it twice. An alert that a new rule finds by looking back is a
   * different one, so the caller passes an `id`.
   */
  begin(about: About, finding: Finding, id = derivedId(`alert ${keyOfAbout(about)} ${finding.since}`)): void {
    const { rule, device, field, store } = about;
    const alert: Alert = {
      id,
      rule: rule.id,
      kind: rule.kind,
      name: rule.kind === 'range' ? rule.name : '',
      ...{ device, field, store },
      severity: rule.severity,
      state: 'pending',
      firedAt: null,
      snoozedUntil: null,
      ...finding,
      since: dated(finding.since),
      extreme: finding.value,
      endedAt: null,
      ended: null,
    };
    this.#put(keyOfAbout(about), { alert, toldAt: null, toldSteady: 0, isRestored: false });
    this.#dependencies.onChange();
  }

  /** Updates the newest and the most extreme value of a live alert, and the time since which it has been so. */
  update(about: About, finding: Partial<Pick<Alert, 'since' | 'value' | 'extreme'>>): void {
    const firing = this.#live.get(keyOfAbout(about));
    if (firing === undefined) return;
    const { since = firing.alert.since } = finding;
    firing.alert = { ...firing.alert, ...finding, since: dated(since) };
  }

  /** Fires a pending alert that has lasted for long enough. */
  fire(about: About, at: number): void {
    const firing = this.#live.get(keyOfAbout(about));
    if (firing === undefined || firing.alert.state !== 'pending') return;
    firing.alert = { ...firing.alert, state: 'firing', firedAt: at };
    this.#tell('fired', firing, at);
  }

  /**
   * Updates an alert by a built-in rule: begins and fires it for a new finding, and ends it if there is no finding any
   * more. Returns whether anything changed.
   */
  set(about: About, finding: Finding | null, at: number): boolean {
    const isLive = this.#live.has(keyOfAbout(about));
    if ((finding !== null) === isLive) return false;
    if (finding === null) this.end(about, at, 'back');
    else {
      this.begin(about, finding);
      this.fire(about, at);
    }
    return true;
  }

  /** Ends an alert. One that has fired goes to the history; a pending one is dropped. */
  end(about: About, at: number, why: AlertEnding): void {
    this.#end(keyOfAbout(about), at, why);
  }

  /** Ends the alerts that `concerns` selects. Returns whether there were any. */
  endAll(concerns: (alert: Alert) => boolean, at: number, why: AlertEnding): boolean {
    const keys = [...this.#live].flatMap(([key, { alert }]) => (concerns(alert) ? [key] : []));
    for (const key of keys) this.#end(key, at, why);
    return keys.length > 0;
  }

  /** Updates the alerts of a rule whose name or severity changed. */
  follow(rule: Rule): void {
    for (const firing of this.#live.values()) {
      if (firing.alert.rule !== rule.id) continue;
      const name = rule.kind === 'range' ? rule.name : '';
      firing.alert = { ...firing.alert, name, severity: rule.severity };
    }
    this.#dependencies.onChange();
  }

  /** Throws OwnerError if the alert is unknown or pending. */
  acknowledge(id: string): Alert {
    return this.#silence(id, { state: 'acknowledged', snoozedUntil: null });
  }

  /** Throws OwnerError if the alert is unknown or pending, or if `until` has passed. */
  snooze(id: string, until: number): Alert {
    if (until <= this.#dependencies.clock.now()) throw new OwnerError('invalid_input', 'until: is not ahead of now');
    return this.#silence(id, { state: 'snoozed', snoozedUntil: until });
  }

  /** Sends the repeated messages that are due and wakes snoozed alerts. Returns whether there were any. */
  tick(now: number): boolean {
    let isAny = false;
    for (const firing of this.#live.values()) {
      const { alert } = firing;
      if (alert.state === 'snoozed' && now >= (alert.snoozedUntil ?? 0)) {
        firing.alert = { ...alert, state: 'firing', snoozedUntil: null };
        this.#tell('repeated', firing, now);
        isAny = true;
      } else if (alert.state === 'firing' && this.#isDue(firing)) {
        this.#tell('repeated', firing, now);
        isAny = true;
      }
    }
    return isAny;
  }

  #isDue({ alert, toldSteady }: Firing): boolean {
    const { findRule, clock } = this.#dependencies;
    const minutes = findRule(alert.rule)?.repeatMinutes ?? null;
    return minutes !== null && clock.steady() - toldSteady >= minutes * 60_000;
  }

  #silence(id: string, change: Pick<Alert, 'state' | 'snoozedUntil'>): Alert {
    const firing = [...this.#live.values()].find(({ alert }) => alert.id === id);
    if (firing === undefined) throw new OwnerError('not_found', 'there is no such alert');
    if (firing.alert.state === 'pending') throw new OwnerError('conflict', 'the alert does not fire');
    firing.alert = { ...firing.alert, ...change };
    this.#dependencies.onChange();
    return firing.alert;
  }

  #end(key: string, at: number, why: AlertEnding): void {
    const firing = this.#live.get(key);
    if (firing === undefined) return;
    this.#live.delete(key);
    this.#count(firing.alert, -1);
    if (firing.alert.state === 'pending') {
      this.#dependencies.onChange();
      return;
    }
    firing.alert = { ...firing.alert, endedAt: dated(at), ended: why };
    this.#dependencies.onEnded(firing.alert);
    this.#tell('ended', firing, at);
  }

  #put(key: string, firing: Firing): void {
    this.#live.set(key, firing);
    this.#count(firing.alert, 1);
  }

  #count({ kind, device }: Alert, added: number): void {
    if (kind === 'range') return;
    const count = (this.#perDevice.get(device) ?? 0) + added;
    if (count === 0) this.#perDevice.delete(device);
    else this.#perDevice.set(device, count);
  }

  #tell(kind: News['kind'], firing: Firing, at: number): void {
    firing.toldAt = at;
    firing.toldSteady = this.#dependencies.clock.steady();
    this.#dependencies.onNews(kind, firing.alert, this.#dependencies.findRule(firing.alert.rule), at);
    this.#dependencies.onChange();
  }
}

function keyOf({ rule, device, field, store }: Pick<Alert, 'rule' | 'device' | 'field' | 'store'>): string {
  return `${rule} ${device} ${field} ${store}`;
}

function keyOfAbout({ rule, device, field, store }: About): string {
  return keyOf({ rule: rule.id, device, field, store });
}

/** Makes a time valid for the API: the difference of two clocks may be a fraction, or before 1970. */
function dated(at: number): number {
  return Math.min(Math.max(0, Math.round(at)), LATEST_MS);
}
