import { openAlerts } from '../../../shared/alerts/open-alerts.ts';
import type { Host } from '../host.ts';

/** The alerts that the shell shows. */
export interface AlertsView {
  readonly firing: number;
  /** Whether a channel sends notifications of alerts. */
  readonly hasChannel: boolean;
}

export const NO_ALERTS: AlertsView = { firing: 0, hasChannel: false };

/** Reads the alerts when they change, one call at a time. Returns a function that ends this. */
export function watchAlerts(host: Host, onAlerts: (view: AlertsView) => void): () => void {
  let isAsking = false;
  let isStale = false;
  let isEnded = false;
  const look = async (): Promise<void> => {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    while (isStale && !isEnded) {
      isStale = false;
      const [alerts, channels] = await Promise.all([host.call('alerts', {}), host.call('alertChannels', {})]);
      if (isEnded) break;
      onAlerts({
        firing: alerts.ok ? openAlerts(alerts.value.alerts).length : 0,
        hasChannel:
          channels.ok &&
          channels.value.channels.some(({ channel }) => channel.isOn && channel.target.kind === 'desktop'),
      });
    }
    isAsking = false;
  };
  const ends = [
    host.listen((event) => {
      if (event === 'alerts') void look();
    }),
    host.onState(() => void look()),
  ];
  void look();
  return () => {
    isEnded = true;
    for (const end of ends) end();
  };
}
