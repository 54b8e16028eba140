import { Button } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeLine } from '../../../components/codes/copy-button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { KeptState } from '../../../kept-state.ts';
import classes from '../connect.module.css';

const told = new KeptState<string>('wellhouse.gate-moved-told', (text) => {
  const value: unknown = text === null ? '' : JSON.parse(text);
  return typeof value === 'string' ? value : '';
});

/** Says what devices have to be told where the gate is elsewhere than before, until the owner has told all. */
export function GateMoved({ before, now }: { before: readonly string[]; now: string }) {
  const { t } = useTranslation(['app', 'join']);
  const known = useSyncExternalStore(told.subscribe, told.get);
  const places = before.join(', ');
  if (before.length === 0 || known === `${places} ${now}`) return null;
  return (
    <div className={classes.moved} role="status">
      <strong className={classes.standing} data-state="waiting">
        <Icon name="alert" size={16} />
        {t('join:moved.title')}
      </strong>
      <p>{t('join:moved.text', { before: places })}</p>
      <CodeLine text={now} label={t('connect.copyAddress')} />
      <Button variant="default" size="compact-sm" onClick={() => told.set(`${places} ${now}`)}>
        {t('join:moved.done')}
      </Button>
    </div>
  );
}
