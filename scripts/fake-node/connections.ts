import type { CONNECTION_METHODS, Connections } from '../../src/shared/owner-api/connections.ts';
import type { SettingChange } from '../../src/shared/owner-api/settings.ts';
import type { Answers, OnFakeEvent } from './fake.ts';

/** Returns a fake broker and a fake Prometheus. Both exist as soon as the settings name them. */
export function connectionAnswers(
  settings: () => SettingChange,
  devices: () => number,
  onEvent: OnFakeEvent,
): Pick<Answers, keyof typeof CONNECTION_METHODS> {
  const isSet = { mqttPassword: false, metricsToken: false };
  const source = (name: keyof typeof isSet) => ({ source: isSet[name] ? ('page' as const) : null });
  const view = (): Connections => {
    const { mqttUrl, metricsPort, metricsAddress = '127.0.0.1' } = settings();
    const isOn = mqttUrl != null;
    const needsToken = !metricsAddress.startsWith('127.') && !isSet.metricsToken;
    return {
      mqtt: {
        state: isOn ? 'connected' : 'off',
        since: isOn ? Date.now() - 3_600_000 : null,
        error: null,
        messages: isOn ? 1284 : 0,
        devices: isOn ? devices() : 0,
      },
      metrics: {
        state: metricsPort == null ? 'off' : needsToken ? 'waiting' : 'listening',
        url: metricsPort == null ? null : `http://${metricsAddress}:${metricsPort}/metrics`,
        reason: metricsPort != null && needsToken ? 'token' : null,
        detail: null,
      },
      mqttPassword: source('mqttPassword'),
      metricsToken: source('metricsToken'),
    };
  };
  return {
    connections: view,
    setConnectionSecrets: (change) => {
      for (const name of ['mqttPassword', 'metricsToken'] as const) {
        const secret = change[name];
        if (secret !== undefined) isSet[name] = secret !== null;
      }
      onEvent('connections', {});
      return view();
    },
    testMqtt: () => ({ failure: null }),
  };
}
