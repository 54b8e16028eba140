import { Button, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { useSetSettings } from '../../api/queries/settings.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { failureText } from '../../settings/problem-text.ts';
import { isOpen, Row } from './section.tsx';
import classes from './settings.module.css';

function urlAt(address: string, port: number | string): string {
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Lists the addresses at which others can reach the public endpoint, or could if it were on. */
function Addresses({ view }: { view: SettingsView }) {
  const { t } = useTranslation('settings');
  const port = view.publicUrl === null ? view.settings.publicPort.value : new URL(view.publicUrl).port;
  // The public endpoint listens on every IPv4 address.
  const shown = view.addresses.filter(({ address }) => !address.includes(':'));
  if (shown.length === 0) return <p>{t('public.noAddress')}</p>;
  return (
    <ul className={classes.addresses}>
      {shown.map(({ address, interface: name, scope }) => (
        <li key={`${name} ${address}`}>
          <span className={classes.path}>{port === 0 ? address : urlAt(address, port)}</span>
          <Text span size="xs" c="dimmed">
            {t(`public.${scope}`, { name })}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** Turns the public endpoint on or off. Before turning it on, warns what becomes reachable and from where. */
export function PublicEndpoint({ view }: { view: SettingsView }) {
  const { t } = useTranslation('settings');
  const save = useSetSettings();
  const [isAsking, setAsking] = useState(false);
  const { publicEnabled } = view.settings;
  const turn = (on: boolean): void => save.mutate({ publicEnabled: on }, { onSuccess: () => setAsking(false) });
  const error = save.isError ? failureText(t, save.error, view) : undefined;
  return (
    <Row
      name={t('name.publicEnabled')}
      text={view.publicUrl === null ? t('public.off') : t('public.on', { url: view.publicUrl })}
      setting={publicEnabled}
    >
      <Switch
        label={publicEnabled.value ? t('on') : t('off')}
        aria-label={t('name.publicEnabled')}
        checked={publicEnabled.value}
        disabled={!isOpen(publicEnabled) || save.isPending}
        error={isAsking ? undefined : error}
        onChange={(event) => {
          save.reset();
          if (event.currentTarget.checked) setAsking(true);
          else turn(false);
        }}
      />
      {view.publicUrl === null ? null : <Addresses view={view} />}
      {isAsking ? (
        <Dialog onClose={() => setAsking(false)} title={t('public.askTitle')} size="lg">
          <div className={classes.warning}>
            <Icon name="alert" size={18} />
            <div>
              <p>{t('public.warning')}</p>
              <ul className={classes.list}>
                <li>{t('public.warningRead')}</li>
                <li>{t('public.warningWrite')}</li>
              </ul>
              <p>{t('public.warningNot')}</p>
            </div>
          </div>
          <div>
            <Text size="sm" fw={500}>
              {t('public.reachable')}
            </Text>
            <Addresses view={view} />
            <Text size="xs" c="dimmed" mt={6}>
              {t('public.router')}
            </Text>
          </div>
          <Failure>{error}</Failure>
          <DialogFooter onLeave={() => setAsking(false)} isLeaveFirst>
            <Button size="xs" loading={save.isPending} onClick={() => turn(true)}>
              {t('public.turnOn')}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </Row>
  );
}
