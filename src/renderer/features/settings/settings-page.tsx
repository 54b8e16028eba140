import { Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../api/queries/settings.ts';
import { Icon } from '../../components/icon.tsx';
import { ErrorState, PageLoading } from '../../components/states.tsx';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import { DiagnosticsButton } from '../../settings/diagnostics-button.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { DataSection } from './data-section.tsx';
import { DesktopSection } from './desktop-section.tsx';
import { EndpointsSection } from './endpoints-section.tsx';
import { Row, Section } from './section.tsx';
import classes from './settings.module.css';
import { UnitsSection } from './units-section.tsx';

/** The page of all settings of the node and the app. */
export default function SettingsPage() {
  const { t } = useTranslation('settings');
  useTitle(t('title'));
  const { data: view, error, refetch } = useSettings();
  if (view === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { path, edited } = view.file;
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      {edited.length === 0 ? null : (
        <div className={classes.warning} role="status">
          <Icon name="alert" size={18} />
          <div>
            <p>
              <strong>{t('edited.title', { path })}</strong>
            </p>
            <p>{t('edited.text', { names: edited.join(', ') })}</p>
          </div>
        </div>
      )}
      <UnitsSection />
      <AppearanceSection view={view} />
      <DesktopSection view={view} />
      <DataSection view={view} />
      <EndpointsSection view={view} />
      <PageLink page="connections" />
      <PageLink page="security" />
      <DiagnosticsSection />
    </div>
  );
}

const LINKS = {
  connections: { title: 'connections.title', text: 'connections.link' },
  security: { title: 'security.title', text: 'security.link' },
} as const;

/** Links to the page of a connection or listener that has its own settings. */
function PageLink({ page }: { page: keyof typeof LINKS }) {
  const { t } = useTranslation('app');
  const { title, text } = LINKS[page];
  return (
    <Section title={t(title)}>
      <Row name={t(text)}>
        <a href={linkTo({ page })}>{t(title)}</a>
      </Row>
    </Section>
  );
}

/** Saves diagnostics to send to somebody who helps. */
function DiagnosticsSection() {
  const { t } = useTranslation('settings');
  return (
    <Section title={t('section.help')}>
      <Row name={t('diagnostics.name')} text={t('diagnostics.text')}>
        <DiagnosticsButton label={t('diagnostics.make')} />
      </Row>
    </Section>
  );
}
