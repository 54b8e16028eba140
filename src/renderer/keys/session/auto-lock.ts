import type { DesktopPayload } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';
import type { LockReason } from '../types.ts';
import type { KeySession } from './key-session.ts';

/** How often the idle time is checked, in milliseconds. */
const TICK_MS = 5000;
/**
 * A timer later than this means that the machine was suspended or the page frozen. A hidden page's timers still run
 * once a minute.
 */
const SLEPT_MS = 120_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** The reasons that lock all tabs of the node. Other reasons lock only their own tab. */
const SHARED_REASONS: readonly LockReason[] = ['command', 'idle', 'suspend'];
/** How often other tabs are notified of activity, in milliseconds. */
const TOLD_EVERY_MS = 2000;

/** The messages between tabs of one origin. */
type Told = { readonly lock: LockReason } | { readonly lock: null };

/** The keyboard shortcut that locks the keys, in the notation of this platform. */
export const LOCK_KEYS = /Mac|iP/.test(navigator.platform) ? '⇧⌘L' : 'Ctrl+Shift+L';

/**
 * Locks the keys on Ctrl/Cmd+Shift+L (without Shift it is the browser's shortcut), after the keystore's idle time,
 * after the machine slept (on the desktop before it sleeps or its screen is locked), and when the owner leaves the
 * page. All reasons but the last lock every tab. Returns a function that stops it.
 */
export function startAutoLock(session: KeySession): () => void {
  let lastSign = Date.now();
  let lastTick = lastSign;

  const look = (): void => {
    const now = Date.now();
    const slept = now - lastTick > SLEPT_MS;
    lastTick = now;
    const view = session.view();
    if (view === null) return;
    const idleMs = view.lockAfterMinutes * 60_000;
    if (idleMs > 0 && now - lastSign >= idleMs) session.lock('idle');
    else if (slept) session.lock('suspend');
  };
  const otherTabs = new BroadcastChannel('wellhouse.keys');
  let isTold = false;
  otherTabs.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.lock === null) {
      lastSign = Date.now();
      return;
    }
    isTold = true;
    session.lock(data.lock);
    isTold = false;
  };
  const endLocks = session.onLock((reason) => {
    if (!isTold && SHARED_REASONS.includes(reason)) otherTabs.postMessage({ lock: reason } satisfies Told);
  });
  let lastTold = 0;
  const onSign = (): void => {
    // Check first: the mouse movement that wakes the machine must not count as activity before the sleep is detected.
    if (Date.now() - lastTick > TICK_MS) look();
    lastSign = Date.now();
    if (lastSign - lastTold < TOLD_EVERY_MS) return;
    lastTold = lastSign;
    otherTabs.postMessage({ lock: null } satisfies Told);
  };
  const onKey = (event: KeyboardEvent): void => {
    const isLock = event.key.toLowerCase() === 'l' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isLock || !event.shiftKey || session.view() === null) return;
    event.preventDefault();
    session.lock('command');
  };
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') look();
  };
  const onLeave = (): void => session.lock('closed');
  const endDesktop = desktop?.app.listen((event, payload) => {
    if (event === 'lockKeys') session.lock((payload as DesktopPayload<'lockKeys'>).reason);
  });
  // The idle time starts when the keys are unlocked.
  const endListening = session.subscribe(() => {
    if (session.state().status === 'unlocking') lastSign = Date.now();
  });

  const timer = window.setInterval(look, TICK_MS);
  for (const name of SIGNS_OF_LIFE) window.addEventListener(name, onSign, { capture: true, passive: true });
  window.addEventListener('keydown', onKey, { capture: true });
  window.addEventListener('pagehide', onLeave);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    endListening();
    endLocks();
    otherTabs.close();
    endDesktop?.();
    window.clearInterval(timer);
    for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, onSign, { capture: true });
    window.removeEventListener('keydown', onKey, { capture: true });
    window.removeEventListener('pagehide', onLeave);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
