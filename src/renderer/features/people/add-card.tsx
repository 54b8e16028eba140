import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoorView } from '../../../shared/owner-api/door.ts';
import { useClosePairing, useOpenPairing, useShownPairing } from '../../api/queries/door.ts';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { AddForm } from './add-form.tsx';
import { Opened } from './opened.tsx';
import classes from './people.module.css';

/** The reason why the previous code is no longer open. */
type End = { readonly kind: 'none' | 'over' } | { readonly kind: 'paired'; readonly name: string };

/** Grants access to a phone, a person or an app: asks who it is, then shows the code. The code survives a reload. */
export function AddCard({ view }: { view: DoorView }) {
  const { t } = useTranslation('door');
  const open = useOpenPairing();
  const close = useClosePairing();
  const shown = useShownPairing(view.open?.isShown === true);
  const end = useEnd(view, close.isSuccess || close.isPending);
  const onClose = (): void => {
    open.reset();
    close.mutate();
  };
  const opened = view.open === null ? null : (shown ?? null);
  return (
    <Card title={t('add.title')}>
      {end.kind === 'paired' ? (
        <p className={classes.standing} data-state="listening" role="status">
          <Icon name="check" size={16} />
          {t('add.done', { name: end.name })}
        </p>
      ) : null}
      {view.open !== null && opened !== null ? (
        <Opened opened={opened} of={view.open} addresses={view.addresses} onClose={onClose} />
      ) : (
        <>
          {view.open !== null && !view.open.isShown ? <Elsewhere of={view.open} onClose={onClose} /> : null}
          {end.kind === 'over' ? (
            <p className={classes.standing} data-state="waiting" role="status">
              <Icon name="clock" size={16} />
              {t(view.wasGuessed ? 'add.guessed' : 'add.over')}
            </p>
          ) : null}
          <AddForm
            error={open.error}
            isPending={open.isPending}
            onAdd={(offered) => {
              close.reset();
              open.mutate(offered);
            }}
          />
        </>
      )}
    </Card>
  );
}

/** Shows that another owner or browser has a code open, with a button that closes it. */
function Elsewhere({ of, onClose }: { of: NonNullable<DoorView['open']>; onClose: () => void }) {
  const { t } = useTranslation('door');
  const format = useFormat();
  const minutes = format.integer(Math.ceil(of.leftMs / 60_000));
  return (
    <div className={classes.elsewhere}>
      <p className={classes.standing} role="status">
        <Icon name="clock" size={16} />
        <span>{t('add.elsewhere', { name: of.name, role: t(`role.${of.role}`), minutes })}</span>
      </p>
      <Button variant="default" size="xs" onClick={onClose}>
        {t('add.closeCode')}
      </Button>
    </div>
  );
}

/** Returns how the code ended. If it disappears and the list has a new pairing, it was used; otherwise it expired. */
function useEnd({ open, pairings }: DoorView, isClosed: boolean): End {
  const [end, setEnd] = useState<End>({ kind: 'none' });
  const wasOpen = useRef(false);
  const known = useRef(pairings.length);
  const isOpen = open !== null;
  useEffect(() => {
    const isNew = pairings.length > known.current;
    known.current = pairings.length;
    if (isOpen) setEnd({ kind: 'none' });
    else if (wasOpen.current && isNew) setEnd({ kind: 'paired', name: pairings.at(-1)?.name ?? '' });
    else if (wasOpen.current) setEnd((before) => (before.kind === 'paired' || isClosed ? before : { kind: 'over' }));
    // The code disappears a moment before the new pairing is in the list.
    wasOpen.current ||= isOpen;
  }, [isOpen, pairings, isClosed]);
  return end;
}
