import type { Alert } from '../../src/shared/alerts/alert.ts';
import {
  type AlertOptions,
  type ChannelConfig,
  type ChannelSecret,
  channel as channelSchema,
  NO_OPTIONS,
} from '../../src/shared/alerts/channel.ts';
import { builtInRules, type Rule } from '../../src/shared/alerts/rule.ts';
import type { ALERT_METHODS, ChannelState } from '../../src/shared/owner-api/alerts.ts';
import { type Answers, FakeError, type OnFakeEvent } from './fake.ts';

const MINUTE_MS = 60_000;
/** The id of its rule, of its firing alert and of its channel. */
export const FAKE_ID = '5d3f0f3e-0c68-4a0b-9a55-0a3a6f1b7e01';

const CHANNEL = {
  ...{ name: '', isOn: true, withoutValues: false, maxPerHour: 20 },
  target: { kind: 'desktop' },
} as const;

/**
 * Returns the answers about alerts of a fake node. The first device has one firing and one ended alert; rules and
 * channels are stored in memory.
 */
export function alertAnswers(
  device: string | null,
  startedAt: number,
  onEvent: OnFakeEvent,
): Pick<Answers, keyof typeof ALERT_METHODS> {
  const rule: Rule = {
    id: FAKE_ID,
    kind: 'range',
    name: 'Lettuce: pH',
    scope: { kind: 'all' },
    field: 'ph',
    low: 5.5,
    high: 6.5,
    margin: 0.1,
    forMinutes: 10,
    repeatMinutes: 60,
    severity: 'warning',
    channels: 'all',
    isOn: true,
  };
  const rules = new Map<string, Rule>([rule, ...builtInRules()].map((each) => [each.id, each]));
  const channels = new Map([[FAKE_ID, channelState({ ...CHANNEL, id: FAKE_ID }, [])]]);
  let options: AlertOptions = NO_OPTIONS;
  const firing: Alert = {
    id: FAKE_ID,
    rule: rule.id,
    kind: 'range',
    name: rule.name,
    ...{ device, field: 'ph', store: null, severity: 'warning', state: 'firing' },
    since: startedAt - 25 * MINUTE_MS,
    firedAt: startedAt - 15 * MINUTE_MS,
    snoozedUntil: null,
    ...{ side: 'low', value: 5.31, extreme: 5.22, limit: 5.5, endedAt: null, ended: null },
  };
  let live: Alert[] = device === null ? [] : [firing];
  const ended: Alert[] = live.map((alert) => ({
    ...alert,
    id: crypto.randomUUID(),
    since: startedAt - 300 * MINUTE_MS,
    firedAt: startedAt - 290 * MINUTE_MS,
    endedAt: startedAt - 240 * MINUTE_MS,
    ended: 'back',
  }));
  const changeAlert = (id: string, change: Partial<Alert>): Alert => {
    const found = live.find((alert) => alert.id === id);
    if (found === undefined) throw new FakeError('not_found');
    const changed = { ...found, ...change };
    live = live.map((alert) => (alert.id === id ? changed : alert));
    onEvent('alerts', {});
    return changed;
  };
  const remove = (from: Map<string, unknown>, id: string) => {
    if (!from.delete(id)) throw new FakeError('not_found');
    onEvent('alerts', {});
    return {};
  };

  return {
    alerts: () => ({ now: Date.now(), alerts: live }),
    alertHistory: (query) => ({
      alerts: ended
        .filter((alert) => query.device === null || alert.device === query.device)
        .filter((alert) => query.rule === null || [query.rule].flat().includes(alert.rule)),
      hasMore: false,
    }),
    alertRules: () => ({ rules: [...rules.values()].map((each) => ({ rule: each, devices: 1, sealedOn: [] })) }),
    writeAlertRule: ({ rule: input }) => {
      if (input.id !== null && !rules.has(input.id)) throw new FakeError('not_found');
      const written = { ...input, id: input.id ?? crypto.randomUUID() } as Rule;
      rules.set(written.id, written);
      onEvent('alerts', {});
      return written;
    },
    deleteAlertRule: ({ id }) => remove(rules, id),
    acknowledgeAlert: ({ id }) => changeAlert(id, { state: 'acknowledged' }),
    snoozeAlert: ({ id, until }) => changeAlert(id, { state: 'snoozed', snoozedUntil: until }),
    alertOptions: () => options,
    setAlertOptions: (changed) => {
      options = { ...changed, digest: changed.digest ?? null };
      return options;
    },
    alertChannels: () => ({ channels: [...channels.values()] }),
    writeAlertChannel: ({ channel, secrets }) => {
      const written = channelSchema.parse({ ...channel, id: channel.id ?? crypto.randomUUID() });
      const changed = Object.entries(secrets) as [ChannelSecret, string | null][];
      const kept = channels.get(written.id)?.secrets.filter((name) => secrets[name] === undefined) ?? [];
      const state = channelState(written, [
        ...kept,
        ...changed.filter(([, value]) => value !== null).map(([name]) => name),
      ]);
      channels.set(written.id, state);
      onEvent('alerts', {});
      return state;
    },
    deleteAlertChannel: ({ id }) => remove(channels, id),
    noticeShown: () => ({}),
    testAlertChannel: ({ id }) => {
      if (!channels.has(id)) throw new FakeError('not_found');
      return { failure: null };
    },
    alertDigest: ({ weekday }) => {
      const title = `${weekday === null ? 'Daily' : 'Weekly'} summary: 1 of 3 needs you: Basil, pH 5.31.`;
      const lines = ['pH below its range since 09:05', 'pH: in range 91 %, from 5.22 to 6.40'];
      return {
        title,
        text: ['1 of 3 needs you: Basil, pH 5.31.', '', 'Basil: Needs you', ...lines.map((line) => `· ${line}`)].join(
          '\n',
        ),
        html: `<h1>${title}</h1>`,
      };
    },
    sendAlertDigest: (setting) => ({
      results: [...channels.values()]
        .filter(({ channel: { id, isOn } }) => isOn && (setting.channels === 'all' || setting.channels.includes(id)))
        .map(({ channel: { id } }) => ({ channel: id, failure: null })),
    }),
  };
}

function channelState(channel: ChannelConfig, secrets: ChannelSecret[]): ChannelState {
  const state = { isPlainBeyondLan: false, lastSuccessAt: null, lastFailure: null, waiting: 0, held: 0 };
  return { channel, secrets, ...state };
}
