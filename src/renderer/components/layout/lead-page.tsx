import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './lead-page.module.css';

/** A page of cards, below its title and a sentence on what it is for. */
export function LeadPage({
  title,
  lead,
  className = '',
  children,
}: {
  title: string;
  lead: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={`${classes.page} ${className}`}>
      <Title order={1} size="h3">
        {title}
      </Title>
      <p className={classes.lead}>{lead}</p>
      {children}
    </div>
  );
}
