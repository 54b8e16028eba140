import type { ReactNode } from 'react';
import classes from './space.module.css';

/** A fact with its name. `text` explains the name. */
export function Fact({ name, text, children }: { name: string; text?: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        {name}
        {text === undefined ? null : <span className={classes.note}>{text}</span>}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
