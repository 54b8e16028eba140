import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './about.module.css';

/** A titled card of the section about a device. */
export function Card({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.cardHead}>
        <Title order={3} size="h5" id={id}>
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
}
