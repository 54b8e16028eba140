import type { Alert } from '../../shared/alerts/alert.ts';
import type { AlertOptions, DigestSetting } from '../../shared/alerts/channel.ts';
import type { Rule } from '../../shared/alerts/rule.ts';
import type { ALERT_METHODS } from '../../shared/owner-api/alerts.ts';
import type { MethodHandlers } from '../../shared/owner-api/method.ts';
import type { Clock } from '../common/clock.ts';
import { OwnerError } from '../common/owner-error.ts';
import type { CycleRules } from './cycle-rules.ts';
import type { Digests } from './digest/digests.ts';
import type { DigestFacts } from './digest/facts.ts';
import type { Firings } from './firings.ts';
import type { MessageDesk } from './outbox/message-desk.ts';
import type { RuleBook } from './rule-book.ts';
import type { AlertHistory } from './state/history.ts';
import type { Engine } from './watch/engine.ts';

export type AlertHandlers = MethodHandlers<typeof ALERT_METHODS>;

/** The parts of the alerts that the API calls use. */
export interface AnsweringDependencies {
  readonly rules: RuleBook;
  readonly firings: Firings;
  readonly history: AlertHistory;
  readonly desk: MessageDesk;
  readonly engine: Engine;
  readonly cycles: CycleRules;
  readonly digests: Digests;
  readonly clock: Clock;
  readonly options: () => AlertOptions;
  /** Applies other options from now on. */
  readonly setOptions: (options: AlertOptions) => void;
  /** Evaluates with the changed rules. */
  rulesChanged(): Promise<void>;
  /** Resolves when all current alerts are on disk, or the write failed. */
  written(): Promise<void>;
  /** Resolves when the whole current state is on disk. */
  save(): Promise<void>;
}

/** Returns the handlers of the owner's calls about alerts. Changes are on disk when a call returns. */
export function alertHandlers(alerts: AnsweringDependencies): AlertHandlers {
  const saved = async <T>(value: T): Promise<T> => {
    await alerts.save();
    return value;
  };
  /** Waits until the shown state is on disk, so that a crash does not lose it. */
  const written = async <T>(value: T): Promise<T> => {
    await alerts.written();
    return value;
  };
  /** Withdraws the unsent messages about an alert that the owner has seen. */
  const seen = (alert: Alert): Promise<Alert> => {
    alerts.desk.withdraw(alert.id);
    return saved(alert);
  };
  const digest = async (setting: DigestSetting): Promise<DigestFacts> => {
    const facts = await alerts.digests.make(setting);
    if (facts === null) throw new OwnerError('storage_unavailable', "the stores can't be read");
    return facts;
  };
  return {
    alerts: () => {
      alerts.engine.settle();
      const live = alerts.firings.all.map(({ alert }) => alert);
      return written({ now: alerts.clock.now(), alerts: live.sort((a, b) => b.since - a.since) });
    },
    alertHistory: (query) => written(alerts.history.list(query)),
    alertRules: () => ({ rules: alerts.engine.ruleStates() }),
    writeAlertRule: async ({ rule: input }) => {
      alerts.engine.settle();
      const { before, rule } = alerts.rules.write(input);
      if (before !== null && !rule.isOn) endOf(alerts, rule, 'rule_off');
      else if (before !== null && isOtherCondition(before, rule)) endOf(alerts, rule, 'rule_changed');
      else alerts.firings.follow(rule);
      await alerts.rulesChanged();
      return saved(rule);
    },
    deleteAlertRule: async ({ id }) => {
      alerts.engine.settle();
      const deleted = alerts.rules.delete(id);
      endOf(alerts, deleted, 'rule_off');
      alerts.cycles.deleted(deleted);
      await alerts.rulesChanged();
      return saved({});
    },
    acknowledgeAlert: ({ id }) => seen(alerts.firings.acknowledge(id)),
    snoozeAlert: ({ id, until }) => seen(alerts.firings.snooze(id, until)),
    alertOptions: () => alerts.options(),
    setAlertOptions: (options) => {
      alerts.setOptions(options);
      return saved(options);
    },
    alertChannels: () => ({ channels: alerts.desk.list() }),
    writeAlertChannel: async ({ channel, secrets }) => saved(await alerts.desk.write(channel, secrets)),
    deleteAlertChannel: async ({ id }) => {
      await alerts.desk.delete(id, () => alerts.save());
      return {};
    },
    noticeShown: ({ id, isShown }) => {
      alerts.desk.noticeShown(id, isShown);
      return {};
    },
    testAlertChannel: async ({ id }) => ({ failure: await alerts.desk.test(id) }),
    alertDigest: async (setting) => {
      const { title, text, html } = alerts.desk.digestWords(await digest(setting));
      return { title, text, html: html ?? '' };
    },
    sendAlertDigest: async (setting) => ({
      results: await alerts.desk.sendDigest(await digest(setting), setting.channels),
    }),
  };
}

function endOf(alerts: AnsweringDependencies, { id }: Rule, why: NonNullable<Alert['ended']>): void {
  alerts.firings.endAll(({ rule }) => rule === id, alerts.clock.now(), why);
}

/**
 * Returns whether two versions of a rule have different conditions. The name, scope, severity, channels and repeat
 * interval don't count.
 */
function isOtherCondition(before: Rule, after: Rule): boolean {
  const conditionOf = ({ severity, channels, repeatMinutes, ...rest }: Rule) =>
    JSON.stringify({ ...rest, name: '', scope: null });
  return conditionOf(before) !== conditionOf(after);
}
