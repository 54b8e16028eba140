import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { desktop } from '../../api/desktop.ts';
import { Logo } from '../../components/icon.tsx';
import { LanguageMenu } from '../../components/menus/language-menu.tsx';
import { ThemeMenu } from '../../components/menus/theme-menu.tsx';
import classes from './startup.module.css';

/** The frame of the pages that are shown while no node is running. */
export function StartupFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Logo size={28} />
        <span>Wellhouse</span>
        <span className={classes.menus}>
          <ThemeMenu />
          <LanguageMenu />
        </span>
      </header>
      <main className={classes.card}>{children}</main>
    </div>
  );
}

/** Tries to start the node again. */
export function RetryButton() {
  const { t } = useTranslation('startup');
  const retry = useMutation({ mutationFn: async () => desktop?.app.call('startNode', {}) });
  return (
    <Button size="sm" variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('retry')}
    </Button>
  );
}
