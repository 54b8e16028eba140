import type { CONNECTION_METHODS, Connections } from '../../src/shared/owner-api/connections.ts';
import type { SettingChange } from '../../src/shared/owner-api/settings.ts';
import type { Answers, OnFakeEvent } from './fake.ts';

/** A broker that is made up: it is there as soon as the settings name it. */
export function connectionAnswers(
  settings: () => SettingChange,
  devices: () => number,
  onEvent: OnFakeEvent,
): Pick<Answers, keyof typeof CONNECTION_METHODS> {
  let hasPassword = false;
  const view = (): Connections => {
    const { mqttUrl } = settings();
    const isOn = mqttUrl != null;
    return {
      mqtt: {
        state: isOn ? 'connected' : 'off',
        since: isOn ? Date.now() - 3_600_000 : null,
        error: null,
        messages: isOn ? 1284 : 0,
        devices: isOn ? devices() : 0,
      },
      mqttPassword: { source: hasPassword ? 'page' : null },
    };
  };
  return {
    connections: view,
    setConnectionSecrets: ({ mqttPassword }) => {
      if (mqttPassword !== undefined) hasPassword = mqttPassword !== null;
      onEvent('connections', {});
      return view();
    },
    testMqtt: () => ({ failure: null }),
  };
}
