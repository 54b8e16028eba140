import { Button, Group, Input, PasswordInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChannelSecret } from '../../../shared/alerts/channel.ts';
import { Icon } from '../../components/icon.tsx';
import { newSigningKey } from './channel-form.ts';
import classes from './channels.module.css';

interface Props {
  readonly name: ChannelSecret;
  /** Whether one is kept; it never comes back here. */
  readonly isSet: boolean;
  /** undefined if the kept value stays, null if it is deleted. */
  readonly value: string | null | undefined;
  readonly isRefused: boolean;
  readonly onChange: (value: string | null | undefined) => void;
}

/** A secret of a channel: typed once and never shown again; one that is kept can be replaced or taken away. */
export function SecretField({ name, isSet, value, isRefused, onChange }: Props) {
  const { t } = useTranslation('alerting');
  const label = t(`secret.${name}`);
  if (isSet && (value === undefined || value === null)) {
    return (
      <div>
        <Input.Label component="div" size="sm">
          {label}
        </Input.Label>
        <Group gap="xs">
          <span className={classes.kept}>
            <Icon name={value === null ? 'close' : 'check'} size={14} />
            {t(value === null ? 'secret.goes' : 'secret.isSet')}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => onChange(value === null ? undefined : '')}>
            {t(value === null ? 'secret.keep' : 'secret.replace')}
          </Button>
          {value === null ? null : (
            <Button size="compact-xs" variant="default" onClick={() => onChange(null)}>
              {t('secret.remove')}
            </Button>
          )}
        </Group>
      </div>
    );
  }
  return (
    <div>
      <PasswordInput
        size="sm"
        label={label}
        description={t(`secretText.${name}`)}
        autoComplete="new-password"
        spellCheck={false}
        maxLength={1000}
        visibilityToggleButtonProps={{ 'aria-label': t('secret.show') }}
        value={value ?? ''}
        error={isRefused ? t(`refusedSecret.${name}`) : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs" mt={4}>
        {name === 'signingKey' ? (
          <Button size="compact-xs" variant="default" onClick={() => onChange(newSigningKey())}>
            {t('secret.make')}
          </Button>
        ) : null}
        {isSet ? (
          <Button size="compact-xs" variant="default" onClick={() => onChange(undefined)}>
            {t('secret.keep')}
          </Button>
        ) : null}
      </Group>
    </div>
  );
}
