import { Button, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PortProblem, StartProblem } from '../../../shared/node-state.ts';
import { useBackups } from '../../api/queries/backups.ts';
import { useSetSettings, useSettings } from '../../api/queries/settings.ts';
import { useFormat } from '../../format/format.ts';
import { DiagnosticsButton } from '../../settings/diagnostics-button.tsx';
import { numberOf } from '../../settings/endpoint-form.ts';
import { failureText, holderText, useSettingsText } from '../../settings/problem-text.ts';
import { UndoRestore } from '../../settings/undo-restore.tsx';
import { FolderFailure, OtherFolder } from './folder-failure.tsx';
import classes from './startup.module.css';
import { RetryButton, StartupFrame } from './startup-frame.tsx';

function PortForm({ problem }: { problem: PortProblem }) {
  const { t } = useTranslation('startup');
  const ts = useSettingsText();
  const save = useSetSettings();
  const { data: view } = useSettings();
  const { listener, port } = problem;
  const setting = view?.settings[listener === 'local' ? 'localPort' : 'publicPort'];
  const isPinned = setting?.source === 'environment';
  const isPublicPinned = view?.settings.publicEnabled.source === 'environment';
  const [text, setText] = useState(String(Math.max(port, 1023) + 10));
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const value = numberOf(text, 1, 65_535);
    setWrong(value === null);
    if (value !== null) save.mutate(listener === 'local' ? { localPort: value } : { publicPort: value });
  };
  const error = isWrong ? t('port.wrong') : save.isError ? failureText(ts, save.error, view) : undefined;
  return (
    <form onSubmit={submit}>
      {isPinned ? (
        <p>{ts('problem.pinned', { variable: setting.variable ?? '' })}</p>
      ) : (
        <TextInput
          label={t(`port.label.${listener}`)}
          description={t('port.tunnel')}
          inputMode="numeric"
          maxLength={6}
          value={text}
          error={error}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
            save.reset();
          }}
        />
      )}
      <div className={classes.actions} style={{ marginTop: 14 }}>
        {isPinned ? null : (
          <Button size="sm" type="submit" loading={save.isPending}>
            {t('port.use')}
          </Button>
        )}
        <RetryButton />
        {listener === 'public' && !isPublicPinned ? (
          <Button size="sm" variant="subtle" onClick={() => save.mutate({ publicEnabled: false })}>
            {t('port.withoutPublic')}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** Explains why the node did not start, and what the owner can do about it here. */
export default function FailurePage({ problem }: { problem: StartProblem }) {
  const { t } = useTranslation('startup');
  const ts = useSettingsText();
  if (problem.kind === 'other' || problem.kind === 'slow') {
    const isSlow = problem.kind === 'slow';
    return (
      <StartupFrame>
        <Title order={1} size="h3">
          {isSlow ? t('slow.title') : t('other.title')}
        </Title>
        <p>{isSlow ? t('slow.text') : t('other.text')}</p>
        <p className={classes.said} lang="en" role="alert">
          {problem.message}
        </p>
        <RestoredData />
        <p className={classes.advice}>{t('devices')}</p>
        <div className={classes.actions}>
          {isSlow ? null : <RetryButton />}
          <DiagnosticsButton label={ts('diagnostics.name')} size="sm" />
        </div>
        {isSlow ? null : <OtherFolder />}
      </StartupFrame>
    );
  }
  if (problem.kind === 'folder') {
    return (
      <StartupFrame>
        <FolderFailure key={`${problem.reason} ${problem.path}`} problem={problem} />
        <RestoredData />
      </StartupFrame>
    );
  }
  const { port, reason, listener } = problem;
  return (
    <StartupFrame>
      <Title order={1} size="h3">
        {t('port.title', { port })}
      </Title>
      <p role="alert">
        {reason === 'taken'
          ? `${t(`port.taken.${listener}`, { holder: holderText(ts, problem.holder) })} ${t('port.end')}`
          : t(`port.${reason}`)}
      </p>
      <PortForm key={`${listener} ${port}`} problem={problem} />
      <RestoredData />
      <p className={classes.advice}>{t('devices')}</p>
    </StartupFrame>
  );
}

/** After a restore, offers to put back the previous data. This never happens automatically. */
function RestoredData() {
  const { t } = useTranslation('startup');
  const format = useFormat();
  const { data: view } = useBackups();
  if (view === undefined || view.restored === null || view.kept === null) return null;
  const { restoredAt, madeAt } = view.restored;
  return (
    <section aria-label={t('restored.label')}>
      <p style={{ marginBottom: 10 }}>
        {t('restored.text', {
          at: format.dateTime(Date.parse(restoredAt)),
          madeAt: format.dateTime(Date.parse(madeAt)),
        })}
      </p>
      <UndoRestore path={view.kept.path} isBusy={view.work !== null} />
    </section>
  );
}
