import { NativeSelect, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AlertOptions, commonOptions } from '../../../../shared/alerts/channel.ts';
import { LANGUAGES } from '../../../../shared/texts/languages.ts';
import { useAlertOptions, useSetAlertOptions } from '../../../api/queries/alerts.ts';
import { ErrorState, PageLoading } from '../../../components/states.tsx';
import classes from '../alerts.module.css';
import optionClasses from './options-card.module.css';
import { OptionsCard } from './options-card.tsx';

/** Edits the options for all messages: quiet hours, the base of links, and the language. */
export function OptionsSection() {
  const { data, error, refetch } = useAlertOptions();
  // Called outside the form, because the form is remounted when the saved options change.
  const save = useSetAlertOptions();
  if (data === undefined) {
    return error === null ? <PageLoading /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return <OptionsForm key={JSON.stringify(data)} options={data} save={save} />;
}

const USUAL_QUIET = { from: '22:00', to: '07:00' };

interface FormProps {
  readonly options: AlertOptions;
  readonly save: ReturnType<typeof useSetAlertOptions>;
}

function OptionsForm({ options, save }: FormProps) {
  const { t } = useTranslation(['alerting', 'app']);
  const [isQuiet, setQuiet] = useState(options.quietHours !== null);
  const [hours, setHours] = useState(options.quietHours ?? USUAL_QUIET);
  const [linkBase, setLinkBase] = useState(options.linkBase ?? '');
  const [language, setLanguage] = useState<string>(options.language ?? '');
  const [refused, setRefused] = useState<ReadonlySet<PropertyKey>>(new Set());
  const submit = (): void => {
    const checked = commonOptions.safeParse({
      quietHours: isQuiet ? hours : null,
      linkBase: linkBase.trim() === '' ? null : linkBase.trim(),
      language: language === '' ? null : language,
    });
    setRefused(new Set(checked.error?.issues.map(({ path }) => path[0]!)));
    if (checked.success) save.mutate(checked.data);
  };
  return (
    <div className={classes.panel}>
      <OptionsCard title={t('tab.options')} save={save} onSubmit={submit}>
        <Switch
          label={t('options.quiet')}
          description={t('options.quietText')}
          checked={isQuiet}
          onChange={(event) => setQuiet(event.currentTarget.checked)}
        />
        {isQuiet ? (
          <div className={optionClasses.hours}>
            {(['from', 'to'] as const).map((end) => (
              <TextInput
                key={end}
                type="time"
                size="sm"
                label={t(`options.${end}`)}
                value={hours[end]}
                error={end === 'to' && refused.has('quietHours') ? t('options.quietRefused') : undefined}
                onChange={(event) => setHours({ ...hours, [end]: event.currentTarget.value })}
              />
            ))}
          </div>
        ) : null}
        <TextInput
          size="sm"
          label={t('options.link')}
          description={t('options.linkText')}
          placeholder="https://"
          maxLength={2000}
          spellCheck={false}
          autoComplete="off"
          value={linkBase}
          error={refused.has('linkBase') ? t('options.linkRefused') : undefined}
          onChange={(event) => setLinkBase(event.currentTarget.value)}
        />
        <NativeSelect
          size="sm"
          label={t('options.language')}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
          data={[
            { value: '', label: t('options.languageAuto') },
            ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          ]}
        />
      </OptionsCard>
    </div>
  );
}
