import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { displayText, shortId } from '../../../shared/display-text.ts';
import type { AnsweredDevice } from '../../../shared/owner-api/device-pages.ts';
import { errorCode } from '../../api/errors.ts';
import { useAskAddress, useFindDevices } from '../../api/queries/device-pages.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './pages.module.css';
import { PointButton } from './point-button.tsx';

/** Finds devices on the owner's network, and sends them the gate's address. */
export function FindDevices({ server }: { server: string }) {
  const { t } = useTranslation(['join', 'app']);
  const find = useFindDevices();
  const ask = useAskAddress();
  const [address, setAddress] = useState('');
  const [found, setFound] = useState<readonly AnsweredDevice[]>([]);
  const keep = (answers: readonly AnsweredDevice[]): void =>
    setFound((before) => [
      ...before.filter(({ says }) => !answers.some((answer) => answer.says.id === says.id)),
      ...answers,
    ]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (address.trim() === '') return;
    ask.mutate(address.trim(), { onSuccess: (asked) => (asked.state === 'answered' ? keep([asked]) : undefined) });
  };
  const failed = find.error ?? ask.error;
  return (
    <details className={classes.find}>
      <summary>{t('find.title')}</summary>
      <p>{t('find.text')}</p>
      <div className={classes.asking}>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="search" />}
          loading={find.isPending}
          onClick={() => find.mutate(undefined, { onSuccess: (answer) => keep(answer.found) })}
        >
          {t('find.find')}
        </Button>
        <form onSubmit={submit}>
          <TextInput
            size="xs"
            aria-label={t('find.address')}
            placeholder="192.168.1.9"
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" size="xs" loading={ask.isPending} disabled={address.trim() === ''}>
            {t('find.ask')}
          </Button>
        </form>
      </div>
      <div role="status">
        {ask.data === undefined || ask.data.state === 'answered' ? null : <p>{t(`state.${ask.data.state}`)}</p>}
        {find.data?.found.length === 0 && found.length === 0 ? <p>{t('find.none')}</p> : null}
        {failed === null ? null : <p>{t(`app:error.${errorCode(failed)}.title`)}</p>}
      </div>
      {found.length === 0 ? null : (
        <ul className={classes.found} aria-label={t('find.found')}>
          {found.map((device) => (
            <FoundDevice key={device.says.id} device={device} server={server} />
          ))}
        </ul>
      )}
    </details>
  );
}

/** A device that answered, with a button that sends it the gate's address. */
function FoundDevice({ device: { address, says }, server }: { device: AnsweredDevice; server: string }) {
  const { t } = useTranslation('join');
  return (
    <li>
      <strong>{displayText(says.name ?? '') || shortId(says.id)}</strong>{' '}
      <code title={says.id}>{shortId(says.id)}</code>
      <span className={classes.note}>{address}</span>
      {says.local.some(({ url }) => url === server) ? (
        <span className={classes.told}>
          <Icon name="check" size={14} /> {t('point.already')}
        </span>
      ) : null}
      <PointButton address={address} says={says} server={server} />
    </li>
  );
}
