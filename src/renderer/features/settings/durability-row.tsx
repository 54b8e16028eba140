import { NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { useSetSettings } from '../../api/queries/settings.ts';
import { failureText } from '../../settings/problem-text.ts';
import { isOpen, Row } from './section.tsx';

const LEVELS = ['full', 'normal'] as const;

/** Whether a reading is confirmed before the disk has it, with what that costs. */
export function DurabilityRow({ view }: { view: SettingsView }) {
  const { t } = useTranslation('settings');
  const save = useSetSettings();
  const { durability } = view.settings;
  return (
    <Row name={t('name.durability')} text={t('text.durability')} setting={durability}>
      <NativeSelect
        size="sm"
        aria-label={t('name.durability')}
        value={durability.value}
        disabled={!isOpen(durability) || save.isPending}
        error={save.isError ? failureText(t, save.error, view) : undefined}
        onChange={(event) => {
          const chosen = LEVELS.find((level) => level === event.currentTarget.value);
          if (chosen !== undefined) save.mutate({ durability: chosen });
        }}
        data={LEVELS.map((level) => ({ value: level, label: t(`durability.${level}`) }))}
      />
    </Row>
  );
}
