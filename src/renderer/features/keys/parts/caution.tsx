import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon.tsx';
import classes from './parts.module.css';

/** A warning that does not stand in the way. */
export function Caution({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <div className={classes.caution} role={role}>
      <Icon name="alert" size={16} />
      <span>{children}</span>
    </div>
  );
}
