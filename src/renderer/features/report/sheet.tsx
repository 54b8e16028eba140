import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNode } from '../../api/node-connection.ts';
import { zoneText } from '../../charts/range/zone.ts';
import { useFormat, useLocale } from '../../format/format.ts';
import { useTitle } from '../../router/title.ts';
import classes from './report.module.css';

interface Props {
  readonly title: string;
  readonly subtitle: string;
  /** The page to return to, and its name. */
  readonly back: { readonly href: string; readonly text: string };
  /** Further controls, which are not printed. */
  readonly controls?: ReactNode;
  /** Whether values are still loading. */
  readonly isLoading: boolean;
  readonly children: ReactNode;
}

/** A sheet of paper on the screen, printed without anything around it. */
export function Sheet({ title, subtitle, back, controls, isLoading, children }: Props) {
  const { t } = useTranslation('crops');
  const { clock } = useNode();
  const format = useFormat();
  const locale = useLocale();
  const now = clock.now();
  useTitle(t('report.title', { name: title }));
  return (
    <div className={classes.page}>
      <div className={classes.controls}>
        <Group justify="space-between">
          <a href={back.href}>{back.text}</a>
          <Button size="xs" loading={isLoading} onClick={() => window.print()}>
            {t('report.print')}
          </Button>
        </Group>
        {controls}
      </div>
      <article className={classes.sheet} aria-busy={isLoading}>
        <header>
          <h1>{title}</h1>
          <p>{subtitle}</p>
        </header>
        {children}
        <footer>{t('report.made', { time: format.dateTime(now), zone: zoneText(now, locale) })}</footer>
      </article>
    </div>
  );
}
