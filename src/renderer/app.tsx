import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { isDesktop } from './api/client.ts';
import { useSession } from './api/session.ts';
import { EmptyState } from './components/empty-state.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { PageLoading } from './components/page-loading.tsx';
import { OverviewPage } from './features/overview/overview-page.tsx';
import { TokenPage } from './features/session/token-page.tsx';
import { linkTo, type Route, useRoute } from './router.ts';
import { Shell } from './shell/shell.tsx';

const DevicePage = lazy(() => import('./features/device/device-page.tsx'));
const ConnectPage = lazy(() => import('./features/connect/connect-page.tsx'));

function Page({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  switch (route.page) {
    case 'overview':
      return <OverviewPage />;
    case 'device':
      return <DevicePage key={route.id} id={route.id} />;
    case 'connect':
      return <ConnectPage />;
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
  if (!isDesktop() && session !== 'ready') return <TokenPage refused={session === 'refused'} />;
  return (
    <Shell route={route}>
      <ErrorBoundary key={route.page === 'device' ? route.id : route.page}>
        <Suspense fallback={<PageLoading />}>
          <Page route={route} />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}
