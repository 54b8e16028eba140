import { useEffect } from 'react';
import type { DesktopPayload } from '../../../shared/desktop-api.ts';
import { getDesktop } from '../../api/client.ts';
import { navigate } from '../../router.ts';

/** Opens the pages that the desktop's menu or tray asks for. */
export function useMenuPages(): void {
  useEffect(
    () =>
      getDesktop()?.listen((event, payload) => {
        if (event === 'goTo') navigate({ page: (payload as DesktopPayload<'goTo'>).page });
      }),
    [],
  );
}
