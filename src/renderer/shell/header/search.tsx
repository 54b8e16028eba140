import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { focusFirstDevice } from '../../components/browser/focus.ts';
import { Icon } from '../../components/icon.tsx';
import { deviceRoute, type ListedDevice, useListedDevices } from '../../devices/listed.ts';
import { nameOf } from '../../devices/names.ts';
import { setPreferences, usePreferences } from '../../devices/selection/preferences.ts';
import { useSelection } from '../../devices/selection/use-selection.ts';
import { navigate } from '../../router/router.ts';
import classes from './header.module.css';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Returns the match that begins with the typed text, otherwise the first one in the list. */
function bestMatch(found: readonly ListedDevice[], search: string): ListedDevice | undefined {
  const typed = search.trim().toLowerCase();
  return found.find((device) => nameOf(device).toLowerCase().startsWith(typed)) ?? found[0];
}

/** The search field for the list of devices. The `/` key focuses it from anywhere. */
export function Search({ hasKey }: { hasKey: boolean }) {
  const { t } = useTranslation('app');
  const { search } = usePreferences();
  const input = useRef<HTMLInputElement>(null);
  const { mine, claimed, others } = useSelection(useListedDevices());
  const best = bestMatch([...mine, ...claimed, ...others], search);

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
        if (event.key === 'Enter' && search.trim() !== '' && best !== undefined) {
          // The device was found, so the search is cleared. The focus moves to the page, so that the arrow keys scroll
          // it.
          setPreferences({ search: '' });
          document.getElementById('main')?.focus({ preventScroll: true });
          navigate(deviceRoute(best.id, best.node));
        }
        if (event.key === 'ArrowDown') {
          event.preventDefault();
          // The overview lists the results. The focus moves to the first one.
          navigate({ page: 'overview' });
          requestAnimationFrame(() => focusFirstDevice());
        }
      }}
    />
  );
}
