import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelState } from '../../../shared/owner-api/alerts.ts';
import { ChannelRow } from '../../alerts/channels/channel-row.tsx';
import { channelName } from '../../alerts/rules/channels-choice.tsx';
import { useAlertChannels } from '../../api/queries/alerts.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './setup.module.css';

const ChannelDialog = lazy(() => import('../../alerts/channels/channel-dialog.tsx'));

/** Asks for a channel for messages, and to test it. */
export function PhoneStep() {
  const { t } = useTranslation(['setup', 'alerting']);
  const channels = (useAlertChannels().data ?? []).filter(({ channel }) => channel.target.kind !== 'desktop');
  const [edited, setEdited] = useState<ChannelState | 'new' | null>(null);
  const isTried = channels.some(({ channel, lastSuccessAt }) => channel.isOn && lastSuccessAt !== null);
  return (
    <>
      <p>{t(channels.length === 0 ? 'phone.text' : isTried ? 'phone.done' : 'phone.try')}</p>
      <ul className={classes.list}>
        {channels.map((state) => (
          <ChannelRow
            key={state.channel.id}
            state={state}
            name={channelName(state.channel, t(`alerting:kind.${state.channel.target.kind}`))}
            onEdit={() => setEdited(state)}
          />
        ))}
      </ul>
      <div>
        <Button
          size="xs"
          variant={channels.length === 0 ? 'filled' : 'default'}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => setEdited('new')}
        >
          {t('alerting:channels.add')}
        </Button>
      </div>
      <Suspense fallback={null}>
        {edited === null ? null : (
          <ChannelDialog state={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        )}
      </Suspense>
    </>
  );
}
