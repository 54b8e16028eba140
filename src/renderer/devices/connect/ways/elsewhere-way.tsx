import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { hostPort } from '../../../../shared/host-port.ts';
import { useNodeInfo } from '../../../api/queries/overview.ts';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import { QrCode } from '../../../components/codes/qr-code.tsx';
import { Icon } from '../../../components/icon.tsx';
import { linkTo } from '../../../router/router.ts';
import classes from '../connect.module.css';

/** The ways to connect devices at another place: through a VPN, or to the public endpoint. */
export function ElsewhereWay() {
  const { t } = useTranslation(['app', 'join']);
  const { data: node } = useNodeInfo();
  const publicPort = node === undefined || node.publicUrl === null ? '3000' : new URL(node.publicUrl).port || '80';
  // The firmware only accepts IPv4 addresses.
  const urls = (node?.addresses ?? [])
    .filter((address) => !address.includes(':'))
    .map((address) => `http://${hostPort(address, Number(publicPort))}/v1/telemetry`);
  return (
    <div className={classes.ways}>
      <section className={classes.way} data-recommended>
        <h2>
          <Icon name="lock" size={18} />
          {t('join:elsewhere.vpn')}
        </h2>
        <p>{t('join:elsewhere.vpnText')}</p>
        <p>
          <a href={linkTo({ page: 'connect', from: 'network' })}>{t('join:elsewhere.vpnOpen')}</a>
        </p>
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
              {urls.map((url) => (
                <li key={url} className={classes.server}>
                  <CodeLine text={url} label={t('connect.copyAddress')} />
                  <QrCode className={classes.qr ?? ''} text={url} label={t('join:elsewhere.qr', { url })} />
                </li>
              ))}
            </ul>
            {node !== undefined && urls.length === 0 ? (
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
