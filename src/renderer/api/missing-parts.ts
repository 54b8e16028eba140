import type { NodeConnection } from './node-connection.ts';

const STORAGE_KEY = 'wellhouse.reloaded-at';
/** If a part is missing again so soon after a reload, another reload does not help. */
const NOT_AGAIN_MS = 60_000;

function reload(): void {
  const last = Number(sessionStorage.getItem(STORAGE_KEY) ?? 0);
  if (Date.now() - last < NOT_AGAIN_MS) return;
  sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
  window.location.reload();
}

/**
 * Reloads the page if a part of the program could not be loaded. Parts are loaded at their first use, and a browser
 * does not retry a failed one. The reload waits until the node is connected. It is immediate if the node answers but no
 * longer has the part, for example after an update.
 */
export function reloadForMissingParts(node: NodeConnection): void {
  let waiting = false;
  const look = (): void => {
    if (waiting && node.link().state === 'connected') reload();
  };
  window.addEventListener('vite:preloadError', () => {
    waiting = true;
    // The page may not know yet that the connection is lost. Then the listener below reloads when it returns.
    window.setTimeout(look, 2000);
  });
  node.onLinkChange(look);
}
