import { useRef, useSyncExternalStore } from 'react';

// What a page shows stands behind a "?" in the fragment, so that back, reload and a link that is sent keep it.

/** The part of a fragment that names the page. */
export function pathIn(hash: string): string {
  return hash.split('?', 1)[0]!;
}

function parametersIn(hash: string): string {
  const at = hash.indexOf('?');
  return at === -1 ? '' : hash.slice(at + 1);
}

/** Calls back on every change of the fragment. Returns what ends it. */
export function onFragment(callback: () => void): () => void {
  window.addEventListener('hashchange', callback);
  return () => window.removeEventListener('hashchange', callback);
}

/** The parameters of a page, such as `range=7d`. While another page is in the URL, those of before. */
export function useParameters(path: string): string {
  const last = useRef('');
  return useSyncExternalStore(onFragment, () => {
    const { hash } = window.location;
    if (pathIn(hash) === path) last.current = parametersIn(hash);
    return last.current;
  });
}

/** The parameters of a page as they are now; none where another page is in the URL. */
export function parametersOf(path: string): URLSearchParams {
  const { hash } = window.location;
  return new URLSearchParams(pathIn(hash) === path ? parametersIn(hash) : '');
}

/** How many steps back the same page shows other parameters. */
export function stepsBack(): number {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'steps' in state ? Number(state.steps) : 0;
}

/**
 * Changes the parameters of a page if it is the one in the URL: as a step that the browser can take back, or in place of
 * those that are there.
 */
export function setParameters(
  path: string,
  change: (before: URLSearchParams) => URLSearchParams,
  how: 'step' | 'replace',
): void {
  const { hash } = window.location;
  if (pathIn(hash) !== path) return;
  // These two may stand as they are, and a link is easier to read with them.
  const text = change(new URLSearchParams(parametersIn(hash)))
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':');
  if (text === parametersIn(hash)) return;
  const address = text === '' ? path : `${path}?${text}`;
  if (how === 'step') window.history.pushState({ steps: stepsBack() + 1 }, '', address);
  else window.history.replaceState(window.history.state, '', address);
  // The browser tells of what it did itself only.
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
