import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, Logo } from '../components/icon.tsx';
import { LanguageMenu } from '../components/language-menu.tsx';
import { ThemeMenu } from '../components/theme-menu.tsx';
import { setPreferences, usePreferences } from '../devices/preferences.ts';
import { linkTo, navigate, type Route } from '../router/router.ts';
import { ConnectionState } from './connection.tsx';
import classes from './header.module.css';
import { KeysStatus } from './keys-status.tsx';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function Search() {
  const { t } = useTranslation('app');
  const { search } = usePreferences();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  return (
    <TextInput
      ref={input}
      className={classes.search ?? ''}
      type="search"
      size="sm"
      aria-label={t('shell.search')}
      placeholder={t('shell.searchHint')}
      leftSection={<Icon name="search" />}
      rightSection={search === '' ? <kbd className={classes.key}>/</kbd> : null}
      rightSectionPointerEvents="none"
      value={search}
      maxLength={200}
      spellCheck={false}
      onChange={(event) => setPreferences({ search: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setPreferences({ search: '' });
        // Searching opens the overview, which lists the results.
        if (event.key === 'Enter') navigate({ page: 'overview' });
      }}
    />
  );
}

/** The bar at the top: link to the overview, search, connection, theme and language. */
export function Header({ route }: { route: Route }) {
  const { t } = useTranslation('app');
  return (
    <header className={classes.header}>
      <a
        className={classes.home}
        href={linkTo({ page: 'overview' })}
        aria-current={route.page === 'overview' ? 'page' : undefined}
      >
        <Logo />
        <span>Wellhouse</span>
      </a>
      <Search />
      <div className={classes.tools}>
        <ConnectionState />
        <KeysStatus route={route} />
        <Button
          component="a"
          href={linkTo({ page: 'connect' })}
          aria-current={route.page === 'connect' ? 'page' : undefined}
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" />}
        >
          {t('shell.connect')}
        </Button>
        <ThemeMenu />
        <LanguageMenu />
        <ActionIcon
          component="a"
          href={linkTo({ page: 'settings' })}
          aria-current={route.page === 'settings' ? 'page' : undefined}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('shell.settings')}
          title={t('shell.settings')}
        >
          <Icon name="settings" size={18} />
        </ActionIcon>
      </div>
    </header>
  );
}
