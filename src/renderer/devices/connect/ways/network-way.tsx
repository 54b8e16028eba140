import { Button } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { hostPort } from '../../../../shared/host-port.ts';
import { type Gate, useGate } from '../../../api/queries/gate.ts';
import { useOverview } from '../../../api/queries/overview.ts';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import { QrCode } from '../../../components/codes/qr-code.tsx';
import { Icon } from '../../../components/icon.tsx';
import { KeptState } from '../../../kept-state.ts';
import { linkTo } from '../../../router/router.ts';
import { nameOf } from '../../names.ts';
import { FindDevices } from '../../pages/find-devices.tsx';
import classes from '../connect.module.css';
import { GateAddress } from '../gate-address.tsx';
import { Joining } from '../joining.tsx';
import { FirewallHint, FirewallHints } from './firewall-hint.tsx';
import stepClasses from './step.module.css';

const told = new KeptState<string>('wellhouse.gate-moved-told', (text) => {
  const value: unknown = text === null ? '' : JSON.parse(text);
  return typeof value === 'string' ? value : '';
});

/**
 * If the gate has moved, shows the new address that devices need. Stays until the owner says that all devices have it.
 */
function GateMoved({ before, now }: { before: readonly string[]; now: string }) {
  const { t } = useTranslation(['app', 'join']);
  const known = useSyncExternalStore(told.subscribe, told.get);
  const places = before.join(', ');
  if (before.length === 0 || known === `${places} ${now}`) return null;
  return (
    <div className={classes.moved} role="status">
      <strong className={classes.standing} data-state="waiting">
        <Icon name="alert" size={16} />
        {t('join:moved.title')}
      </strong>
      <p>{t('join:moved.text', { before: places })}</p>
      <CodeLine text={now} label={t('connect.copyAddress')} />
      <Button variant="default" size="compact-sm" onClick={() => told.set(`${places} ${now}`)}>
        {t('join:moved.done')}
      </Button>
    </div>
  );
}

/**
 * The steps to connect a device on this network: the gate's address, the settings of the device, and its first reading.
 */
export function NetworkWay() {
  const { t } = useTranslation(['app', 'join']);
  const { data } = useGate();
  if (data === undefined) return null;
  const { gate, joining, attempts, pending } = data;
  // The format of the firmware's setting for a local server. The firmware adds the rest of the URL.
  const server = gate.state === 'listening' ? hostPort(gate.address, gate.port) : null;
  const hasRegistered = joining.joined.length > 0 || pending.some(({ waitsFor }) => waitsFor === 'reading');
  return (
    <section className={classes.way} data-recommended>
      <h2>
        <Icon name="lock" size={18} />
        {t('gate.title')}
      </h2>
      <p>{t('gate.text')}</p>
      <ol>
        <Step title={t('join:step.address')} isDone={server !== null}>
          <p>{t('gate.choose')}</p>
          <GateAddress gate={data} />
          {gate.state === 'off' && data.addresses.every(({ address }) => address.includes(':')) ? (
            <p className={classes.note}>{t('join:noAddress')}</p>
          ) : null}
          {gate.state === 'waiting' && gate.reason === 'no_such_address' ? (
            <p className={classes.note}>{t('join:lost.text', { address: gate.address })}</p>
          ) : null}
          {gate.state === 'off' ? null : <FirewallHint system={data.firewall} port={gate.port} />}
        </Step>
        {server === null ? null : (
          <>
            <Step title={t('join:step.tell')} isDone={hasRegistered || attempts.length > 0 || pending.length > 0}>
              <GateMoved before={data.previous} now={server} />
              <p>{t('gate.enter')}</p>
              <div className={classes.server}>
                <CodeLine text={server} label={t('connect.copyAddress')} />
                <QrCode className={classes.qr ?? ''} text={server} label={t('gate.qr', { server })} />
              </div>
              <p className={classes.note}>{t('gate.enterNote')}</p>
              <FindDevices server={server} />
            </Step>
            <Step title={t('join:step.registered')} isDone={hasRegistered}>
              <p>{t('gate.let')}</p>
              <Joining gate={data} />
            </Step>
            <FirstReading joined={joining.joined} />
          </>
        )}
      </ol>
      {gate.state === 'listening' ? <Trouble gate={gate} /> : null}
    </section>
  );
}

/** Waits for the first reading of each device that joined. */
function FirstReading({ joined }: { joined: readonly string[] }) {
  const { t } = useTranslation('join');
  const { data } = useOverview();
  const devices = (data?.devices ?? []).filter(({ id }) => joined.includes(id));
  const isDone = devices.length > 0 && devices.every(({ lastReceivedAt }) => lastReceivedAt !== null);
  return (
    <Step title={t('step.reading')} isDone={isDone}>
      {devices.length === 0 ? (
        <p className={classes.note}>{t('reading.wait')}</p>
      ) : (
        <ul className={classes.arrived}>
          {devices.map((device) => (
            <li key={device.id}>
              <a href={linkTo({ page: 'device', id: device.id })}>
                {t(device.lastReceivedAt === null ? 'reading.waitFor' : 'reading.came', { name: nameOf(device) })}
              </a>
            </li>
          ))}
        </ul>
      )}
      {isDone ? (
        <p>
          <a href={linkTo({ page: 'setup' })}>{t('reading.goOn')}</a>
        </p>
      ) : null}
    </Step>
  );
}

/** The checks to make if nothing arrives. */
function Trouble({ gate }: { gate: Extract<Gate['gate'], { state: 'listening' }> }) {
  const { t } = useTranslation('app');
  return (
    <details className={classes.more}>
      <summary>{t('gate.nothing')}</summary>
      <p>{t('gate.firewall', { port: gate.port })}</p>
      <FirewallHints port={gate.port} />
      <p>
        {t('gate.other')} <a href={linkTo({ page: 'node' })}>{t('gate.toNode')}</a>
      </p>
    </details>
  );
}

/** A step of an ordered list of steps. It turns green when it is done. */
function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('join');
  return (
    <li className={stepClasses.step} data-done={isDone || undefined}>
      <h3>
        <span className={stepClasses.mark}>{isDone ? <Icon name="check" size={14} /> : null}</span>
        {title}
        {isDone ? <span className="visually-hidden"> ({t('step.done')})</span> : null}
      </h3>
      <div className={stepClasses.content}>{children}</div>
    </li>
  );
}
