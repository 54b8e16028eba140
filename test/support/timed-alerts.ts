import { pino } from 'pino';
import { Alerts } from '../../src/main/alerts/alerts.ts';
import { SYSTEM_CLOCK } from '../../src/main/common/clock.ts';
import { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';
import type { NewEntry } from '../../src/main/store/port.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import type { Rule, RuleInput } from '../../src/shared/alerts/rule.ts';
import { FIELD_NAMES, type FieldName } from '../../src/shared/protocol/fields.ts';
import { OwnerStoresForTest } from './owner-stores.ts';

const MINUTE = 60_000;
export const START = 1_790_000_000_000;
type Values = Partial<Record<FieldName, number>>;

/** Alerts on real stores and files, with one device and a clock that the test sets. */
export class TimedAlerts {
  readonly stores = new OwnerStoresForTest();
  device = this.stores.register({ name: 'Tank' }, ['private']).id;
  events!: EventBus<NodeEventMap>;
  alerts!: Alerts;
  seq = 0n;
  /** The wall clock. */
  wall = START;
  /** The alerts of the notifications that were shown. */
  readonly shown: string[] = [];
  /** The errors and defects in the log. */
  readonly logged: string[] = [];
  /** Their titles and texts. */
  readonly titles: string[] = [];
  readonly texts: string[] = [];
  /** The time since which there has been no new backup; null if backups are not expected. */
  withoutBackupSince: number | null = null;
  /** The logs that do not continue the signed log. */
  brokenLogs: readonly { readonly store: 'private' | 'public' | null; readonly since: number }[] = [];
  /** The entries written into the log, and the error with which it refuses more. */
  readonly entries: NewEntry[] = [];
  logFault: Error | null = null;
  /** It has a fraction, like a real clock. */
  #steady = 5000.123_456_789;

  /** Starts with a desktop channel, so that messages are shown without a server. */
  static async start(): Promise<TimedAlerts> {
    const node = new TimedAlerts();
    await node.start();
    await node.alerts.handlers.writeAlertChannel({
      channel: { id: null, name: '', isOn: true, withoutValues: false, maxPerHour: 1000, target: { kind: 'desktop' } },
      secrets: {},
    });
    return node;
  }

  async start(): Promise<void> {
    const { stores } = this;
    const log = pino({ level: 'error' }, { write: (line: string) => void this.logged.push(line) });
    this.events = new EventBus<NodeEventMap>(log);
    this.events.on('noticed', ({ id, alert, title, text }) => {
      this.titles.push(title);
      this.shown.push(alert!);
      this.texts.push(text);
      void this.alerts.handlers.noticeShown({ id, isShown: true });
    });
    const parts = { folder: { path: stores.folder }, stores: { locations: stores.paths }, language: () => null };
    const clock = { ...SYSTEM_CLOCK, now: () => this.wall, steady: () => this.#steady };
    this.alerts = new Alerts({
      ...{ ...parts, events: this.events, log, clock },
      withoutBackupSince: () => this.withoutBackupSince,
      brokenLogs: () => this.brokenLogs,
      writeEntry: async (entry) => {
        if (this.logFault !== null) throw this.logFault;
        this.entries.push(entry);
        this.stores.write('private', [{ kind: 'writeEntry', ...entry }]);
      },
    });
    await this.alerts.start();
  }

  /** Lets time pass, so that missing events are noticed. `by` is the change of the wall clock. */
  async pass(ms: number, by = ms): Promise<void> {
    this.wall += by;
    this.#steady += ms;
    await this.alerts.look();
  }

  /** Stores a new reading and announces it with an event. */
  receive(values: Values, timestamp = this.wall): void {
    this.seq += 1n;
    const { seq, wall: receivedAt, device } = this;
    const fields = FIELD_NAMES.map((name) => values[name] ?? null);
    this.stores.append('private', device, [{ seq, timestamp: BigInt(timestamp), receivedAt, fields }]);
    const times = { seq: String(seq), timestamp: String(timestamp), receivedAt };
    const reading = { deviceId: device, ...times, values, sealed: [] };
    this.events.emit('stored', () => ({ store: 'private', readings: [reading] }));
  }

  /** Receives one reading a minute for some minutes. */
  async receiveFor(minutes: number, values: Values, offset = 0): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.receive(values, this.wall + offset);
      await this.pass(MINUTE);
    }
  }

  async write(rule: RuleInput): Promise<Rule> {
    return this.alerts.handlers.writeAlertRule({ rule });
  }

  async builtIn(kind: string): Promise<Rule> {
    return (await this.alerts.handlers.alertRules({})).rules.find(({ rule }) => rule.id === kind)!.rule;
  }

  async live(): Promise<Alert[]> {
    return (await this.alerts.handlers.alerts({})).alerts;
  }

  /** Returns the live alerts as "kind state". */
  async kinds(): Promise<string[]> {
    return (await this.live()).map(({ kind, state }) => `${kind} ${state}`);
  }

  async ended(): Promise<Alert[]> {
    const query = { device: null, rule: null, before: null, limit: 50 };
    return (await this.alerts.handlers.alertHistory(query)).alerts;
  }

  async dispose(): Promise<void> {
    await this.alerts.stop();
    await this.stores.dispose();
  }
}
