import { Button, Checkbox, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../shared/display-text.ts';
import { MAX_PAIRING_NAME } from '../../../shared/owner-api/limits.ts';
import type { Role } from '../../../shared/owner-api/method.ts';
import { useMe } from '../../api/me.tsx';
import type { useOpenPairing } from '../../api/queries/door.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { CallFailure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import classes from './people.module.css';

interface Props {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onAdd: (offered: Parameters<ReturnType<typeof useOpenPairing>['mutate']>[0]) => void;
}

/** Asks who gets access, and with which role. */
export function AddForm({ error, isPending, onAdd }: Props) {
  const { t } = useTranslation(['door', 'app']);
  const me = useMe();
  const devices = useOverview().data?.devices ?? [];
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('owner');
  const [some, setSome] = useState<string[]>([]);
  const [mayUnlock, setMayUnlock] = useState(false);
  const [mayLog, setMayLog] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const bounded = role === 'viewer' && some.length > 0 ? some : null;
    const rights = { mayUnlock: role === 'owner' && mayUnlock, mayLog: role === 'viewer' && mayLog };
    onAdd({ name: name.trim(), role, devices: bounded, ...rights });
  };
  return (
    <form onSubmit={submit} className={classes.body}>
      <TextInput
        label={t('add.name')}
        placeholder={t('add.namePlaceholder')}
        value={name}
        maxLength={MAX_PAIRING_NAME}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label={t('add.role')}
        value={role}
        onChange={(value) => setRole(value as Role)}
        data={[
          { value: 'owner', label: t('role.owner') },
          { value: 'viewer', label: t('role.viewer') },
        ]}
      />
      <p className={classes.note}>{t(`roleText.${role}`)}</p>
      {role === 'viewer' ? (
        <>
          <MultiSelect
            label={t('add.devices')}
            placeholder={some.length === 0 ? t('add.allDevices') : ''}
            data={devices.map((device) => ({ value: device.id, label: deviceName(device) }))}
            value={some}
            onChange={setSome}
          />
          <Checkbox
            label={t('add.mayLog')}
            description={t('add.mayLogText')}
            checked={mayLog}
            onChange={(event) => setMayLog(event.currentTarget.checked)}
          />
        </>
      ) : me.mayUnlock ? (
        <Checkbox
          label={t('add.mayUnlock')}
          description={t('add.mayUnlockText')}
          checked={mayUnlock}
          onChange={(event) => setMayUnlock(event.currentTarget.checked)}
        />
      ) : null}
      <CallFailure error={error} />
      <div>
        <Button type="submit" disabled={name.trim() === ''} loading={isPending} leftSection={<Icon name="plus" />}>
          {t('add.make')}
        </Button>
      </div>
    </form>
  );
}
