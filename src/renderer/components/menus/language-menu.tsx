import { ActionIcon, Menu, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LANGUAGES, type Language } from '../../../shared/texts/languages.ts';
import { useLanguage, useLanguageChoice } from '../../texts/language.ts';
import { Icon } from '../icon.tsx';

/** The menu of languages. Each has its name in its own language. */
export function LanguageMenu() {
  const { t } = useTranslation('app');
  const chosen = useLanguage();
  const { choose, hasFailed } = useLanguageChoice();
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('shell.language')}
            title={t('shell.language')}
          >
            <Icon name="globe" size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.entries(LANGUAGES) as [Language, string][]).map(([language, name]) => (
            <Menu.Item
              key={language}
              lang={language}
              rightSection={language === chosen ? <Icon name="check" label={t('common.chosen')} /> : null}
              onClick={() => choose(language)}
            >
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {hasFailed ? (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {t('shell.languageFailed')}
        </Text>
      ) : null}
    </>
  );
}
