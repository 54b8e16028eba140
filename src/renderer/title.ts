import { useEffect } from 'react';

const APP = 'Wellhouse';

/** Names the page in the browser's tab and history, while the component is shown; null: the app alone. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === '' ? APP : `${title} – ${APP}`;
    return () => {
      document.title = APP;
    };
  }, [title]);
}
