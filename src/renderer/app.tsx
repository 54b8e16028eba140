import { lazy, Suspense, useDeferredValue, useEffect } from 'react';
import { isDesktop } from './api/client.ts';
import { useSession } from './api/session.ts';
import { EmptyState } from './components/empty-state.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { PageLoading } from './components/page-loading.tsx';
import { OverviewPage } from './features/overview/overview-page.tsx';
import { TokenPage } from './features/session/token-page.tsx';
import { NodeGate } from './features/startup/node-gate.tsx';
import { useMenuPages } from './features/startup/use-menu-pages.ts';
import { useTranslation } from './i18n/use-translation.ts';
import { linkTo, type Route, useRoute } from './router.ts';
import { Shell } from './shell/shell.tsx';

const loadDevicePage = () => import('./features/device/device-page.tsx');
const DevicePage = lazy(loadDevicePage);
const ConnectPage = lazy(() => import('./features/connect/connect-page.tsx'));
const KeysPage = lazy(() => import('./features/keys/page/keys-page.tsx'));
const SettingsPage = lazy(() => import('./features/settings/settings-page.tsx'));

function Page({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  switch (route.page) {
    case 'overview':
      return <OverviewPage />;
    case 'device':
      return <DevicePage key={route.id} id={route.id} />;
    case 'connect':
      return <ConnectPage />;
    case 'keys':
      return <KeysPage />;
    case 'settings':
      return <SettingsPage />;
    default:
      return (
        <EmptyState icon="search" title={t('unknownPage.title')}>
          <a href={linkTo({ page: 'overview' })}>{t('unknownPage.back')}</a>
        </EmptyState>
      );
  }
}

/** The whole view: the page that asks for the link where there is no token, else the shell around a page. */
export function App() {
  const session = useSession();
  const route = useRoute();
  // The page before stays until the next one is there: behind a fallback React would hold it back for 300 ms.
  const shown = useDeferredValue(route);
  useMenuPages();
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      // Should it not be loaded now, it is when it is opened.
      loadDevicePage().catch(() => {});
    });
    return () => cancelIdleCallback(idle);
  }, []);
  if (!isDesktop() && session !== 'ready') return <TokenPage refused={session === 'refused'} />;
  return (
    <NodeGate>
      <Shell route={route}>
        {/* Around the key, not within: a boundary that has shown a page keeps it, a new one shows its fallback at once. */}
        <Suspense fallback={<PageLoading />}>
          <ErrorBoundary key={shown.page === 'device' ? shown.id : shown.page}>
            <Page route={shown} />
          </ErrorBoundary>
        </Suspense>
      </Shell>
    </NodeGate>
  );
}
