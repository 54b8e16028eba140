import { useTranslation } from 'react-i18next';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './connections.module.css';

/** Shows the state of the connection to the broker, the number of messages sent, and the last error. */
export function BrokerState({ mqtt }: { mqtt: Connections['mqtt'] }) {
  const { t } = useTranslation('connections');
  const format = useFormat();
  const { state, since, error, messages, devices } = mqtt;
  const icon = { off: 'minus', connecting: 'refresh', connected: 'check', waiting: 'alert' } as const;
  const cause =
    error === null ? null : (
      <>
        {t(`fault.${error.fault}`)} <bdi>({error.detail})</bdi>
      </>
    );
  return (
    <>
      <p className={classes.standing} data-state={state} role="status">
        <Icon name={icon[state]} size={16} />
        <span>
          {state === 'connected' && since !== null
            ? t('state.connected', { at: format.dateTime(since) })
            : t(`state.${state === 'connected' ? 'connecting' : state}`)}{' '}
          {state === 'waiting' ? cause : null}
        </span>
      </p>
      {state === 'off' ? null : (
        <dl className={classes.facts}>
          <div>
            <dt>{t('state.devices')}</dt>
            <dd>{format.integer(devices)}</dd>
          </div>
          <div>
            <dt>{t('state.messages')}</dt>
            <dd>{format.integer(messages)}</dd>
          </div>
          {error === null ? null : (
            <div>
              <dt>{t('state.lastError')}</dt>
              <dd>
                {format.dateTime(error.at)}
                {state === 'waiting' ? null : <> · {cause}</>}
              </dd>
            </div>
          )}
        </dl>
      )}
    </>
  );
}
