import { useEffect } from 'react';

/**
 * Gives the focus to the page where what had it went away with a change of `view`: a keyboard goes on from the page's top
 * then, and not from the top of the window.
 */
export function useFocusKept(view: unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what counts
  useEffect(() => {
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true });
  }, [view]);
}
