import { lazy, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from './api/me.tsx';
import { NodeProvider, useDoorSession, useSessionState } from './api/node-connection.ts';
import { useNodes, useOtherNodes } from './api/queries/nodes.ts';
import { EmptyState, ErrorBoundary, PageLoading } from './components/states.tsx';
import { OverviewPage } from './features/overview/overview-page.tsx';
import { TokenPage } from './features/session/token-page.tsx';
import { NodeGate } from './features/startup/node-gate.tsx';
import { useLoadAhead } from './features/startup/use-load-ahead.ts';
import { useMenuPages } from './features/startup/use-menu-pages.ts';
import { linkTo, pageKey, type Route, useRoute } from './router/router.ts';
import { Shell } from './shell/shell.tsx';

const AlertsPage = lazy(() => import('./features/alerts/alerts-page.tsx'));
const loadDevicePage = () => import('./features/device/device-page.tsx');
const DevicePage = lazy(loadDevicePage);
const ComparePage = lazy(() => import('./features/compare/compare-page.tsx'));
const CropsPage = lazy(() => import('./features/crops/crops-page.tsx'));
const CyclePage = lazy(() => import('./features/crops/cycle/cycle-page.tsx'));
const BesidePage = lazy(() => import('./features/crops/beside/beside-page.tsx'));
const ReportPage = lazy(() => import('./features/report/report-page.tsx'));
const ConnectPage = lazy(() => import('./features/connect/connect-page.tsx'));
const SetupPage = lazy(() => import('./features/setup/setup-page.tsx'));
const KeysPage = lazy(() => import('./features/keys/page/keys-page.tsx'));
const NodePage = lazy(() => import('./features/node/node-page.tsx'));
const NodesPage = lazy(() => import('./features/nodes/nodes-page.tsx'));
const SpacePage = lazy(() => import('./features/space/space-page.tsx'));
const BackupsPage = lazy(() => import('./features/backups/backups-page.tsx'));
const ExportPage = lazy(() => import('./features/export-all/export-page.tsx'));
const PeoplePage = lazy(() => import('./features/people/people-page.tsx'));
const PairPage = lazy(() => import('./features/session/pair-page.tsx'));
const ConnectionsPage = lazy(() => import('./features/connections/connections-page.tsx'));
const SecurityPage = lazy(() => import('./features/security/security-page.tsx'));
const AuditPage = lazy(() => import('./features/security/audit-page.tsx'));
const SettingsPage = lazy(() => import('./features/settings/settings-page.tsx'));

/** The pages for managing the node and its keys. Only owners may open them. */
const FOR_OWNERS: ReadonlySet<Route['page']> = new Set([
  ...(['connect', 'setup', 'keys', 'node', 'space', 'backups', 'export', 'settings', 'people', 'nodes'] as const),
  ...(['security', 'audit', 'connections'] as const),
]);

function Page({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  const { role, mayUnlock } = useMe();
  // The node refuses these pages too. Here the page tells the user why.
  if (role !== 'owner' && FOR_OWNERS.has(route.page)) return <EmptyState isPage icon="lock" title={t('viewer.page')} />;
  if (route.page === 'keys' && !mayUnlock) return <EmptyState isPage icon="lock" title={t('viewer.noKeys')} />;
  switch (route.page) {
    case 'overview':
      return <OverviewPage />;
    case 'device':
      return <DeviceOf route={route} />;
    case 'compare':
      return <ComparePage />;
    case 'crops':
      if (route.cycle === undefined) return <CropsPage />;
      if (route.beside === undefined) return <CyclePage key={route.cycle} id={route.cycle} />;
      return <BesidePage key={`${route.cycle} ${route.beside}`} ids={[route.cycle, route.beside]} />;
    case 'report':
      return <ReportPage key={route.id} of={route.of} id={route.id} />;
    case 'alerts':
      return <AlertsPage id={route.id} />;
    case 'connect':
      return <ConnectPage from={route.from ?? null} />;
    case 'setup':
      return <SetupPage />;
    case 'keys':
      return <KeysPage />;
    case 'node':
      return <NodePage />;
    case 'nodes':
      return <NodesPage />;
    case 'space':
      return <SpacePage />;
    case 'backups':
      return <BackupsPage />;
    case 'export':
      return <ExportPage />;
    case 'settings':
      return <SettingsPage />;
    case 'people':
      return <PeoplePage />;
    case 'connections':
      return <ConnectionsPage />;
    case 'security':
      return <SecurityPage />;
    case 'audit':
      return <AuditPage />;
    default:
      return (
        <EmptyState isPage icon="search" title={t('unknownPage.title')}>
          <a href={linkTo({ page: 'overview' })}>{t('unknownPage.back')}</a>
        </EmptyState>
      );
  }
}

/** The page of a device, at the node that the address names. */
function DeviceOf({ route: { id, node: routeId } }: { route: Extract<Route, { page: 'device' }> }) {
  const { t } = useTranslation('app');
  const nodes = useNodes();
  const { isPending } = useOtherNodes();
  const node = nodes.find((each) => each.routeId === routeId);
  if (node !== undefined) {
    return (
      <NodeProvider value={node}>
        <DevicePage key={`${id} ${routeId}`} id={id} />
      </NodeProvider>
    );
  }
  if (isPending) return <PageLoading />;
  return (
    <EmptyState isPage icon="search" title={t('nodes.unknown')}>
      <a href={linkTo({ page: 'nodes' })}>{t('nodes.toList')}</a>
    </EmptyState>
  );
}

/** The whole view. Without a token it is a page that asks for the owner's link; otherwise the shell with a page. */
export function App() {
  const session = useSessionState();
  const door = useDoorSession();
  const route = useRoute();
  // The old page stays until the next one has loaded. With a fallback, React would delay the new page by 300 ms.
  const shown = useDeferredValue(route);
  useMenuPages();
  useLoadAhead(loadDevicePage);
  if (session !== 'ready') {
    return door === null ? (
      <TokenPage refused={session === 'refused'} />
    ) : (
      <Suspense fallback={<PageLoading />}>
        <PairPage door={door} refused={session === 'refused'} />
      </Suspense>
    );
  }
  return (
    <NodeGate>
      <Shell route={route} shown={shown}>
        {/* Outside of the keyed element: a Suspense boundary that has shown a page keeps it. A new one would show
            its fallback. */}
        <Suspense fallback={<PageLoading />}>
          <ErrorBoundary key={pageKey(shown)}>
            <Page route={shown} />
          </ErrorBoundary>
        </Suspense>
      </Shell>
    </NodeGate>
  );
}
