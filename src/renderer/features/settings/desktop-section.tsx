import { NativeSelect, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { useSetSettings } from '../../api/queries/settings.ts';
import { Failure } from '../../components/failure.tsx';
import { failureText } from '../../settings/problem-text.ts';
import { isOpen, Row, Section } from './section.tsx';

const CLOSING = ['ask', 'tray', 'quit'] as const;

/** Settings of the desktop app. In a browser they are shown as not applicable. */
export function DesktopSection({ view }: { view: SettingsView }) {
  const { t } = useTranslation('settings');
  const save = useSetSettings();
  const { startAtLogin, closeBehaviour } = view.settings;
  return (
    <Section title={t('section.desktop')}>
      {view.ownerView === 'desktop' && !startAtLogin.applies ? null : (
        <Row name={t('name.startAtLogin')} text={t('text.startAtLogin')} setting={startAtLogin}>
          <Switch
            label={startAtLogin.value ? t('on') : t('off')}
            aria-label={t('name.startAtLogin')}
            checked={startAtLogin.value}
            disabled={!isOpen(startAtLogin) || save.isPending}
            onChange={(event) => save.mutate({ startAtLogin: event.currentTarget.checked })}
          />
        </Row>
      )}
      <Row name={t('name.closeBehaviour')} text={t('text.closeBehaviour')} setting={closeBehaviour}>
        <NativeSelect
          size="sm"
          aria-label={t('name.closeBehaviour')}
          value={closeBehaviour.value}
          disabled={!isOpen(closeBehaviour)}
          data={CLOSING.map((value) => ({ value, label: t(`closing.${value}`) }))}
          onChange={(event) => save.mutate({ closeBehaviour: event.currentTarget.value as (typeof CLOSING)[number] })}
        />
        <Failure>{save.isError ? failureText(t, save.error, view) : null}</Failure>
      </Row>
    </Section>
  );
}
