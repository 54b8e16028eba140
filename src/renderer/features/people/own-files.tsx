import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingChange, SettingsView } from '../../../shared/owner-api/settings.ts';
import { useSetSettings } from '../../api/queries/settings.ts';
import { Failure } from '../../components/failure.tsx';
import { numberOf } from '../../settings/endpoint-form.ts';
import { failureText, useSettingsText } from '../../settings/problem-text.ts';
import classes from './people.module.css';

const FIELDS = ['doorPort', 'doorCert', 'doorKey'] as const;
type Field = (typeof FIELDS)[number];

/** Edits the door's port and the files of the owner's own certificate. Each takes effect when it is saved. */
export function OwnFiles({ view }: { view: SettingsView }) {
  const { t } = useTranslation('door');
  const settingsText = useSettingsText();
  const save = useSetSettings();
  const [edited, setEdited] = useState<Partial<Record<Field, string>>>({});
  const { settings } = view;
  const kept = (field: Field): string => String(settings[field].value ?? '');
  const typed = (field: Field): string => (edited[field] ?? kept(field)).trim();
  const changed = FIELDS.filter((field) => typed(field) !== kept(field));
  const port = numberOf(typed('doorPort'), 1, 65_535);
  const isPortWrong = port === null && changed.includes('doorPort');
  const isOneMissing =
    changed.some((field) => field !== 'doorPort') && (typed('doorCert') === '') !== (typed('doorKey') === '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPortWrong || isOneMissing || changed.length === 0) return;
    const change: SettingChange = {};
    for (const field of changed) {
      if (field === 'doorPort') change.doorPort = port!;
      else change[field] = typed(field) === '' ? null : typed(field);
    }
    save.mutate(change, { onSuccess: () => setEdited({}) });
  };
  const input = (field: Field, error: string | undefined) => {
    const { source, variable } = settings[field];
    const isPinned = source === 'environment';
    return (
      <TextInput
        size="sm"
        {...(field === 'doorPort' ? { className: classes.port ?? '' } : {})}
        label={t(`own.${field}`)}
        description={
          isPinned ? settingsText('source.environment', { variable: variable ?? '' }) : t(`own.${field}Text`)
        }
        value={edited[field] ?? kept(field)}
        disabled={isPinned}
        error={error}
        inputMode={field === 'doorPort' ? 'numeric' : 'text'}
        maxLength={field === 'doorPort' ? 5 : 2000}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          save.reset();
          setEdited({ ...edited, [field]: event.currentTarget.value });
        }}
      />
    );
  };
  return (
    <form onSubmit={submit} className={classes.body} aria-label={t('certificate.title')}>
      {input('doorPort', isPortWrong ? t('own.noPort') : undefined)}
      {input('doorCert', undefined)}
      {input('doorKey', isOneMissing ? t('own.both') : undefined)}
      <Failure>{save.error === null ? null : failureText(settingsText, save.error, view)}</Failure>
      <div className={classes.form}>
        <Button
          type="submit"
          size="xs"
          disabled={changed.length === 0 || isPortWrong || isOneMissing}
          loading={save.isPending}
        >
          {t('own.save')}
        </Button>
        <span role="status" className={classes.note}>
          {save.isSuccess && changed.length === 0 ? t('own.saved') : ''}
        </span>
      </div>
    </form>
  );
}
