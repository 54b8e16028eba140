import { Autocomplete, Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoorView } from '../../../shared/owner-api/door.ts';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { showFingerprint } from '../../../shared/pairing-link.ts';
import { isAddress, isEveryAddress } from '../../../shared/private-address.ts';
import { errorCode } from '../../api/errors.ts';
import { Refused, useSetSettings, useSettings } from '../../api/queries/settings.ts';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { NewAuthority } from './new-authority.tsx';
import { OwnFiles } from './own-files.tsx';
import classes from './people.module.css';

const EVERYWHERE = '0.0.0.0';

/** Chooses the address at which the door listens, unless the environment sets it, and shows the door's state. */
export function DoorCard({ view }: { view: DoorView }) {
  const { t } = useTranslation(['door', 'app']);
  const { data } = useSettings();
  const save = useSetSettings();
  const [typed, setTyped] = useState<string | null>(null);
  if (data === undefined) return null;
  const { settings } = data;
  const { door } = view;
  const isPinned = settings.doorAddress.source === 'environment';
  const likeliest = view.addresses.find(({ address, scope }) => scope === 'lan' && !address.includes(':'))?.address;
  const address = typed ?? settings.doorAddress.value ?? likeliest ?? '';
  const isWrong = address !== '' && !isAddress(address);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isWrong && address !== '') save.mutate({ doorAddress: address }, { onSuccess: () => setTyped(null) });
  };
  const failed = save.error === null ? null : save.error instanceof Refused ? 'invalid_input' : errorCode(save.error);
  return (
    <Card title={t('door.title')}>
      <div className={classes.body}>
        <p className={classes.text}>{t('door.text')}</p>
        <form onSubmit={submit} className={classes.form}>
          <Autocomplete
            label={t('door.address')}
            placeholder="192.168.1.5"
            value={address}
            onChange={setTyped}
            data={[...view.addresses.map((each) => each.address), EVERYWHERE]}
            renderOption={({ option }) => (
              <span>
                {option.value}{' '}
                <span className={classes.note}>
                  {option.value === EVERYWHERE
                    ? t('door.everywhere')
                    : view.addresses.find(({ address: of }) => of === option.value)?.interface}
                </span>
              </span>
            )}
            filter={({ options }) => options}
            disabled={isPinned}
            error={isWrong ? t('door.noAddress') : undefined}
            size="sm"
          />
          {isPinned ? null : door.state === 'off' || address !== door.address ? (
            <Button type="submit" size="sm" loading={save.isPending} disabled={isWrong || address === ''}>
              {t('door.open')}
            </Button>
          ) : (
            <Button
              variant="default"
              size="sm"
              loading={save.isPending}
              onClick={() => save.mutate({ doorAddress: null })}
            >
              {t('door.close')}
            </Button>
          )}
        </form>
        <p className={classes.standing} data-state={door.state} role="status">
          <Icon name={door.state === 'listening' ? 'check' : door.state === 'off' ? 'minus' : 'alert'} size={16} />
          <span>
            {door.state === 'off'
              ? t('door.isOff')
              : door.state === 'listening'
                ? isEveryAddress(door.address)
                  ? t('door.isOpenEverywhere', { port: door.port, addresses: reached(view, door.address) })
                  : t('door.isOpen', { address: door.address, port: door.port })
                : t(`door.waiting.${door.reason}`, { address: door.address, port: door.port })}
          </span>
        </p>
        {view.certificateProblem === null ? null : (
          <p className={classes.failed} role="alert">
            {t('door.certificateProblem')} <bdi>{view.certificateProblem}</bdi>
          </p>
        )}
        <Failure>{failed === null ? null : t(`app:error.${failed}.title`)}</Failure>
        {door.state !== 'off' && view.certificate?.authority?.isBounded === false ? (
          <NewAuthority authority={view.certificate.authority} />
        ) : null}
        <More certificate={door.state === 'off' ? null : view.certificate} settings={data} />
      </div>
    </Card>
  );
}

/** Returns the addresses of this machine at which a door that listens on all addresses can be reached. */
function reached({ addresses }: DoorView, at: string): string {
  const isIPv6Too = at.includes(':');
  const shown = addresses.filter(({ address }) => isIPv6Too || !address.includes(':'));
  return shown.map(({ address }) => address).join(', ');
}

/** Shows the door's certificate, its port, and the settings for both. */
function More({ certificate, settings }: Pick<DoorView, 'certificate'> & { readonly settings: SettingsView }) {
  const { t } = useTranslation('door');
  const format = useFormat();
  return (
    <details>
      <summary className={classes.text}>{t('certificate.title')}</summary>
      <div className={classes.body}>
        {certificate === null ? null : (
          <>
            <p className={classes.text}>{t(`certificate.${certificate.kind}`)}</p>
            <p className={classes.note}>
              {t('certificate.until', { at: format.dateTime(certificate.validTo) })} {certificate.names.join(', ')}
            </p>
            <p className={classes.note}>{t('certificate.fingerprint')}</p>
            <code className={classes.hex}>{showFingerprint(certificate.fingerprint)}</code>
          </>
        )}
        {certificate?.authority?.isBounded === true ? <NewAuthority authority={certificate.authority} /> : null}
        <OwnFiles view={settings} />
      </div>
    </details>
  );
}
