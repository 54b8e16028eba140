import { useEffect, useState } from 'react';

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what counts
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}
