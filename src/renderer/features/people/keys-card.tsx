import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DoorView } from '../../../shared/owner-api/door.ts';
import { errorCode } from '../../api/errors.ts';
import { useSetDoorKeys } from '../../api/queries/door.ts';
import { Card } from '../../components/layout/card.tsx';
import classes from './people.module.css';

/** Which owners' keys open the door by a signature; nothing where no device names an owner. */
export function KeysCard({ ownerKeys }: Pick<DoorView, 'ownerKeys'>) {
  const { t } = useTranslation(['door', 'app']);
  const save = useSetDoorKeys();
  if (ownerKeys.length === 0) return null;
  const allow = (changed: string, isAllowed: boolean): void =>
    save.mutate(
      ownerKeys.filter(({ key, isAllowed: was }) => (key === changed ? isAllowed : was)).map(({ key }) => key),
    );
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
            onChange={(event) => allow(key, event.currentTarget.checked)}
          />
        ))}
        {save.isError ? (
          <p role="alert" className={classes.failed}>
            {t(`app:error.${errorCode(save.error)}.title`)}
          </p>
        ) : null}
      </div>
    </Card>
  );
}
