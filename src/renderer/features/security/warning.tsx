import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import classes from './security.module.css';

/** A warning at the top of the page. */
export function Warning({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.warning} role="status">
      <Icon name="alert" size={20} />
      <div>
        <strong>{title}</strong>
        <p>{children}</p>
      </div>
    </div>
  );
}
