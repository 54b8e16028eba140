import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface Props {
  readonly title: string;
  /** The buttons for the whole card, next to the heading. */
  readonly action?: ReactNode;
  readonly level?: 2 | 3;
  /** Whether the content has its own padding, such as a list whose lines reach the edges. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

/** A section of a page with a heading. */
export function Card({ title, action, level = 2, isFlush = false, children }: Props) {
  const id = useId();
  return (
    <section className={classes.card} data-flush={isFlush || undefined} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={level} size="h5" id={id}>
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
}
