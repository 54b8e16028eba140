import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './alerts.module.css';

/** A part of the page under its heading, with what is done about all of it beside that. */
export function Card({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
}
