import { type ReactNode, useEffect, useRef } from 'react';
import { SleepNotice } from '../features/startup/sleep-notice.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import type { Route } from '../router.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { DeviceNav } from './device-nav.tsx';
import { Header } from './header.tsx';
import { type ScrollArea, ScrollContext } from './scroll-context.ts';
import classes from './shell.module.css';

function pageName(route: Route): string {
  return route.page === 'device' ? `device/${route.id}` : route.page;
}

/** Header, the devices on the left, and the page. */
export function Shell({ route, children }: { route: Route; children: ReactNode }) {
  const { t } = useTranslation('app');
  const main = useRef<HTMLElement>(null);
  const page = pageName(route);
  const shown = useRef(page);

  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    // As a browser does for a followed link: the new page begins at its top, and the keyboard goes on from there.
    main.current?.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [page]);

  return (
    <div className={classes.shell} data-page={route.page}>
      {/* Not a link: the fragment of the URL is the router's. */}
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        {t('shell.skip')}
      </button>
      <Header route={route} />
      <ConnectionBanner />
      <SleepNotice />
      <div className={classes.body}>
        <DeviceNav activeId={route.page === 'device' ? route.id : null} />
        <main ref={main} id="main" className={classes.main} tabIndex={-1}>
          <ScrollContext value={main as ScrollArea}>{children}</ScrollContext>
        </main>
      </div>
    </div>
  );
}
