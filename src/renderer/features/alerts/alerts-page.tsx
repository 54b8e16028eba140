import { Tabs, Title } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/me.tsx';
import { setParameters, useParameters } from '../../router/parameters.ts';
import { linkTo } from '../../router/router.ts';
import { useTitle } from '../../router/title.ts';
import classes from './alerts.module.css';
import { OneAlert } from './one-alert.tsx';
import { ChannelsSection } from './sections/channels-section.tsx';
import { FiringSection } from './sections/firing-section.tsx';
import { HistorySection } from './sections/history-section.tsx';
import { OptionsSection } from './sections/options-section.tsx';
import { RulesSection } from './sections/rules-section.tsx';

// Load the texts together with the page, so that it does not suspend again.
await i18next.loadNamespaces(['alerting', 'alerts']);

const TABS = ['firing', 'history', 'rules', 'channels', 'options'] as const;
type Tab = (typeof TABS)[number];

const PATH = linkTo({ page: 'alerts', id: null });

/** Shows all alerts, past and present, with their settings; or the one alert that a link names. */
export default function AlertsPage({ id }: { id: string | null }) {
  const { t } = useTranslation('alerting');
  useTitle(t('title'));
  if (id !== null) return <OneAlert id={id} />;
  return <AllAlerts />;
}

function AllAlerts() {
  const { t } = useTranslation('alerting');
  const asked = new URLSearchParams(useParameters(PATH)).get('tab');
  const tabs = useMe().role === 'owner' ? TABS : TABS.slice(0, 3);
  const tab: Tab = tabs.find((each) => each === asked) ?? 'firing';
  const open = (next: string | null): void =>
    setParameters(PATH, () => new URLSearchParams(next === null || next === 'firing' ? {} : { tab: next }), 'step');
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('title')}
      </Title>
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List className={classes.tabs ?? ''}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t(`tab.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="firing">
          <FiringSection />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistorySection />
        </Tabs.Panel>
        <Tabs.Panel value="rules">
          <RulesSection />
        </Tabs.Panel>
        <Tabs.Panel value="channels">
          <ChannelsSection />
        </Tabs.Panel>
        <Tabs.Panel value="options">
          <OptionsSection />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
