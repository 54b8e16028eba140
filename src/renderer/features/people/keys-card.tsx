import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoorView } from '../../../shared/owner-api/door.ts';
import { useSetDoorKeys } from '../../api/queries/door.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { CallFailure } from '../../components/failure.tsx';
import { Card } from '../../components/layout/card.tsx';
import classes from './people.module.css';

/** Chooses the owner keys that open the door by a signature. Renders nothing if no device names an owner. */
export function KeysCard({ view: { ownerKeys, pairings } }: { view: DoorView }) {
  const { t } = useTranslation(['door', 'app']);
  const save = useSetDoorKeys();
  /** The key to exclude, while the owner is asked to confirm; else null. */
  const [toStop, setToStop] = useState<string | null>(null);
  if (ownerKeys.length === 0) return null;
  const cameBy = (key: string | null) => pairings.filter(({ ownerKey }) => key !== null && ownerKey === key);
  const allow = (changed: string, isAllowed: boolean): void => {
    setToStop(null);
    save.mutate(
      ownerKeys.filter(({ key, isAllowed: was }) => (key === changed ? isAllowed : was)).map(({ key }) => key),
    );
  };
  return (
    <Card title={t('signature.title')}>
      <div className={classes.body}>
        <p className={classes.text}>{t('signature.text')}</p>
        {ownerKeys.map(({ key, name, isAllowed }) => (
          <Checkbox
            key={key}
            label={<bdi>{name || t('signature.noName')}</bdi>}
            description={<code className={classes.hex}>{key}</code>}
            checked={isAllowed}
            disabled={save.isPending}
            onChange={({ currentTarget: { checked } }) =>
              checked || cameBy(key).length === 0 ? allow(key, checked) : setToStop(key)
            }
          />
        ))}
        <CallFailure error={save.error} />
      </div>
      {toStop === null ? null : (
        <Dialog onClose={() => setToStop(null)} title={t('signature.stopTitle')}>
          <p className={classes.text}>{t('signature.stopText')}</p>
          <ul className={classes.text}>
            {cameBy(toStop).map(({ id, name }) => (
              <li key={id}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
          <DialogFooter onLeave={() => setToStop(null)}>
            <Button size="xs" color="red" onClick={() => allow(toStop, false)}>
              {t('signature.stop')}
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </Card>
  );
}
