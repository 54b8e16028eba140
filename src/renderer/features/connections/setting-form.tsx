import { TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input } from '../../../shared/owner-api/contract.ts';
import type { SettingChange, SettingsView } from '../../../shared/owner-api/settings.ts';
import { useSetConnectionSecrets } from '../../api/queries/connections.ts';
import { useSetSettings } from '../../api/queries/settings.ts';
import { Failure } from '../../components/failure.tsx';
import { failureText, useSettingsText } from '../../settings/problem-text.ts';
import classes from './connections.module.css';

type Secrets = Input<'setConnectionSecrets'>;
type SecretName = keyof Secrets & string;

/** The settings of a connection, as texts. */
export type Texts<F extends string> = Readonly<Record<F, string>>;

/** The typed values of a connection: its settings and its secret, which are saved together. */
export interface ConnectionForm<F extends string> {
  readonly texts: Texts<F>;
  readonly isChanged: boolean;
  readonly isSaved: boolean;
  readonly isSaving: boolean;
  /** Why saving failed, in words; null if it did not fail. */
  readonly failure: string | null;
  /** undefined if the saved secret stays, null if it is to be deleted. */
  readonly secret: string | null | undefined;
  type(field: F, text: string): void;
  typeSecret(secret: string | null | undefined): void;
  isPinned(field: F): boolean;
  variableOf(field: F): string;
  /** Saves the typed values, or the given settings. */
  save(change?: SettingChange): void;
}

/** Keeps typed settings and a typed secret until they are saved. `read` converts the text of a setting to its value. */
export function useConnectionForm<F extends keyof SettingsView['settings'] & keyof SettingChange>(
  view: SettingsView,
  secretName: SecretName,
  read: { readonly [Field in F]: (text: string) => SettingChange[Field] },
): ConnectionForm<F> {
  const fields = Object.keys(read) as F[];
  const settingsText = useSettingsText();
  const settings = useSetSettings();
  const secrets = useSetConnectionSecrets();
  const [typed, setTyped] = useState<Partial<Record<F, string>>>({});
  const [secret, setSecret] = useState<string | null | undefined>(undefined);
  const kept = (field: F): string => String(view.settings[field].value ?? '');
  const texts = Object.fromEntries(fields.map((field) => [field, typed[field] ?? kept(field)])) as Record<F, string>;
  const changed = fields.filter((field) => texts[field].trim() !== kept(field));
  const isSecretTyped = secret !== undefined && secret !== '';
  const error = settings.error ?? secrets.error;
  const reset = (): void => {
    settings.reset();
    secrets.reset();
  };
  const done = (): void => {
    setTyped({});
    setSecret(undefined);
  };
  const saveSecret = (): void => {
    if (isSecretTyped) secrets.mutate({ [secretName]: secret } as Secrets, { onSuccess: done });
    else done();
  };
  return {
    texts,
    secret,
    isChanged: changed.length > 0 || isSecretTyped,
    isSaved: (settings.isSuccess || secrets.isSuccess) && changed.length === 0 && !isSecretTyped,
    isSaving: settings.isPending || secrets.isPending,
    failure: error === null ? null : failureText(settingsText, error, view),
    isPinned: (field) => view.settings[field].source === 'environment',
    variableOf: (field) => view.settings[field].variable ?? '',
    type: (field, text) => {
      reset();
      setTyped({ ...typed, [field]: text });
    },
    typeSecret: (next) => {
      reset();
      setSecret(next);
    },
    // The secret is saved last: a password is stored for the broker in the settings.
    save: (change) => {
      reset();
      const all =
        change ??
        (Object.fromEntries(changed.map((field) => [field, read[field](texts[field].trim())])) as SettingChange);
      if (Object.keys(all).length === 0) saveSecret();
      else settings.mutate(all, { onSuccess: change === undefined ? saveSecret : done });
    },
  };
}

interface FieldProps<F extends string> {
  readonly form: ConnectionForm<F>;
  readonly field: F;
  readonly label: string;
  readonly text?: string;
  readonly placeholder?: string;
  /** Why the typed value can't be saved. */
  readonly wrong?: string | undefined;
  readonly isNumber?: boolean;
}

/** A text input for a setting of a connection. */
export function SettingField<F extends string>({
  form,
  field,
  label,
  text,
  placeholder,
  wrong,
  isNumber = false,
}: FieldProps<F>) {
  const settingsText = useSettingsText();
  const isPinned = form.isPinned(field);
  return (
    <TextInput
      size="sm"
      label={label}
      description={isPinned ? settingsText('source.environment', { variable: form.variableOf(field) }) : text}
      placeholder={placeholder ?? ''}
      value={form.texts[field]}
      disabled={isPinned}
      error={wrong}
      inputMode={isNumber ? 'numeric' : 'text'}
      maxLength={isNumber ? 5 : 2000}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      onChange={(event) => form.type(field, event.currentTarget.value)}
    />
  );
}

interface FormProps<F extends string> {
  readonly form: ConnectionForm<F>;
  readonly label: string;
  readonly isWrong: boolean;
  /** Buttons next to the save button. */
  readonly actions?: ReactNode;
  readonly save: ReactNode;
  readonly children: ReactNode;
}

/** The form of a connection: its fields, the save button and the failure. */
export function SettingForm<F extends string>({ form, label, isWrong, actions, save, children }: FormProps<F>) {
  const { t } = useTranslation('connections');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (form.isChanged && !isWrong) form.save();
  };
  return (
    <form onSubmit={submit} className={classes.body} aria-label={label}>
      {children}
      <Failure>{form.failure === null ? null : form.failure}</Failure>
      <div className={classes.actions}>
        {save}
        {actions}
        <span role="status" className={classes.note}>
          {form.isSaved ? t('saved') : ''}
        </span>
      </div>
    </form>
  );
}
