import { Button, Switch } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelState } from '../../../../shared/owner-api/alerts.ts';
import { ChannelRow } from '../../../alerts/channels/channel-row.tsx';
import channelClasses from '../../../alerts/channels/channels.module.css';
import { channelName } from '../../../alerts/rules/channels-choice.tsx';
import { desktop } from '../../../api/desktop.ts';
import { useAlertChannels } from '../../../api/queries/alerts.ts';
import { Icon } from '../../../components/icon.tsx';
import { Card } from '../../../components/layout/card.tsx';
import { ErrorState, PageLoading } from '../../../components/states.tsx';
import { setNotify, useNotify } from '../../../notify.ts';
import classes from '../alerts.module.css';
import { DigestSection } from './digest-section.tsx';

const ChannelDialog = lazy(() => import('../../../alerts/channels/channel-dialog.tsx'));

/** Lists the channels for messages. No message leaves the machine until the owner adds a channel. */
export function ChannelsSection() {
  const { t } = useTranslation('alerting');
  const { data, error, refetch } = useAlertChannels();
  const [edited, setEdited] = useState<ChannelState | 'new' | null>(null);
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={classes.panel}>
      <Card
        isFlush
        title={t('tab.channels')}
        action={
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setEdited('new')}
          >
            {t('channels.add')}
          </Button>
        }
      >
        <p className={classes.text}>{t(data.length === 0 ? 'channels.none' : 'channels.text')}</p>
        <ul className={channelClasses.list}>
          {data.map((state) => (
            <ChannelRow
              key={state.channel.id}
              state={state}
              name={channelName(state.channel, t(`kind.${state.channel.target.kind}`))}
              onEdit={() => setEdited(state)}
            />
          ))}
        </ul>
      </Card>
      <DigestSection channels={data} />
      {desktop === null ? (
        <ThisBrowser hasChannel={data.some(({ channel }) => channel.target.kind === 'desktop')} />
      ) : null}
      {edited === null ? null : (
        <Suspense fallback={null}>
          <ChannelDialog state={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * Turns notifications of this browser on or off. They appear while a tab is open; turning them on asks for permission.
 */
function ThisBrowser({ hasChannel }: { hasChannel: boolean }) {
  const { t } = useTranslation('alerting');
  const notify = useNotify();
  const isAble = notify === 'on' || notify === 'off';
  return (
    <Card isFlush title={t('browser.title')}>
      <div className={channelClasses.browser}>
        <Switch
          label={t('browser.label')}
          description={t(isAble ? 'browser.text' : `browser.${notify}`)}
          checked={notify === 'on'}
          disabled={!isAble}
          onChange={(event) => void setNotify(event.currentTarget.checked)}
        />
        {notify === 'on' && !hasChannel ? (
          <span className={channelClasses.warning}>
            <Icon name="info" size={14} />
            {t('browser.noChannel')}
          </span>
        ) : null}
      </div>
    </Card>
  );
}
