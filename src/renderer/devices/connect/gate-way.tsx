import { useTranslation } from 'react-i18next';
import { hostPort } from '../../../shared/host-port.ts';
import { useGate } from '../../api/queries/gate.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { QrCode } from '../../components/codes/qr-code.tsx';
import { Icon } from '../../components/icon.tsx';
import { linkTo } from '../../router/router.ts';
import classes from './connect.module.css';
import { GateAddress } from './gate-address.tsx';
import { Joining } from './joining.tsx';

/** The way in for devices on this network: where the gate listens, what the device is told, and joining. */
export function GateWay() {
  const { t } = useTranslation('app');
  const { data } = useGate();
  if (data === undefined) return null;
  const { gate } = data;
  // As the firmware takes it for a local server: it puts the rest of the URL itself.
  const server = gate.state === 'listening' ? hostPort(gate.address, gate.port) : null;
  const port = gate.state === 'off' ? '' : gate.port;
  return (
    <section className={classes.way} data-recommended>
      <h2>
        <Icon name="lock" size={18} />
        {t('gate.title')}
      </h2>
      <p>{t('gate.text')}</p>
      <ol>
        <li>
          {t('gate.choose')}
          <GateAddress gate={data} />
        </li>
        {server === null ? null : (
          <>
            <li>
              {t('gate.enter')}
              <div className={classes.server}>
                <CodeLine text={server} label={t('connect.copyAddress')} />
                <QrCode className={classes.qr ?? ''} text={server} label={t('gate.qr', { server })} />
              </div>
              <p className={classes.note}>{t('gate.enterNote')}</p>
            </li>
            <li>
              {t('gate.let')}
              <Joining gate={data} />
            </li>
          </>
        )}
      </ol>
      {server === null ? null : (
        <details className={classes.more}>
          <summary>{t('gate.nothing')}</summary>
          <p>{t('gate.firewall', { port })}</p>
          <ul>
            <li>{t('gate.windows')}</li>
            <li>{t('gate.macos')}</li>
            <li>
              ufw: <code>sudo ufw allow {port}/tcp</code>
            </li>
            <li>
              firewalld: <code>sudo firewall-cmd --permanent --add-port={port}/tcp</code>
            </li>
          </ul>
          <p>
            {t('gate.other')} <a href={linkTo({ page: 'node' })}>{t('gate.toNode')}</a>
          </p>
        </details>
      )}
    </section>
  );
}
