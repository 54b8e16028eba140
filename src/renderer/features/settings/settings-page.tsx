import { Title } from '@mantine/core';
import { ErrorState } from '../../components/error-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLoading } from '../../components/page-loading.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useTitle } from '../../title.ts';
import { AppearanceSection } from './appearance-section.tsx';
import { DataSection } from './data-section.tsx';
import { DesktopSection } from './desktop-section.tsx';
import { DiagnosticsSection } from './diagnostics-section.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import classes from './settings.module.css';
import { useSettings } from './use-settings.ts';

/** Everything that the owner can set about the node and the app. */
export default function SettingsPage() {
  const { t } = useTranslation('settings');
  useTitle(t('title'));
  const { data: view, error, refetch } = useSettings();
  if (view === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { setAside, path } = view.file;
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      {setAside === null ? null : (
        <div className={classes.warning} role="status">
          <Icon name="alert" size={18} />
          <div>
            <p>
              <strong>{t('broken.title')}</strong>
            </p>
            <p>{setAside.path === null ? t('broken.inTheWay', { path }) : t('broken.text', { path: setAside.path })}</p>
          </div>
        </div>
      )}
      <EndpointsSection view={view} />
      <AppearanceSection view={view} />
      <DesktopSection view={view} />
      <DataSection view={view} />
      <DiagnosticsSection />
    </div>
  );
}
