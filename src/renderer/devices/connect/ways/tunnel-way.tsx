import { useTranslation } from 'react-i18next';
import { useNodeInfo } from '../../../api/queries/overview.ts';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import { Icon } from '../../../components/icon.tsx';
import classes from '../connect.module.css';

/** The port of the helper machine in docs/tunnel.md. */
const TUNNEL_PORT = 8080;

/** How to connect through a tunnel, with this node's addresses. First it says what the tunnel exposes. */
export function TunnelWay() {
  const { t } = useTranslation(['app', 'join']);
  const { data: node } = useNodeInfo();
  const localPort = node === undefined ? '3001' : new URL(node.localUrl).port || '80';
  // The firmware only accepts IPv4 addresses.
  const own = node?.addresses.find((address) => !address.includes(':')) ?? t('connect.nodeAddress');
  const tunnel = `ssh -N -o ExitOnForwardFailure=yes -L ${own}:${TUNNEL_PORT}:127.0.0.1:${localPort} wellhouse-tunnel@127.0.0.1`;
  const helper = t('connect.helperAddress');
  const fromHelper = `ssh -N -o ExitOnForwardFailure=yes -L ${helper}:${TUNNEL_PORT}:127.0.0.1:${localPort} wellhouse-tunnel@${own}`;
  return (
    <section className={classes.way}>
      <h2>
        <Icon name="lock" size={18} />
        {t('connect.private')}
      </h2>
      <p className={classes.warning}>
        <Icon name="alert" size={18} />
        <span>{t('join:tunnel.exposes')}</span>
      </p>
      <p>{t('connect.privateText', { port: localPort })}</p>
      <ol className={classes.plainSteps}>
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
  );
}
