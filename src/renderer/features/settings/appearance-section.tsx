import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { LANGUAGES, type Language } from '../../../shared/texts/languages.ts';
import { useLanguage, useLanguageChoice } from '../../texts/language.ts';
import { LockAfterRow } from './lock-after-row.tsx';
import { Row, Section } from './section.tsx';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** Language and theme, as in the header's menus, and when the keys lock. */
export function AppearanceSection({ view }: { view: SettingsView }) {
  const { t } = useTranslation(['settings', 'app']);
  const language = useLanguage();
  const { choose, hasFailed } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const kept = view.ownerView === 'browser' ? t('text.ofThisBrowser') : undefined;
  return (
    <Section title={t('section.view')}>
      <Row name={t('name.language')} text={kept}>
        <NativeSelect
          size="sm"
          aria-label={t('name.language')}
          error={hasFailed ? t('app:shell.languageFailed') : undefined}
          value={language}
          data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
          onChange={(event) => choose(event.currentTarget.value as Language)}
        />
      </Row>
      <Row name={t('name.theme')} text={kept}>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('name.theme')}
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as (typeof SCHEMES)[number])}
          data={SCHEMES.map((value) => ({ value, label: t(`app:theme.${value}`) }))}
        />
      </Row>
      <LockAfterRow />
    </Section>
  );
}
