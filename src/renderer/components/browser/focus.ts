import { useEffect, useRef, useState } from 'react';

/**
 * Returns the focus to the element that had it before the calling component's dialog was mounted. Mantine does that
 * only for dialogs that stay mounted; ours exist only while they are open.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    },
    [before],
  );
}

/**
 * Moves the focus to the page when the focused element disappeared with a change of `view`. Otherwise the Tab key
 * would start again at the top of the window.
 */
export function useFocusKept(view: unknown): void {
  const before = useRef(view);
  useEffect(() => {
    if (before.current === view) return;
    before.current = view;
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}

/** Returns the links of the devices that a page lists and has rendered, from top to bottom. */
function deviceLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('main :is([role=row], article) a[data-device]')].toSorted(
    (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
  );
}

/** Moves the focus to the first device of the list. Waits until the list is rendered. */
export function focusFirstDevice(attempts = 30): void {
  const first = deviceLinks()[0];
  if (first !== undefined) first.focus();
  else if (attempts > 0) requestAnimationFrame(() => focusFirstDevice(attempts - 1));
}

/** Moves the focus to the next or previous device of the list. The search field is before the first device. */
export function focusNextDevice(by: -1 | 1): void {
  const links = deviceLinks();
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at + by];
  if (next !== undefined) next.focus();
  else if (by === -1) document.querySelector<HTMLElement>('input[type=search]')?.focus();
}
