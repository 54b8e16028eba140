import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useConnections } from '../../api/queries/connections.ts';
import { useSettings } from '../../api/queries/settings.ts';
import { LeadPage } from '../../components/layout/lead-page.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { useTitle } from '../../router/title.ts';
import { BrokerCard } from './broker-card.tsx';
import { MetricsCard } from './metrics-card.tsx';
import { ShownDevicesCard } from './shown-devices-card.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['connections', 'settings']);

/** The page of connected programs: Home Assistant through an MQTT broker, and Prometheus. */
export default function ConnectionsPage() {
  const { t } = useTranslation('connections');
  useTitle(t('title'));
  const settings = useSettings();
  const connections = useConnections();
  if (settings.data === undefined || connections.data === undefined) {
    const failed = settings.error === null ? connections : settings;
    return failed.error === null ? (
      <PageLoading />
    ) : (
      <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
    );
  }
  return (
    <LeadPage title={t('title')} lead={t('lead')}>
      <BrokerCard view={settings.data} connections={connections.data} />
      {settings.data.settings.mqttUrl.value === null ? null : <ShownDevicesCard />}
      <MetricsCard view={settings.data} connections={connections.data} />
    </LeadPage>
  );
}
