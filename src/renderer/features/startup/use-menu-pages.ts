import { useEffect } from 'react';
import type { DesktopPayload } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';
import { navigate } from '../../router/router.ts';

/** Opens the page or alert chosen in the desktop app's menu, its tray or a notification. */
export function useMenuPages(): void {
  useEffect(
    () =>
      desktop?.app.listen((event, payload) => {
        if (event === 'goTo') navigate({ page: (payload as DesktopPayload<'goTo'>).page });
        if (event === 'openAlert') navigate({ page: 'alerts', ...(payload as DesktopPayload<'openAlert'>) });
      }),
    [],
  );
}
