import { Button, NativeSelect, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelKindName } from '../../../shared/alerts/channel.ts';
import type { ChannelState } from '../../../shared/owner-api/alerts.ts';
import { useAlertCall } from '../../api/queries/alerts.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { CallFailed, DeleteTwice } from '../rules/dialog-parts.tsx';
import {
  type ChannelField,
  type ChannelForm,
  channelFormOf,
  channelOf,
  KINDS,
  newChannel,
  newSigningKey,
  secretsOf,
} from './channel-form.ts';
import { TargetFields } from './target-fields.tsx';

const NOTHING: ReadonlySet<ChannelField> = new Set();

/** A dialog that changes a channel. `state` is null for a new channel. */
export default function ChannelDialog({ state, onClose }: { state: ChannelState | null; onClose: () => void }) {
  const { t } = useTranslation(['alerting', 'app']);
  const write = useAlertCall('writeAlertChannel');
  const remove = useAlertCall('deleteAlertChannel');
  const before = state?.channel ?? null;
  const [form, setForm] = useState<ChannelForm>(() => (before === null ? newChannel('ntfy') : channelFormOf(before)));
  const [refused, setRefused] = useState(NOTHING);
  const change = (part: Partial<ChannelForm>): void => setForm((kept) => ({ ...kept, ...part }));
  const submit = (): void => {
    const made = channelOf(form, before?.id ?? null);
    setRefused('refused' in made ? made.refused : NOTHING);
    if ('input' in made) write.mutate(made.input, { onSuccess: onClose });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={t(before === null ? 'channel.add' : 'channel.change')}
      onSubmit={submit}
      isPending={write.isPending}
    >
      <NativeSelect
        size="sm"
        label={t('channel.kind')}
        value={form.kind}
        disabled={before !== null}
        onChange={(event) => {
          const kind = event.currentTarget.value as ChannelKindName;
          setForm(({ name, withoutValues }) => ({ ...newChannel(kind), name, withoutValues }));
          setRefused(NOTHING);
        }}
        data={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        data-autofocus
      />
      <Text size="xs" c="dimmed">
        {t(`kindText.${form.kind}`)}
      </Text>
      <TextInput
        size="sm"
        label={t('channel.name')}
        placeholder={t(`kind.${form.kind}`)}
        maxLength={100}
        value={form.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TargetFields form={form} refused={refused} onChange={change} />
      {secretsOf(form.kind).map((name) => (
        <SecretField
          key={`${form.kind} ${name}`}
          label={t(`secret.${name}`)}
          text={t(`secretText.${name}`)}
          isKept={state?.secrets.includes(name) ?? false}
          value={form.secrets[name]}
          wrong={refused.has(name) ? t(`refusedSecret.${name}`) : undefined}
          onChange={(value) => setForm((kept) => ({ ...kept, secrets: withSecret(kept.secrets, name, value) }))}
          action={
            name === 'signingKey' ? (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => change({ secrets: withSecret(form.secrets, name, newSigningKey()) })}
              >
                {t('secret.make')}
              </Button>
            ) : undefined
          }
        />
      ))}
      <TextInput
        size="sm"
        inputMode="numeric"
        label={t('channel.maxPerHour')}
        description={t('channel.maxPerHourText')}
        value={form.maxPerHour}
        error={refused.has('maxPerHour') ? t('refusedTarget.maxPerHour') : undefined}
        onChange={(event) => change({ maxPerHour: event.currentTarget.value })}
      />
      <Switch
        label={t('channel.withoutValues')}
        description={t('channel.withoutValuesText')}
        checked={form.withoutValues}
        onChange={(event) => change({ withoutValues: event.currentTarget.checked })}
      />
      <Switch
        label={t('channel.isOn')}
        checked={form.isOn}
        onChange={(event) => change({ isOn: event.currentTarget.checked })}
      />
      <CallFailed error={write.error ?? remove.error} />
      {before === null ? null : (
        <DeleteTwice
          label={t('channel.delete')}
          isPending={remove.isPending}
          onDelete={() => remove.mutate({ id: before.id }, { onSuccess: onClose })}
        />
      )}
    </FormDialog>
  );
}

function withSecret(
  secrets: ChannelForm['secrets'],
  name: keyof ChannelForm['secrets'],
  value: string | null | undefined,
): ChannelForm['secrets'] {
  const { [name]: _, ...others } = secrets;
  return value === undefined ? others : { ...others, [name]: value };
}
