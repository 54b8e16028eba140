import { Button, Checkbox, MultiSelect, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '../../../shared/display-text.ts';
import type { DoorView, OpenedPairing } from '../../../shared/owner-api/door.ts';
import { MAX_PAIRING_NAME } from '../../../shared/owner-api/limits.ts';
import type { Role } from '../../../shared/owner-api/method.ts';
import { showPairingCode } from '../../../shared/pairing-link.ts';
import { errorCode } from '../../api/errors.ts';
import { useMe } from '../../api/me.tsx';
import { useClosePairing, useOpenPairing } from '../../api/queries/door.ts';
import { useOverview } from '../../api/queries/overview.ts';
import { CodeLine } from '../../components/codes/copy-button.tsx';
import { QrCode } from '../../components/codes/qr-code.tsx';
import { Icon } from '../../components/icon.tsx';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import { inGroups } from './fingerprint.ts';
import classes from './people.module.css';

/** Lets in a phone, a person or an app: who it is, then the code for it. */
export function AddCard({ view }: { view: DoorView }) {
  const { t } = useTranslation('door');
  const open = useOpenPairing();
  const close = useClosePairing();
  const known = useRef(view.pairings.length);
  const [paired, setPaired] = useState<string | null>(null);
  const opened = open.data ?? null;
  const isOver = opened !== null && view.open === null;

  // A code that was used is gone, and somebody is in the list who was not.
  useEffect(() => {
    if (view.pairings.length > known.current && opened !== null) {
      setPaired(view.pairings.at(-1)?.name ?? null);
      open.reset();
    }
    known.current = view.pairings.length;
  }, [view.pairings, opened, open.reset]);

  return (
    <Card title={t('add.title')}>
      {paired === null ? null : (
        <p className={classes.standing} data-state="listening" role="status">
          <Icon name="check" size={16} />
          {t('add.done', { name: paired })}
        </p>
      )}
      {opened === null || isOver ? (
        <AddForm
          isOver={isOver}
          error={open.error}
          isPending={open.isPending}
          onAdd={(offered) => {
            setPaired(null);
            open.mutate(offered);
          }}
        />
      ) : (
        <Opened
          opened={opened}
          leftMs={view.open?.leftMs ?? opened.leftMs}
          onClose={() => {
            close.mutate();
            open.reset();
          }}
        />
      )}
    </Card>
  );
}

interface FormProps {
  readonly isOver: boolean;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onAdd: (offered: Parameters<ReturnType<typeof useOpenPairing>['mutate']>[0]) => void;
}

function AddForm({ isOver, error, isPending, onAdd }: FormProps) {
  const { t } = useTranslation(['door', 'app']);
  const me = useMe();
  const devices = useOverview().data?.devices ?? [];
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('owner');
  const [some, setSome] = useState<string[]>([]);
  const [mayUnlock, setMayUnlock] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const bounded = role === 'viewer' && some.length > 0 ? some : null;
    onAdd({ name: name.trim(), role, devices: bounded, mayUnlock: role === 'owner' && mayUnlock });
  };
  return (
    <form onSubmit={submit} className={classes.body}>
      {isOver ? (
        <p className={classes.standing} data-state="waiting" role="status">
          <Icon name="clock" size={16} />
          {t('add.over')}
        </p>
      ) : null}
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
        <MultiSelect
          label={t('add.devices')}
          placeholder={some.length === 0 ? t('add.allDevices') : ''}
          data={devices.map((device) => ({ value: device.id, label: deviceName(device) }))}
          value={some}
          onChange={setSome}
        />
      ) : me.mayUnlock ? (
        <Checkbox
          label={t('add.mayUnlock')}
          description={t('add.mayUnlockText')}
          checked={mayUnlock}
          onChange={(event) => setMayUnlock(event.currentTarget.checked)}
        />
      ) : null}
      {error === null ? null : (
        <p role="alert" className={classes.failed}>
          {t(`app:error.${errorCode(error)}.title`)}
        </p>
      )}
      <div>
        <Button type="submit" disabled={name.trim() === ''} loading={isPending} leftSection={<Icon name="plus" />}>
          {t('add.make')}
        </Button>
      </div>
    </form>
  );
}

function Opened({ opened, leftMs, onClose }: { opened: OpenedPairing; leftMs: number; onClose: () => void }) {
  const { t } = useTranslation('door');
  const format = useFormat();
  const [{ address, link }] = opened.links as [OpenedPairing['links'][number]];
  return (
    <div className={classes.opened}>
      <QrCode text={link} label={t('add.qr')} />
      <div>
        <p className={classes.text}>{t('add.scan')}</p>
        <CodeLine isSecret text={link} label={t('add.copyLink')} />
        <p className={classes.text}>{t('add.code', { origin: link.replace(/#.*$/, '') })}</p>
        <span className={classes.code} data-testid="pairing-code">
          {showPairingCode(opened.code)}
        </span>
        <p className={classes.note}>{t('add.left', { minutes: format.integer(Math.ceil(leftMs / 60_000)) })}</p>
        <p className={classes.note}>{t('add.warning', { address })}</p>
        <p className={classes.note}>{t('certificate.fingerprint')}</p>
        <code className={classes.hex}>{inGroups(opened.fingerprint)}</code>
        <div>
          <Button variant="default" size="xs" onClick={onClose}>
            {t('add.cancel')}
          </Button>
        </div>
      </div>
    </div>
  );
}
