import { lazy, Suspense, useEffect, useState } from 'react';
import type { Wake } from '../../../shared/desktop-api.ts';
import { desktop } from '../../api/desktop.ts';

const SleepBanner = lazy(() => import('./sleep-banner.tsx'));

/** In the desktop app: shows a banner after the machine has slept. */
export function SleepNotice() {
  const [wake, setWake] = useState<Wake | null>(null);
  useEffect(() => {
    if (desktop === null) return;
    // It may have slept before this page was listening.
    desktop.app.call('lastWake', {}).then(
      (last) => setWake((before) => before ?? last.wake),
      () => {},
    );
    return desktop.app.listen((event, payload) => {
      if (event === 'wake') setWake(payload as Wake);
    });
  }, []);
  if (wake === null) return null;
  return (
    <Suspense>
      <SleepBanner key={wake.to} wake={wake} onDismiss={() => setWake(null)} />
    </Suspense>
  );
}
