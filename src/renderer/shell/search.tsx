import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../components/icon.tsx';
import { setPreferences, usePreferences } from '../devices/preferences.ts';
import { navigate } from '../router/router.ts';
import classes from './header.module.css';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The search over the list of devices; `/` leads to it from anywhere. */
export function Search({ hasKey }: { hasKey: boolean }) {
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
      rightSection={hasKey && search === '' ? <kbd className={classes.key}>/</kbd> : null}
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
