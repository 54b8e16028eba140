import type { NodeConnection } from './node-connection.ts';

const STORAGE_KEY = 'wellhouse.reloaded-at';
/** A part that is missing again so soon after a reload will not come by another one. */
const NOT_AGAIN_MS = 60_000;

function reload(): void {
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < NOT_AGAIN_MS) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

/**
 * Parts of the program are loaded when they are first used. One that could not be loaded stays missing for the life of
 * the page, so the page is loaded again as soon as the connection is back. Where the node answers but no longer has the
 * part, as after an update, that is at once.
 */
export function reloadForMissingParts(node: NodeConnection): void {
  let waiting = false;
  const look = (): void => {
    if (waiting && node.link().state === 'connected') reload();
  };
  window.addEventListener('vite:preloadError', () => {
    waiting = true;
    // The loss of the connection may not be known yet: its return is then told later.
    window.setTimeout(look, 2000);
  });
  node.onLinkChange(look);
}
