import { Title } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Icon, Logo } from '../../components/icon.tsx';
import { LanguageMenu } from '../../components/menus/language-menu.tsx';
import { ThemeMenu } from '../../components/menus/theme-menu.tsx';
import classes from './session.module.css';

interface Props {
  readonly title: string;
  /** Why the node no longer accepts this browser; null if it never did. */
  readonly refusal: string | null;
  /** The icon of the refusal. */
  readonly icon: ComponentProps<typeof Icon>['name'];
  readonly children: ReactNode;
  /** Cards below that of the title. */
  readonly below?: ReactNode;
}

/** The frame of the pages that ask for access to the node. */
export function SessionFrame({ title, refusal, icon, children, below = null }: Props) {
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Logo size={28} />
        <span className={classes.brand}>Wellhouse</span>
        <span className={classes.menus}>
          <ThemeMenu />
          <LanguageMenu />
        </span>
      </header>
      <main className={classes.card}>
        <Title order={1} size="h3">
          {title}
        </Title>
        {refusal === null ? null : (
          <p className={classes.refused} role="alert">
            <Icon name={icon} size={18} />
            <span>{refusal}</span>
          </p>
        )}
        {children}
      </main>
      {below}
    </div>
  );
}
