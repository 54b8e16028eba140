import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './lead-page.module.css';

/** A page of cards, with a title and a sentence about its purpose. */
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
