import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../components/icon.tsx';
import classes from './step.module.css';

/** A step of an ordered list of steps. It turns green when it is done. */
export function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('join');
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      <h3>
        <span className={classes.mark}>{isDone ? <Icon name="check" size={14} /> : null}</span>
        {title}
        {isDone ? <span className="visually-hidden"> ({t('step.done')})</span> : null}
      </h3>
      <div className={classes.content}>{children}</div>
    </li>
  );
}
