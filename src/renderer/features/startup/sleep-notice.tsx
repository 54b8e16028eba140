import { lazy, Suspense, useEffect, useState } from 'react';
import type { Wake } from '../../../shared/desktop-api.ts';
import { getDesktop } from '../../api/client.ts';

const SleepBanner = lazy(() => import('./sleep-banner.tsx'));

/** Waits, in the desktop app, for a sleep of the machine to tell of. */
export function SleepNotice() {
  const [wake, setWake] = useState<Wake | null>(null);
  useEffect(() => {
    const desktop = getDesktop();
    if (desktop === null) return;
    // It may have slept before this page listened.
    desktop.call('lastWake', {}).then(
      (last) => setWake((before) => before ?? last.wake),
      () => {},
    );
    return desktop.listen((event, payload) => {
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
