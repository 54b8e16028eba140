import { useEffect, useState } from 'react';

/**
 * Gives the focus back to what had it when the dialog of the calling component came, when it goes. Mantine's own return
 * of the focus needs a dialog that stays mounted; these are loaded, and there, only while they are open.
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
