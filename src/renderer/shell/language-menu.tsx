import { ActionIcon, Menu } from '@mantine/core';
import { Icon } from '../components/icon.tsx';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import { setLanguage } from '../i18n/setup.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** The language of the interface, each by its own name. */
export function LanguageMenu() {
  const { t, language: chosen } = useTranslation('app');
  return (
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
            onClick={() => void setLanguage(language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
