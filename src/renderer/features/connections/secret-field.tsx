import { Button, Group, Input, PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connections } from '../../../shared/owner-api/connections.ts';
import { Icon } from '../../components/icon.tsx';
import { useSettingsText } from '../../settings/problem-text.ts';
import classes from './connections.module.css';

interface Props {
  readonly label: string;
  readonly text: string;
  readonly source: Connections['mqttPassword']['source'];
  /** The environment variable that may set it. */
  readonly variable: string;
  /** undefined if the kept value stays, null if it is deleted. */
  readonly value: string | null | undefined;
  readonly wrong?: string | undefined;
  readonly onChange: (value: string | null | undefined) => void;
  /** The further actions on the field. */
  readonly action?: ReactNode;
}

/** A secret of a connection: typed once and never shown again; one that is kept can be replaced or removed. */
export function SecretField({ label, text, source, variable, value, wrong, onChange, action }: Props) {
  const { t } = useTranslation('connections');
  const settingsText = useSettingsText();
  if (source === 'environment' || (source === 'page' && (value === undefined || value === null))) {
    return (
      <div>
        <Input.Label component="div" size="sm">
          {label}
        </Input.Label>
        <Group gap="xs">
          <span className={classes.kept}>
            <Icon name={value === null ? 'close' : 'check'} size={14} />
            {source === 'environment'
              ? settingsText('source.environment', { variable })
              : t(value === null ? 'secret.goes' : 'secret.isSet')}
          </span>
          {source === 'environment' ? null : (
            <>
              <Button size="compact-xs" variant="default" onClick={() => onChange(value === null ? undefined : '')}>
                {t(value === null ? 'secret.keep' : 'secret.replace')}
              </Button>
              {value === null ? null : (
                <Button size="compact-xs" variant="default" onClick={() => onChange(null)}>
                  {t('secret.remove')}
                </Button>
              )}
            </>
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
        description={text}
        autoComplete="new-password"
        spellCheck={false}
        maxLength={1000}
        visibilityToggleButtonProps={{ 'aria-label': t('secret.show') }}
        value={value ?? ''}
        error={wrong}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs" mt={4}>
        {action}
        {source === 'page' ? (
          <Button size="compact-xs" variant="default" onClick={() => onChange(undefined)}>
            {t('secret.keep')}
          </Button>
        ) : null}
      </Group>
    </div>
  );
}
