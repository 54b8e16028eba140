import { useSyncExternalStore } from 'react';
import type { EventPayload } from '../shared/owner-api/events.ts';
import { desktop } from './api/desktop.ts';
import type { NodeConnection } from './api/node-connection.ts';
import { tellNoticeShown } from './api/notices.ts';
import { KeptState } from './kept-state.ts';

// Browser notifications, while a tab of the view is open. The desktop app shows its own.

const wanted = new KeptState('wellhouse.notify', (text) => text === 'true');

/**
 * `unsupported`: the browser shows no notifications of this page, for example because the page came over plain HTTP.
 * `denied`: the owner has blocked notifications of this page.
 */
export type NotifyState = 'on' | 'off' | 'denied' | 'unsupported';

function state(): NotifyState {
  if (!('Notification' in window) || !window.isSecureContext) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  return wanted.get() && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Returns whether this browser shows notifications. */
export function useNotify(): NotifyState {
  return useSyncExternalStore(wanted.subscribe, state);
}

/** Turns notifications of this browser on or off. The browser asks the owner for permission the first time. */
export async function setNotify(isOn: boolean): Promise<void> {
  if (isOn && 'Notification' in window) await Notification.requestPermission();
  wanted.set(isOn);
}

/** A browser that can't show a notification reports an error within this time. Not every browser reports success. */
const FAULT_WITHIN_MS = 1000;

/**
 * Shows a notice if the owner wants notifications here, and tells the node whether it was shown. A click opens the
 * alert.
 */
export async function showNotice(notice: EventPayload<'notice'>, node: NodeConnection): Promise<void> {
  // The desktop app reports its own notices.
  if (desktop !== null) return;
  const isShown = state() === 'on' && (await isShownBy(notice));
  await tellNoticeShown(node, notice.id, isShown);
}

async function isShownBy({ id, alert, title, text, severity }: EventPayload<'notice'>): Promise<boolean> {
  try {
    // With the same tag, the tabs of one browser show a message only once.
    const shown = new Notification(title, { body: text, tag: id, requireInteraction: severity === 'critical' });
    shown.onclick = () => {
      window.focus();
      window.location.hash = alert === null ? '#/alerts' : `#/alerts/${alert}`;
      shown.close();
    };
    return await new Promise((resolve) => {
      shown.onshow = () => resolve(true);
      shown.onerror = () => resolve(false);
      setTimeout(() => resolve(true), FAULT_WITHIN_MS);
    });
  } catch {
    // Browsers of phones have the constructor, but it throws.
    return false;
  }
}
