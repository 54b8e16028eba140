import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPrivateAddress } from '../../../shared/private-address.ts';
import { errorCode } from '../../api/errors.ts';
import { type Gate, useOpenJoining } from '../../api/queries/gate.ts';
import { Refused, useSetSettings, useSettings } from '../../api/queries/settings.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './connect.module.css';

/** The choice of an address that is not in the list. */
const OTHER = 'other';

/** The choice of the gate's address. It can't be changed here if the environment sets it. */
export function GateAddress({ gate: { gate, addresses } }: { gate: Gate }) {
  const { t } = useTranslation('app');
  const { data: view } = useSettings();
  const save = useSetSettings();
  const open = useOpenJoining();
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  if (view === undefined) return null;
  const { value, source } = view.settings.gateAddress;
  const isPinned = source === 'environment';
  // A kept address may not be one of this machine's at the moment, for example because an interface is down.
  const isKnown = value === null || addresses.some(({ address: each }) => each === value);
  const offered = isKnown ? addresses : [{ address: value, interface: '' }, ...addresses];
  // The firmware only accepts IPv4 addresses.
  const first = value ?? addresses.find((each) => !each.address.includes(':'))?.address ?? addresses[0]?.address;
  const isOther = (chosen ?? first ?? OTHER) === OTHER;
  const address = isOther ? typed.trim() : (chosen ?? first ?? '');
  const isWrong = address !== '' && !isPrivateAddress(address);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWrong || address === '') return;
    const onSuccess = (): void => {
      setChosen(null);
      setTyped('');
      // An owner who turns the gate on wants a device to join. If the gate only moves, the joined devices stay joined.
      if (gate.state === 'off') open.mutate(true);
    };
    save.mutate({ gateAddress: address }, { onSuccess });
  };
  const failed = save.error === null ? null : save.error instanceof Refused ? 'invalid_input' : errorCode(save.error);
  return (
    <form onSubmit={submit} className={classes.address}>
      <NativeSelect
        aria-label={t('gate.address')}
        value={isOther ? OTHER : address}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[
          ...offered.map(({ address: each, interface: name }) => ({
            value: each,
            label: name === '' ? each : `${each} (${name})`,
          })),
          { value: OTHER, label: t('gate.another') },
        ]}
        disabled={isPinned}
        size="sm"
      />
      {isOther ? (
        <TextInput
          aria-label={t('gate.anotherAddress')}
          placeholder="192.168.1.5"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={isWrong ? t('gate.notPrivate') : undefined}
          disabled={isPinned}
          size="sm"
        />
      ) : null}
      {isPinned ? null : gate.state === 'off' || address !== gate.address ? (
        <Button type="submit" size="sm" loading={save.isPending} disabled={isWrong || address === ''}>
          {t('gate.listen')}
        </Button>
      ) : (
        <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate({ gateAddress: null })}>
          {t('gate.off')}
        </Button>
      )}
      <p className={`${classes.standing} ${classes.row}`} data-state={gate.state} role="status">
        <Icon name={gate.state === 'listening' ? 'check' : gate.state === 'off' ? 'minus' : 'alert'} size={16} />
        {gate.state === 'waiting'
          ? t(`gate.waiting.${gate.reason}`, { address: gate.address, port: gate.port })
          : t(`gate.state.${gate.state}`)}
      </p>
      {address.includes(':') && !isWrong ? <p className={`${classes.note} ${classes.row}`}>{t('gate.ipv6')}</p> : null}
      {failed === null ? null : (
        <p role="alert" className={`${classes.failed} ${classes.row}`}>
          {t(`error.${failed}.title`)}
        </p>
      )}
    </form>
  );
}
