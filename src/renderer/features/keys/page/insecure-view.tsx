import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNodeInfo } from '../../../api/queries/overview.ts';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import { Icon } from '../../../components/icon.tsx';
import classes from './keys.module.css';

/**
 * Replaces the page if it was loaded over an unprotected connection. Explains why no keys are used here, and what to
 * do.
 */
export function InsecureView() {
  const { t } = useTranslation('keys');
  const { data: node } = useNodeInfo();
  const { hostname } = window.location;
  const port = node === undefined ? '3001' : new URL(node.localUrl).port;
  return (
    <>
      <Alert variant="light" color="red" icon={<Icon name="lock-alert" />} title={t('insecure.title')} role="alert">
        {t('insecure.text')}
      </Alert>
      <section className={classes.card} aria-labelledby="keys-ways">
        <h2 id="keys-ways">{t('insecure.waysTitle')}</h2>
        <ul>
          <li>{t('insecure.ways.here')}</li>
          <li>
            {t('insecure.ways.forward', { address: `http://127.0.0.1:${port}/ui/` })}
            <CodeLine text={`ssh -N -L ${port}:127.0.0.1:${port} you@${hostname}`} label={t('insecure.copy')} />
          </li>
          <li>{t('insecure.ways.https')}</li>
        </ul>
        <p className={classes.quiet}>{t('insecure.rest')}</p>
      </section>
    </>
  );
}
