import { useEffect } from 'react';

const APP = 'Wellhouse';

/** Sets the document's title while the component is mounted; null: only the app's name. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title === null || title === '' ? APP : `${title} – ${APP}`;
    return () => {
      document.title = APP;
    };
  }, [title]);
}
