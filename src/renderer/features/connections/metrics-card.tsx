import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { isAddress } from '../../../shared/private-address.ts';
import { BEARER_TOKEN } from '../../../shared/settings/checks.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { numberOf } from '../../settings/endpoint-form.ts';
import { useSettingsText } from '../../settings/problem-text.ts';
import classes from './connections.module.css';
import { SettingField, SettingForm, useConnectionForm } from './setting-form.tsx';

const USUAL_PORT = '9464';
const TOKEN_BYTES = 24;

/** Sets up the endpoint that Prometheus reads, and shows its state. */
export function MetricsCard({ view, connections }: { view: SettingsView; connections: Connections }) {
  const { t } = useTranslation('connections');
  const settingsText = useSettingsText();
  const form = useConnectionForm(view, 'metricsToken', {
    metricsPort: (text) => (text === '' ? null : Number(text)),
    metricsAddress: (text) => text,
  });
  const { metrics, metricsToken } = connections;
  const port = form.texts.metricsPort.trim();
  const address = form.texts.metricsAddress.trim();
  const isOn = view.settings.metricsPort.value !== null;
  const wrong = {
    port: port !== '' && numberOf(port, 0, 65_535) === null,
    address: !isAddress(address),
    token: form.secret != null && form.secret !== '' && !BEARER_TOKEN.test(form.secret),
  };
  const isTokenKept = metricsToken.source !== null && form.secret !== null;
  const lacksToken =
    metrics.reason !== 'token' && !wrong.address && !isLoopback(address) && !isTokenKept && !form.secret;
  const isWrong = wrong.port || wrong.address || wrong.token || port === '';
  return (
    <Card title={t('metrics.title')}>
      <div className={classes.body}>
        <p className={classes.text}>{t('metrics.text')}</p>
        <p className={classes.standing} data-state={metrics.state} role="status">
          <Icon
            name={metrics.state === 'listening' ? 'check' : metrics.state === 'off' ? 'minus' : 'alert'}
            size={16}
          />
          <span>
            {metrics.state === 'waiting'
              ? t(`metrics.waiting.${metrics.reason ?? 'refused'}`)
              : t(`metrics.${metrics.state}`)}
          </span>
        </p>
        {metrics.url === null ? null : <CodeLine text={metrics.url} label={t('metrics.copy')} />}
        <SettingForm
          form={form}
          label={t('metrics.title')}
          isWrong={isWrong}
          save={
            <Button type="submit" size="xs" disabled={!form.isChanged || isWrong} loading={form.isSaving}>
              {t(isOn ? 'save' : 'metrics.turnOn')}
            </Button>
          }
          actions={
            isOn && !form.isPinned('metricsPort') ? (
              <Button size="xs" variant="default" onClick={() => form.save({ metricsPort: null })}>
                {t('metrics.turnOff')}
              </Button>
            ) : null
          }
        >
          <div className={classes.pair}>
            <SettingField
              form={form}
              field="metricsPort"
              label={t('metrics.port')}
              placeholder={USUAL_PORT}
              wrong={wrong.port ? t('metrics.noPort') : undefined}
              isNumber
            />
            <SettingField
              form={form}
              field="metricsAddress"
              label={t('metrics.address')}
              wrong={wrong.address ? t('metrics.noAddress') : undefined}
            />
          </div>
          <SecretField
            label={t('metrics.token')}
            text={t('metrics.tokenText')}
            isKept={metricsToken.source === 'page'}
            setElsewhere={
              metricsToken.source === 'environment'
                ? settingsText('source.environment', { variable: 'METRICS_TOKEN' })
                : null
            }
            value={form.secret}
            wrong={wrong.token ? t('metrics.noToken') : undefined}
            onChange={form.typeSecret}
            action={
              <Button size="compact-xs" variant="default" onClick={() => form.typeSecret(newToken())}>
                {t('metrics.makeToken')}
              </Button>
            }
          />
          {lacksToken ? (
            <p className={classes.warning} role="status">
              <Icon name="alert" size={18} />
              <span>{t('metrics.lacksToken')}</span>
            </p>
          ) : null}
        </SettingForm>
      </div>
    </Card>
  );
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** Returns a random token. */
function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
