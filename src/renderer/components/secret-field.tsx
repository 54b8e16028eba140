import { Button, Group, Input, PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './icon.tsx';
import classes from './secret-field.module.css';

interface Props {
  readonly label: string;
  readonly text: string;
  /** Whether a value is kept. The node never returns it. */
  readonly isKept: boolean;
  /** Says where else the value is set, so that it can't be changed here; null if it can. */
  readonly setElsewhere?: string | null;
  /** The typed text. undefined: the kept value does not change. null: it is deleted. */
  readonly value: string | null | undefined;
  readonly wrong?: string | undefined;
  readonly onChange: (value: string | null | undefined) => void;
  /** More actions for the field. */
  readonly action?: ReactNode;
}

/** The input of a secret. It is typed once and never shown again. A kept secret can be replaced or removed. */
export function SecretField({ label, text, isKept, setElsewhere = null, value, wrong, onChange, action }: Props) {
  const { t } = useTranslation('app');
  if (setElsewhere !== null || (isKept && (value === undefined || value === null))) {
    return (
      <div>
        <Input.Label component="div" size="sm">
          {label}
        </Input.Label>
        <Group gap="xs">
          <span className={classes.kept}>
            <Icon name={value === null ? 'close' : 'check'} size={14} />
            {setElsewhere ?? t(value === null ? 'secret.goes' : 'secret.isSet')}
          </span>
          {setElsewhere !== null ? null : (
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
        {isKept ? (
          <Button size="compact-xs" variant="default" onClick={() => onChange(undefined)}>
            {t('secret.keep')}
          </Button>
        ) : null}
      </Group>
    </div>
  );
}
