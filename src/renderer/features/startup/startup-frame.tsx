import type { ReactNode } from 'react';
import { LanguageMenu } from '../../shell/language-menu.tsx';
import { Logo } from '../../shell/logo.tsx';
import { ThemeMenu } from '../../shell/theme-menu.tsx';
import classes from './startup.module.css';

/** A page of its own, for when there is no node to show anything of. */
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
