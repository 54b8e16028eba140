import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { OwnerOnly } from '../api/me.tsx';
import { ScrollArea } from '../components/browser/scroll-area.ts';
import { useSmallScreen } from '../components/browser/small-screen.ts';
import { linkTo, pageKey, type Route } from '../router/router.ts';
import {
  ClockBanner,
  DamagedNotice,
  ExposureBanner,
  JoiningBanner,
  SleepNotice,
  StorageBanner,
  ViewerBanner,
} from './banners/banners.tsx';
import { ConnectionBanner } from './banners/connection-banner.tsx';
import { DeviceNav } from './device-nav/device-nav.tsx';
import { Header } from './header/header.tsx';
import classes from './shell.module.css';
import { useKeptFocus } from './use-kept-focus.ts';
import { WellMark } from './well-mark.ts';

interface Props {
  /** The requested page. */
  readonly route: Route;
  /** The displayed page; it stays until the next one has loaded. */
  readonly shown: Route;
  readonly children: ReactNode;
}

/** The header, the page, and, on a device's page, the list of the other devices. */
export function Shell({ route, shown, children }: Props) {
  const { t } = useTranslation('app');
  // State rather than a ref, so that the content renders again when the element is mounted.
  const [main, setMain] = useState<HTMLElement | null>(null);
  useKeptFocus(main);
  const page = pageKey(route);
  // On a small screen, the list and the page are separate views.
  const isSmall = useSmallScreen();
  const before = useRef(page);

  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    // Like a browser after a click on a link: scrolls to the top and moves the focus to the new page. If the owner is
    // typing in the search, the focus stays there.
    main?.scrollTo(0, 0);
    if (document.activeElement?.matches('input[type=search]') !== true) main?.focus({ preventScroll: true });
  }, [page, main]);

  return (
    <div className={classes.shell} data-page={route.page}>
      {/* Not a link, as the URL's fragment belongs to the router. */}
      <button type="button" className={classes.skip} onClick={() => main?.focus()}>
        {t('shell.skip')}
      </button>
      <WellMark />
      <Header route={route} />
      <ExposureBanner />
      <StorageBanner />
      <ClockBanner />
      <ConnectionBanner />
      <OwnerOnly>
        <DamagedNotice />
        <JoiningBanner />
      </OwnerOnly>
      <ViewerBanner />
      <SleepNotice />
      <div className={classes.body}>
        {isSmall || shown.page !== 'device' ? null : (
          <DeviceNav active={linkTo(route.page === 'device' ? route : shown)} />
        )}
        <main ref={setMain} id="main" className={classes.main} tabIndex={-1}>
          <ScrollArea value={main}>{children}</ScrollArea>
        </main>
      </div>
    </div>
  );
}
