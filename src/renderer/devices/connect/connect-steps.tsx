import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { hostPort } from '../../../shared/host-port.ts';
import { useNodeInfo } from '../../api/queries/overview.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { linkTo } from '../../router/router.ts';
import classes from './connect.module.css';
import { GateWay } from './gate-way.tsx';

/** The port of the helper in the recipe of docs/tunnel.md. */
const TUNNEL_PORT = 8080;

function portOf(url: string): string {
  return new URL(url).port || '80';
}

/** How a device reaches this node: through the gate, or in another way. */
export function ConnectSteps() {
  const { t } = useTranslation('app');
  return (
    <>
      <GateWay />
      <details className={classes.otherWays}>
        <summary>{t('connect.otherWays')}</summary>
        <OtherWays />
      </details>
    </>
  );
}

/** Privately through a tunnel, or publicly; with this node's own addresses. */
function OtherWays() {
  const { t } = useTranslation('app');
  const { data: node } = useNodeInfo();
  const localPort = node === undefined ? '3001' : portOf(node.localUrl);
  const publicPort = node === undefined || node.publicUrl === null ? '3000' : portOf(node.publicUrl);
  // The firmware takes IPv4 addresses only.
  const addresses = node?.addresses.filter((address) => !address.includes(':')) ?? [];
  const own = addresses[0] ?? t('connect.nodeAddress');
  const tunnel = `ssh -N -o ExitOnForwardFailure=yes -L ${own}:${TUNNEL_PORT}:127.0.0.1:${localPort} wellhouse-tunnel@127.0.0.1`;
  const helper = t('connect.helperAddress');
  const fromHelper = `ssh -N -o ExitOnForwardFailure=yes -L ${helper}:${TUNNEL_PORT}:127.0.0.1:${localPort} wellhouse-tunnel@${own}`;
  return (
    <div className={classes.ways}>
      <section className={classes.way}>
        <h2>
          <Icon name="lock" size={18} />
          {t('connect.private')}
        </h2>
        <p>{t('connect.privateText', { port: localPort })}</p>
        <ol>
          <li>
            {t('connect.tunnelHere')}
            <CodeLine text={tunnel} label={t('connect.copyCommand')} />
            <details className={classes.more}>
              <summary>{t('connect.withHelper')}</summary>
              <p>{t('connect.helperText')}</p>
              <CodeLine text={fromHelper} label={t('connect.copyCommand')} />
            </details>
          </li>
          <li>
            {t('connect.enterLocal')}
            <CodeLine text={`${own}:${TUNNEL_PORT}`} label={t('connect.copyAddress')} />
          </li>
          <li>{t('connect.powerOn')}</li>
        </ol>
        <p className={classes.note}>{t('connect.lasting', { file: 'docs/tunnel.md' })}</p>
      </section>
      <section className={classes.way}>
        <h2>
          <Icon name="globe" size={18} />
          {t('connect.public')}
        </h2>
        <p className={classes.warning}>
          <Icon name="alert" size={18} />
          <span>{t('connect.publicWarning', { port: publicPort })}</span>
        </p>
        {node !== undefined && node.publicUrl === null ? (
          <p>
            {t('connect.publicOff', { setting: 'PUBLIC_ENABLED=true' })}{' '}
            <a href={linkTo({ page: 'settings' })}>{t('shell.settings')}</a>
          </p>
        ) : (
          <>
            <p>{t('connect.publicText')}</p>
            <ul className={classes.addresses}>
              {addresses.map((address) => (
                <li key={address}>
                  <CodeLine
                    text={`http://${hostPort(address, Number(publicPort))}/v1/telemetry`}
                    label={t('connect.copyAddress')}
                  />
                </li>
              ))}
            </ul>
            {node !== undefined && addresses.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('connect.noAddress')}
              </Text>
            ) : null}
          </>
        )}
      </section>
    </div>
  );
}
