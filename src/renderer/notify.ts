import { useSyncExternalStore } from 'react';
import type { EventPayload } from '../shared/owner-api/events.ts';
import { desktop } from './api/desktop.ts';
import { KeptState } from './kept-state.ts';

// Notifications by the browser, while a tab of the view is open. The desktop app shows its own.

const wanted = new KeptState('wellhouse.notify', (text) => text === 'true');

/**
 * `unsupported`: the browser shows none to this page, as where it came over plain HTTP; `denied`: the owner told the browser
 * to show none of this page.
 */
export type NotifyState = 'on' | 'off' | 'denied' | 'unsupported';

function state(): NotifyState {
  if (!('Notification' in window) || !window.isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return wanted.get() && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Whether this browser shows notifications. */
export function useNotify(): NotifyState {
  return useSyncExternalStore(wanted.subscribe, state);
}

/** Turns notifications of this browser on or off; the browser asks the owner at the first time. */
export async function setNotify(isOn: boolean): Promise<void> {
  if (isOn && 'Notification' in window) await Notification.requestPermission();
  wanted.set(isOn);
}

/** Shows a notice where the owner wants it so; a click leads to its alert. */
export function showNotice({ id, alert, title, text, severity }: EventPayload<'notice'>): void {
  if (desktop !== null || state() !== 'on') return;
  // Tabs of one browser that show the same message show one.
  const shown = new Notification(title, { body: text, tag: id, requireInteraction: severity === 'critical' });
  shown.onclick = () => {
    window.focus();
    window.location.hash = alert === null ? '#/alerts' : `#/alerts/${alert}`;
    shown.close();
  };
}
