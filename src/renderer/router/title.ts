import { useEffect, useSyncExternalStore } from 'react';
import { StateStore } from '../../shared/state-store.ts';

const APP = 'Wellhouse';

/** The number of devices that need their owner. It is at the start of every page's title. */
export const titleCount = new StateStore(0);

/** Sets the document's title while the component is mounted; null shows only the app's name. */
export function useTitle(title: string | null): void {
  const count = useSyncExternalStore(titleCount.subscribe, titleCount.get);
  useEffect(() => {
    const mark = count === 0 ? '' : `(${count}) `;
    document.title = title === null || title === '' ? `${mark}${APP}` : `${mark}${title} – ${APP}`;
    return () => {
      document.title = APP;
    };
  }, [title, count]);
}
