import { Button, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChannelTarget } from '../../../shared/alerts/channel.ts';
import type { ChannelState } from '../../../shared/owner-api/alerts.ts';
import { errorCode } from '../../api/errors.ts';
import { useAlertCall } from '../../api/queries/alerts.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { QrCode } from '../../components/codes/qr-code.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './channels.module.css';

interface Props {
  readonly state: ChannelState;
  readonly name: string;
  readonly onEdit: () => void;
}

/** A channel in the list: its destination, whether it works, and a button that sends a test message. */
export function ChannelRow({ state, name, onEdit }: Props) {
  const { t } = useTranslation(['alerting', 'alerts', 'app']);
  const write = useAlertCall('writeAlertChannel');
  const test = useAlertCall('testAlertChannel');
  const { channel, secrets, isPlainBeyondLan, waiting, held } = state;
  const where = placeOf(channel.target);
  const failed = write.error ?? test.error;
  const parts = [
    ...(channel.name === '' ? [] : [t(`kind.${channel.target.kind}`)]),
    ...(where === '' ? [] : [where]),
    ...(channel.withoutValues ? [t('channel.noValues')] : []),
    ...secrets.map((secret) => t('secret.isSetShort', { name: t(`secret.${secret}`) })),
    ...(waiting > 0 ? [t('channel.waiting', { count: waiting })] : []),
    ...(held > 0 ? [t('channel.held', { count: held })] : []),
  ];
  return (
    <li className={classes.row} data-on={channel.isOn} data-channel={channel.target.kind}>
      <div className={classes.words}>
        <span className={classes.title}>{name}</span>
        <span className={classes.detail}>{parts.join(' · ')}</span>
        {isPlainBeyondLan ? (
          <span className={classes.warning}>
            <Icon name="alert" size={14} />
            {t('channel.plain')}
          </span>
        ) : null}
        <LastSent state={state} />
        <Subscribe state={state} />
        <span role="status">
          {test.isSuccess ? (
            test.data.failure === null ? (
              <span className={classes.answer} data-kind="fine">
                <Icon name="check" size={14} />
                {t('test.fine')}
              </span>
            ) : (
              <span className={classes.answer} data-kind="failed">
                <Icon name="alert" size={14} />
                {t('test.failed')} {t(`alerts:fault.${test.data.failure.fault}`)}
                {test.data.failure.detail === '' ? null : ` (${test.data.failure.detail})`}
              </span>
            )
          ) : null}
        </span>
        {failed === null ? null : (
          <span role="alert" className={classes.answer} data-kind="failed">
            {t('failed')} {t(`app:error.${errorCode(failed)}.title`)}
          </span>
        )}
      </div>
      <div className={classes.actions}>
        <Switch
          aria-label={t('channel.onOf', { name })}
          checked={channel.isOn}
          disabled={write.isPending}
          onChange={(event) =>
            write.mutate({ channel: { ...channel, isOn: event.currentTarget.checked }, secrets: {} })
          }
        />
        <Button
          size="xs"
          variant="default"
          loading={test.isPending}
          aria-label={t('test.of', { name })}
          onClick={() => test.mutate({ id: channel.id })}
        >
          {t('test.send')}
        </Button>
        <Button size="xs" variant="default" aria-label={t('channel.editOf', { name })} onClick={onEdit}>
          {t('rule.edit')}
        </Button>
      </div>
    </li>
  );
}

/**
 * The address of an ntfy channel as a QR code, to subscribe a phone. It is open until the first message was delivered.
 */
function Subscribe({ state: { channel, lastSuccessAt } }: { state: ChannelState }) {
  const { t } = useTranslation('alerting');
  const { target } = channel;
  if (target.kind !== 'ntfy') return null;
  const address = `${target.server.replace(/\/$/, '')}/${target.topic}`;
  return (
    <details className={classes.subscribe} open={lastSuccessAt === null}>
      <summary>{t('subscribe.title')}</summary>
      <p>{t('subscribe.text')}</p>
      <QrCode text={address} label={t('subscribe.qr', { address })} />
      <CodeLine text={address} label={t('subscribe.copy')} />
    </details>
  );
}

/** The time of the last delivered message, and the time and reason of the last failure. */
function LastSent({ state: { lastSuccessAt, lastFailure } }: { state: ChannelState }) {
  const { t } = useTranslation(['alerting', 'alerts']);
  const format = useFormat();
  const isFailing = lastFailure !== null && (lastSuccessAt === null || lastFailure.at > lastSuccessAt);
  return (
    <>
      <span className={classes.detail}>
        {lastSuccessAt === null
          ? t('channel.neverSent')
          : t('channel.lastSuccess', { time: format.shortDateTime(lastSuccessAt) })}
      </span>
      {lastFailure === null ? null : (
        <span className={isFailing ? classes.warning : classes.detail}>
          {isFailing ? <Icon name="alert" size={14} /> : null}
          <span>
            {t('channel.lastFailure', { time: format.shortDateTime(lastFailure.at) })}{' '}
            {t(`alerts:fault.${lastFailure.fault}`)}
            {lastFailure.detail === '' ? null : ` (${lastFailure.detail})`}
            {lastFailure.isGivenUp ? ` ${t('channel.givenUp')}` : null}
          </span>
        </span>
      )}
    </>
  );
}

/** Returns the destination of a channel, as short as possible while it still differs from other channels. */
function placeOf(target: ChannelTarget): string {
  switch (target.kind) {
    case 'ntfy':
      return `${new URL(target.server).host}/${target.topic}`;
    case 'webhook':
      return new URL(target.url).host;
    case 'telegram':
      return target.chat;
    case 'email':
      return target.to.join(', ');
    case 'desktop':
      return '';
  }
}
