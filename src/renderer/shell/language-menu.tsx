import { ActionIcon, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../components/icon.tsx';
import { LANGUAGES, type Language, setLanguage } from '../i18n/setup.ts';

/** The language of the interface, each by its own name. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation('app');
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
            rightSection={i18n.language === language ? <Icon name="check" label={t('common.chosen')} /> : null}
            onClick={() => void setLanguage(language)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
