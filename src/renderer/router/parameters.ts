import { useRef, useSyncExternalStore } from 'react';

// The parameters of a page are behind a "?" in the fragment. So the back button, a reload and a shared link keep them.

/** Returns the part of a fragment that names the page. */
export function pathIn(hash: string): string {
  return hash.split('?', 1)[0]!;
}

function parametersIn(hash: string): string {
  const at = hash.indexOf('?');
  return at === -1 ? '' : hash.slice(at + 1);
}

/** Calls back on every change of the fragment. Returns a function that stops it. */
export function onFragment(callback: () => void): () => void {
  window.addEventListener('hashchange', callback);
  return () => window.removeEventListener('hashchange', callback);
}

/** Returns the parameters of a page, such as `range=7d`. While another page is in the URL, returns the last ones. */
export function useParameters(path: string): string {
  const last = useRef('');
  return useSyncExternalStore(onFragment, () => {
    const { hash } = window.location;
    if (pathIn(hash) === path) last.current = parametersIn(hash);
    return last.current;
  });
}

/** Returns the current parameters of a page; none if another page is in the URL. */
export function parametersOf(path: string): URLSearchParams {
  const { hash } = window.location;
  return new URLSearchParams(pathIn(hash) === path ? parametersIn(hash) : '');
}

/** Returns how many steps back in the history belong to the same page with other parameters. */
export function stepsBack(): number {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'steps' in state ? Number(state.steps) : 0;
}

/**
 * Changes the parameters of a page if it is the one in the URL. `step` adds an entry to the browser's history;
 * `replace` replaces the current one.
 */
export function setParameters(
  path: string,
  change: (before: URLSearchParams) => URLSearchParams,
  how: 'step' | 'replace',
): void {
  const { hash } = window.location;
  if (pathIn(hash) !== path) return;
  // A fragment may contain "," and ":" unescaped, and a link is easier to read with them.
  const text = change(new URLSearchParams(parametersIn(hash)))
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':');
  if (text === parametersIn(hash)) return;
  const address = text === '' ? path : `${path}?${text}`;
  if (how === 'step') window.history.pushState({ steps: stepsBack() + 1 }, '', address);
  else window.history.replaceState(window.history.state, '', address);
  // The browser sends this event only for its own changes.
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
