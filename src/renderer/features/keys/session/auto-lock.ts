import type { DesktopPayload } from '../../../../shared/desktop-api.ts';
import { getDesktop } from '../../../api/client.ts';
import type { KeySession } from './key-session.ts';
import { keySession } from './page-keys.ts';

/** Looks this often whether the keys have lain idle. */
const TICK_MS = 5000;
/**
 * A tick that is later than this was not late but slept: the machine was suspended, or the browser froze the page. A
 * hidden page's timers run once a minute, no rarer.
 */
const SLEPT_MS = 120_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** The keys that lock, as the keyboard at hand names them. */
export const LOCK_KEYS = /Mac|iP/.test(navigator.platform) ? '⌘L' : 'Ctrl+L';

/**
 * Locks the keys on Ctrl/Cmd+L, after the idle minutes that the keystore says, after the machine slept (on the desktop
 * before it does, and with its screen), and when the page goes. Returns what ends it.
 */
export function startAutoLock(session: KeySession = keySession): () => void {
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
  const onSign = (): void => {
    // First, or the move of the mouse that wakes the machine would count as never having been away.
    if (Date.now() - lastTick > TICK_MS) look();
    lastSign = Date.now();
  };
  const onKey = (event: KeyboardEvent): void => {
    const isLock = event.key.toLowerCase() === 'l' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (!isLock || event.shiftKey || session.view() === null) return;
    // The browser would go to its address bar.
    event.preventDefault();
    session.lock('command');
  };
  const onVisible = (): void => {
    if (document.visibilityState === 'visible') look();
  };
  const onLeave = (): void => session.lock('closed');
  const endDesktop = getDesktop()?.listen((event, payload) => {
    if (event === 'lockKeys') session.lock((payload as DesktopPayload<'lockKeys'>).reason);
  });
  // A new keystore or passphrase is a sign of life of its own: the time begins when the keys open.
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
    endDesktop?.();
    window.clearInterval(timer);
    for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, onSign, { capture: true });
    window.removeEventListener('keydown', onKey, { capture: true });
    window.removeEventListener('pagehide', onLeave);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
