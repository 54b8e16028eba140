import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReplaceAuthority } from '../../api/queries/door.ts';
import { Dialog, DialogFooter } from '../../components/dialog.tsx';
import { CallFailure } from '../../components/failure.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './people.module.css';

/** Offers to replace the certificate authority, after explaining what phones must do then. */
export function NewAuthority({ authority }: { authority: { readonly isBounded: boolean; readonly validTo: number } }) {
  const { t } = useTranslation(['door', 'app']);
  const format = useFormat();
  const replace = useReplaceAuthority();
  const [isAsked, setAsked] = useState(false);
  const { isBounded, validTo } = authority;
  return (
    <div className={classes.body}>
      <p className={classes.text}>
        {isBounded ? t('authority.bounded', { at: format.dateTime(validTo) }) : t('authority.unbounded')}
      </p>
      <div className={classes.form}>
        <Button variant="default" size="xs" onClick={() => setAsked(true)}>
          {t('authority.replace')}
        </Button>
        <span role="status" className={classes.note}>
          {replace.isSuccess ? t('authority.done') : ''}
        </span>
      </div>
      <CallFailure error={replace.error} />
      {isAsked ? (
        <Dialog onClose={() => setAsked(false)} title={t('authority.title')}>
          <p className={classes.text}>{t('authority.after')}</p>
          <ul className={classes.text}>
            <li>{t('authority.trusting')}</li>
            <li>{t('authority.others')}</li>
            <li>{t('authority.programs')}</li>
          </ul>
          <DialogFooter onLeave={() => setAsked(false)}>
            <Button
              size="xs"
              onClick={() => {
                setAsked(false);
                replace.mutate();
              }}
            >
              {t('authority.replace')}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </div>
  );
}
