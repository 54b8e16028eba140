import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { localNameOf } from '../../../shared/device-page.ts';
import { displayText } from '../../../shared/display-text.ts';
import { hostPort } from '../../../shared/host-port.ts';
import type { DeviceSays } from '../../../shared/owner-api/device-pages.ts';
import { errorCode } from '../../api/errors.ts';
import { useDeviceSays } from '../../api/queries/device-pages.ts';
import { useGate } from '../../api/queries/gate.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { KeptState } from '../../kept-state.ts';
import classes from './pages.module.css';
import { PointButton } from './point-button.tsx';

/** The addresses of devices' pages that the owner typed, by device id. Kept in this browser. */
const keptAddresses = new KeptState<Readonly<Record<string, string>>>('wellhouse.device-addresses', (text) => {
  if (text === null) return {};
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, address]) => typeof address === 'string'));
});

/** The device's own status, which is queried while this card is shown. */
export function DeviceSaysCard({ id, mac }: { id: string; mac: string }) {
  const { t } = useTranslation(['join', 'app']);
  const addresses = useSyncExternalStore(keptAddresses.subscribe, keptAddresses.get);
  const [typed, setTyped] = useState('');
  const { data, error, refetch } = useDeviceSays(id, addresses[id] ?? null);
  const { data: gate } = useGate();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const address = typed.trim();
    if (address === '') return;
    if (address === addresses[id]) void refetch();
    else keptAddresses.set({ ...keptAddresses.get(), [id]: address });
  };
  const server = gate?.gate.state === 'listening' ? hostPort(gate.gate.address, gate.gate.port) : null;
  return (
    <Card level={3} title={t('says.title')}>
      {data?.state === 'answered' ? (
        <>
          <Facts says={data.says} address={data.address} />
          {server === null ? null : <PointButton address={data.address} says={data.says} server={server} />}
        </>
      ) : (
        <div className={classes.notFound}>
          <p role="status">
            {error !== null
              ? t(`app:error.${errorCode(error)}.title`)
              : data === undefined
                ? t('says.asking')
                : data.state === 'not_found'
                  ? t('says.byName', { name: localNameOf(mac) })
                  : `${data.address ?? ''}: ${t(`state.${data.state}`)}`}
          </p>
          {data === undefined ? null : (
            <form onSubmit={submit}>
              <TextInput
                size="xs"
                aria-label={t('find.address')}
                placeholder="192.168.1.9"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" size="xs" disabled={typed.trim() === ''}>
                {t('find.ask')}
              </Button>
            </form>
          )}
        </div>
      )}
    </Card>
  );
}

function Facts({ says, address }: { says: DeviceSays; address: string }) {
  const { t } = useTranslation('join');
  const format = useFormat();
  const { battery, sensors, bufferPending, failStreak, uptimeS } = says;
  const volts = battery.volts === null ? '' : `${format.number(battery.volts)} V`;
  const charge = battery.percent === null ? '' : `${format.number(battery.percent)} %`;
  const hasBattery = sensors.battery !== false && (volts !== '' || charge !== '');
  const told = (['dht', 'tds', 'laser'] as const).filter((name) => sensors[name] !== null);
  const count = (value: number | null) => (value === null ? '–' : format.integer(value));
  return (
    <dl className={classes.facts}>
      <dt>{t('says.at')}</dt>
      <dd>
        <a href={`http://${address}/`} target="_blank" rel="noreferrer">
          {address}
        </a>
      </dd>
      <dt>{t('says.battery')}</dt>
      <dd>{hasBattery ? [charge, volts].filter((text) => text !== '').join(' · ') : t('says.noBattery')}</dd>
      <dt>{t('says.sensors')}</dt>
      <dd>
        {told.length === 0 ? '–' : null}
        {told.map((name) => (
          <span key={name} className={classes.sensor} data-failed={sensors[name] === false || undefined}>
            {t(sensors[name] === false ? 'says.fails' : 'says.works', { sensor: t(`says.sensor.${name}`) })}
          </span>
        ))}
      </dd>
      <dt>{t('says.pending')}</dt>
      <dd>{count(bufferPending)}</dd>
      <dt>{t('says.failing')}</dt>
      <dd>{count(failStreak)}</dd>
      <dt>{t('says.uptime')}</dt>
      <dd>{uptimeS === null ? '–' : format.duration(uptimeS * 1000)}</dd>
      <dt>{t('says.servers')}</dt>
      <dd>
        <ul className={classes.servers}>
          {[...says.local, ...says.external].map(({ url, online }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same.
            <li key={index}>
              <code>{displayText(url, 200)}</code>{' '}
              <span className={classes.note} data-failed={online === false || undefined}>
                {t(online === null ? 'says.unknownOnline' : online ? 'says.online' : 'says.offline')}
              </span>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  );
}
