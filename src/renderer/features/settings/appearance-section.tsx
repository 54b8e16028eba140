import { NativeSelect, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { SettingsView } from '../../../shared/owner-settings.ts';
import { LANGUAGES, type Language } from '../../i18n/languages.ts';
import { useLanguageChoice } from '../../i18n/use-language-choice.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { LockAfterRow } from './lock-after-row.tsx';
import { Row, Section } from './section.tsx';

const SCHEMES = ['auto', 'light', 'dark'] as const;

/** How the view looks and speaks, as the menus of the header have it too; and when the keys lock. */
export function AppearanceSection({ view }: { view: SettingsView }) {
  const { t, language } = useTranslation('settings');
  const { choose, hasFailed } = useLanguageChoice();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const kept = view.home === 'browser' ? t('text.ofThisBrowser') : undefined;
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
