import { Autocomplete, Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPrivateAddress } from '../../../shared/private-address.ts';
import { errorCode } from '../../api/errors.ts';
import { type Gate, useOpenJoining } from '../../api/queries/gate.ts';
import { Refused, useSetSettings, useSettings } from '../../api/queries/settings.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './connect.module.css';

/** Where the gate listens: chosen here, unless the environment says it. */
export function GateAddress({ gate: { gate, addresses } }: { gate: Gate }) {
  const { t } = useTranslation('app');
  const { data: view } = useSettings();
  const save = useSetSettings();
  const open = useOpenJoining();
  const [typed, setTyped] = useState<string | null>(null);
  if (view === undefined) return null;
  const { value, source } = view.settings.gateAddress;
  const isPinned = source === 'environment';
  // The firmware takes IPv4 addresses only.
  const address = typed?.trim() ?? value ?? addresses.find((each) => !each.address.includes(':'))?.address ?? '';
  const isWrong = address !== '' && !isPrivateAddress(address);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWrong || address === '') return;
    const onSuccess = (): void => {
      setTyped(null);
      // Whoever opens a gate wants a device in; where it only moves, those that were in stay so.
      if (gate.state === 'off') open.mutate(true);
    };
    save.mutate({ gateAddress: address }, { onSuccess });
  };
  const failed = save.error === null ? null : save.error instanceof Refused ? 'invalid_input' : errorCode(save.error);
  return (
    <form onSubmit={submit} className={classes.address}>
      <Autocomplete
        aria-label={t('gate.address')}
        placeholder="192.168.1.5"
        value={typed ?? address}
        onChange={setTyped}
        data={addresses.map((each) => each.address)}
        renderOption={({ option }) => (
          <span>
            {option.value}{' '}
            <span className={classes.note}>{addresses.find(({ address: of }) => of === option.value)?.interface}</span>
          </span>
        )}
        filter={({ options }) => options}
        disabled={isPinned}
        error={isWrong ? t('gate.notPrivate') : undefined}
        size="sm"
      />
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
