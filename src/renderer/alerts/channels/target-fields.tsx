import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isPlainBeyondLan } from '../../../shared/alerts/lan.ts';
import { Icon } from '../../components/icon.tsx';
import type { ChannelField, ChannelForm, TargetTexts } from './channel-form.ts';
import classes from './channels.module.css';

interface Props {
  readonly form: ChannelForm;
  readonly refused: ReadonlySet<ChannelField>;
  readonly onChange: (part: Partial<TargetTexts>) => void;
}

const PORTS = { tls: '465', starttls: '587', none: '25' } as const;

/** The inputs for a channel's destination; they depend on its kind. */
export function TargetFields({ form, refused, onChange }: Props) {
  const { t } = useTranslation('alerting');
  const input = (field: Exclude<keyof TargetTexts, 'security'>, hint?: string) => (
    <TextInput
      size="sm"
      label={t(`target.${field}`)}
      placeholder={hint}
      maxLength={2000}
      autoComplete="off"
      spellCheck={false}
      value={form[field]}
      error={refused.has(field) ? t(`refusedTarget.${field}`) : undefined}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  );
  switch (form.kind) {
    case 'ntfy':
      return (
        <>
          {input('server')}
          <PlainWarning address={form.server} />
          {input('topic')}
        </>
      );
    case 'webhook':
      return (
        <>
          {input('url', 'https://')}
          <PlainWarning address={form.url} />
        </>
      );
    case 'telegram':
      return (
        <>
          {input('chat', '-1001234567890')}
          {input('server')}
          <PlainWarning address={form.server} />
        </>
      );
    case 'email':
      return (
        <>
          <Group gap="sm" grow align="start">
            {input('host', 'mail.example.org')}
            {input('port')}
          </Group>
          <NativeSelect
            size="sm"
            label={t('target.security')}
            value={form.security}
            onChange={(event) => {
              const security = event.currentTarget.value as TargetTexts['security'];
              // Changes the port to the usual one of the new security, unless the owner typed another port.
              onChange({ security, ...(form.port === PORTS[form.security] ? { port: PORTS[security] } : {}) });
            }}
            data={(['tls', 'starttls', 'none'] as const).map((value) => ({ value, label: t(`security.${value}`) }))}
          />
          {input('user')}
          {input('from', 'wellhouse@example.org')}
          {input('to', 'me@example.org')}
        </>
      );
    case 'desktop':
      return null;
  }
}

/** Warns if messages to the typed address could be read on their way. */
function PlainWarning({ address }: { address: string }) {
  const { t } = useTranslation('alerting');
  if (!URL.canParse(address.trim()) || !isPlainBeyondLan(new URL(address.trim()))) return null;
  return (
    <span className={classes.warning} role="status">
      <Icon name="alert" size={14} />
      {t('channel.plain')}
    </span>
  );
}
