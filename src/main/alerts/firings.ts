import { randomUUID } from 'node:crypto';
import type { Alert, AlertEnding } from '../../shared/alerts/alert.ts';
import type { Rule } from '../../shared/alerts/rule.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { News } from './news.ts';

/** What an alert is about: with its rule that is what there is one live alert of. */
export interface About {
  readonly rule: Rule;
  readonly device: Alert['device'];
  readonly field: Alert['field'];
  readonly store: Alert['store'];
}

/** What it is like. */
export type Finding = Pick<Alert, 'since' | 'side' | 'value' | 'limit'>;

/** A live alert, and when it was told last. */
export interface Firing {
  alert: Alert;
  toldAt: number | null;
}

/** Whom a change of an alert concerns. */
export interface FiringsParts {
  readonly findRule: (id: string) => Rule | null;
  readonly onNews: (kind: News['kind'], alert: Alert, rule: Rule | null, at: number) => void;
  /** A fired alert ended. */
  readonly onEnded: (alert: Alert) => void;
  readonly onChange: () => void;
}

/** The live alerts: what is pending, fires, is acknowledged or snoozed, and what is told of it. */
export class Firings {
  readonly #parts: FiringsParts;
  readonly #live = new Map<string, Firing>();

  constructor(parts: FiringsParts) {
    this.#parts = parts;
  }

  /** For the state file. */
  get all(): Firing[] {
    return [...this.#live.values()];
  }

  restore(kept: readonly Firing[]): void {
    for (const firing of kept) this.#live.set(keyOf(firing.alert), { ...firing });
  }

  find(about: About): Alert | null {
    return this.#live.get(keyOfAbout(about))?.alert ?? null;
  }

  /** What a condition found for the first time; it fires by `fire`. */
  begin(about: About, finding: Finding): void {
    const { rule, device, field, store } = about;
    const alert: Alert = {
      id: randomUUID(),
      rule: rule.id,
      kind: rule.kind,
      name: rule.kind === 'range' ? rule.name : '',
      ...{ device, field, store },
      severity: rule.severity,
      state: 'pending',
      firedAt: null,
      snoozedUntil: null,
      ...finding,
      extreme: finding.value,
      endedAt: null,
      ended: null,
    };
    this.#live.set(keyOfAbout(about), { alert, toldAt: null });
    this.#parts.onChange();
  }

  /** The newest value of a live alert and the furthest, and since when it has been so. */
  update(about: About, finding: Partial<Pick<Alert, 'since' | 'value' | 'extreme'>>): void {
    const firing = this.#live.get(keyOfAbout(about));
    if (firing === undefined) return;
    firing.alert = { ...firing.alert, ...finding };
    this.#parts.onChange();
  }

  /** A pending alert has lasted for long enough. */
  fire(about: About, at: number): void {
    const firing = this.#live.get(keyOfAbout(about));
    if (firing === undefined || firing.alert.state !== 'pending') return;
    firing.alert = { ...firing.alert, state: 'firing', firedAt: at };
    this.#tell('fired', firing, at);
  }

  /** The condition holds no more: one that fired goes to the history, one that was pending is as if it had not been. */
  end(about: About, at: number, why: AlertEnding): void {
    this.#end(keyOfAbout(about), at, why);
  }

  /** Ends those that `concerns` names. */
  endAll(concerns: (alert: Alert) => boolean, at: number, why: AlertEnding): void {
    for (const [key, { alert }] of [...this.#live]) if (concerns(alert)) this.#end(key, at, why);
  }

  /** A rule has another name or severity: so have its alerts. */
  follow(rule: Rule): void {
    for (const firing of this.#live.values()) {
      if (firing.alert.rule !== rule.id) continue;
      const name = rule.kind === 'range' ? rule.name : '';
      firing.alert = { ...firing.alert, name, severity: rule.severity };
    }
    this.#parts.onChange();
  }

  /** Throws OwnerError. */
  acknowledge(id: string): Alert {
    return this.#silence(id, { state: 'acknowledged', snoozedUntil: null });
  }

  /** Throws OwnerError. */
  snooze(id: string, until: number): Alert {
    return this.#silence(id, { state: 'snoozed', snoozedUntil: until });
  }

  /** Tells again what is due, and wakes what was snoozed; returns whether anything was. */
  tick(now: number): boolean {
    let isAny = false;
    for (const firing of this.#live.values()) {
      const { alert, toldAt } = firing;
      if (alert.state === 'snoozed' && now >= (alert.snoozedUntil ?? 0)) {
        firing.alert = { ...alert, state: 'firing', snoozedUntil: null };
        this.#tell('repeated', firing, now);
        isAny = true;
      } else if (alert.state === 'firing' && this.#isDue(alert, toldAt, now)) {
        this.#tell('repeated', firing, now);
        isAny = true;
      }
    }
    return isAny;
  }

  #isDue(alert: Alert, toldAt: number | null, now: number): boolean {
    const minutes = this.#parts.findRule(alert.rule)?.repeatMinutes ?? null;
    return minutes !== null && toldAt !== null && now - toldAt >= minutes * 60_000;
  }

  #silence(id: string, change: Pick<Alert, 'state' | 'snoozedUntil'>): Alert {
    const firing = this.all.find(({ alert }) => alert.id === id);
    if (firing === undefined) throw new OwnerError('not_found', 'there is no such alert');
    if (firing.alert.state === 'pending') throw new OwnerError('conflict', 'the alert does not fire');
    firing.alert = { ...firing.alert, ...change };
    this.#parts.onChange();
    return firing.alert;
  }

  #end(key: string, at: number, why: AlertEnding): void {
    const firing = this.#live.get(key);
    if (firing === undefined) return;
    this.#live.delete(key);
    if (firing.alert.state === 'pending') {
      this.#parts.onChange();
      return;
    }
    firing.alert = { ...firing.alert, endedAt: at, ended: why };
    this.#parts.onEnded(firing.alert);
    this.#tell('ended', firing, at);
  }

  #tell(kind: News['kind'], firing: Firing, at: number): void {
    firing.toldAt = at;
    this.#parts.onNews(kind, firing.alert, this.#parts.findRule(firing.alert.rule), at);
    this.#parts.onChange();
  }
}

function keyOf({ rule, device, field, store }: Pick<Alert, 'rule' | 'device' | 'field' | 'store'>): string {
  return `${rule} ${device} ${field} ${store}`;
}

function keyOfAbout({ rule, device, field, store }: About): string {
  return keyOf({ rule: rule.id, device, field, store });
}
