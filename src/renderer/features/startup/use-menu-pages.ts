import { useEffect } from 'react';
import type { DesktopPayload } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';
import { navigate } from '../../router/router.ts';

/** Opens the pages chosen in the desktop's menu or tray. */
export function useMenuPages(): void {
  useEffect(
    () =>
      desktop?.app.listen((event, payload) => {
        if (event === 'goTo') navigate({ page: (payload as DesktopPayload<'goTo'>).page });
      }),
    [],
  );
}
