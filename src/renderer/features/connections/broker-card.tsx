import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { isOwnMachine } from '../../../shared/private-address.ts';
import { isBrokerUrl, isTopicPrefix } from '../../../shared/settings/checks.ts';
import { useTestMqtt } from '../../api/queries/connections.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { useSettingsText } from '../../settings/problem-text.ts';
import { BrokerState } from './broker-state.tsx';
import classes from './connections.module.css';
import { SettingField, SettingForm, useConnectionForm } from './setting-form.tsx';

const orNull = (text: string): string | null => (text === '' ? null : text);
const asItIs = (text: string): string => text;

/** Sets up the MQTT broker that publishes the devices to Home Assistant, and shows its state. */
export function BrokerCard({ view, connections }: { view: SettingsView; connections: Connections }) {
  const { t } = useTranslation(['connections', 'app']);
  const settingsText = useSettingsText();
  const form = useConnectionForm(view, 'mqttPassword', {
    mqttUrl: orNull,
    mqttUsername: orNull,
    mqttCa: orNull,
    mqttPrefix: asItIs,
    mqttDiscoveryPrefix: asItIs,
  });
  const test = useTestMqtt();
  const { texts } = form;
  const url = texts.mqttUrl.trim();
  const isOn = view.settings.mqttUrl.value !== null;
  const wrong = {
    url: url !== '' && !isBrokerUrl(url),
    prefix: !isTopicPrefix(texts.mqttPrefix.trim()),
    discovery: texts.mqttDiscoveryPrefix.trim() !== '' && !isTopicPrefix(texts.mqttDiscoveryPrefix.trim()),
  };
  const isWrong = wrong.url || wrong.prefix || wrong.discovery || url === '';
  // The password belongs to one broker and user. For another, it must be typed again.
  const isOther =
    url !== view.settings.mqttUrl.value || texts.mqttUsername.trim() !== (view.settings.mqttUsername.value ?? '');
  const { source } = connections.mqttPassword;
  return (
    <Card title={t('broker.title')}>
      <div className={classes.body}>
        <p className={classes.text}>{t('broker.text')}</p>
        <p className={classes.warning}>
          <Icon name="alert" size={18} />
          <span>{t('broker.leaves')}</span>
        </p>
        <BrokerState mqtt={connections.mqtt} />
        <SettingForm
          form={form}
          label={t('broker.title')}
          isWrong={isWrong}
          save={
            <Button type="submit" size="xs" disabled={!form.isChanged || isWrong} loading={form.isSaving}>
              {t(isOn ? 'save' : 'broker.connect')}
            </Button>
          }
          actions={
            isOn ? (
              <>
                <Button
                  size="xs"
                  variant="default"
                  disabled={form.isChanged}
                  loading={test.isPending}
                  onClick={() => test.mutate()}
                >
                  {t('broker.test')}
                </Button>
                {form.isPinned('mqttUrl') ? null : (
                  <Button size="xs" variant="default" onClick={() => form.save({ mqttUrl: null })}>
                    {t('broker.disconnect')}
                  </Button>
                )}
              </>
            ) : null
          }
        >
          <SettingField
            form={form}
            field="mqttUrl"
            label={t('broker.url')}
            text={t('broker.urlText')}
            placeholder="mqtts://homeassistant.local"
            wrong={wrong.url ? t('broker.noUrl') : undefined}
          />
          {isPlain(url) ? (
            <p className={classes.warning} role="status">
              <Icon name="alert" size={18} />
              <span>{t('broker.plain')}</span>
            </p>
          ) : null}
          <div className={classes.pair}>
            <SettingField form={form} field="mqttUsername" label={t('broker.user')} text={t('broker.userText')} />
            <SecretField
              label={t('broker.password')}
              text={t('broker.passwordText')}
              isKept={source === 'page' && !isOther}
              setElsewhere={
                source === 'environment' ? settingsText('source.environment', { variable: 'MQTT_PASSWORD' }) : null
              }
              value={form.secret}
              onChange={form.typeSecret}
            />
          </div>
          <details>
            <summary className={classes.text}>{t('broker.more')}</summary>
            <div className={classes.body}>
              <SettingField form={form} field="mqttCa" label={t('broker.ca')} text={t('broker.caText')} />
              <SettingField
                form={form}
                field="mqttPrefix"
                label={t('broker.prefix')}
                text={t('broker.prefixText')}
                wrong={wrong.prefix ? t('broker.noPrefix') : undefined}
              />
              <SettingField
                form={form}
                field="mqttDiscoveryPrefix"
                label={t('broker.discovery')}
                text={t('broker.discoveryText')}
                wrong={wrong.discovery ? t('broker.noPrefix') : undefined}
              />
            </div>
          </details>
        </SettingForm>
        <p role="status" className={classes.answer} data-kind={test.data?.failure === null ? 'fine' : 'failed'}>
          {test.isSuccess && isOn && !form.isChanged ? (
            <>
              <Icon name={test.data.failure === null ? 'check' : 'alert'} />
              <span>
                {test.data.failure === null ? (
                  t('broker.testFine')
                ) : (
                  <>
                    {t('broker.testFailed')} {t(`fault.${test.data.failure.fault}`)}{' '}
                    <bdi>({test.data.failure.detail})</bdi>
                  </>
                )}
              </span>
            </>
          ) : null}
        </p>
        <CallFailure error={test.error} />
      </div>
    </Card>
  );
}

/** Returns whether the connection crosses a network without encryption. */
function isPlain(url: string): boolean {
  if (!isBrokerUrl(url) || !/^(?:mqtt|ws):/.test(url)) return false;
  return !isOwnMachine(new URL(url.replace(/^\w+:/, 'http:')).hostname.replace(/^\[|\]$/g, ''));
}
