import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupsView } from '../../shared/owner-api/backups.ts';
import { useCare } from '../api/queries/backups.ts';
import { Failure } from '../components/failure.tsx';
import { Card } from '../components/layout/card.tsx';
import { PassphraseInput } from '../keys/inputs/passphrase.tsx';
import { useAction } from '../keys/parts/use-action.ts';
import { backupKeyOf } from '../keys/session/backup-key.ts';
import { KeySessionError } from '../keys/types.ts';
import { numberOf } from '../settings/endpoint-form.ts';
import { useFaultText } from './fault-text.ts';
import classes from './plan.module.css';

const KEEPS = ['keepDaily', 'keepWeekly', 'keepMonthly'] as const;
const MOST_KEPT = 1000;

/** A form for the folder, time, number and encryption key of the backups. */
export function PlanCard({ view: { plan, pinned } }: { view: BackupsView }) {
  const { t } = useTranslation('backups');
  const { ofError } = useFaultText();
  const save = useCare('planBackups');
  const action = useAction();
  const phrase = useRef<HTMLInputElement>(null);
  const [folder, setFolder] = useState(plan.folder ?? '');
  const [time, setTime] = useState(plan.time);
  const [keep, setKeep] = useState(KEEPS.map((name) => String(plan[name])));
  const [lock, setLock] = useState<'kept' | 'phrase' | 'none'>(
    plan.recipient !== null ? 'kept' : plan.folder === null ? 'phrase' : 'none',
  );
  const [isRefused, setRefused] = useState(false);
  const isPinned = (name: (typeof pinned)[number]) => pinned.includes(name);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const counts = keep.map((text) => numberOf(text, 0, MOST_KEPT));
    const isTime = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/.test(time);
    setRefused(counts.includes(null) || !isTime);
    if (counts.includes(null) || !isTime) return;
    const [keepDaily, keepWeekly, keepMonthly] = counts as [number, number, number];
    action.run(async () => {
      const recipient = lock === 'kept' ? plan.recipient : lock === 'none' ? null : await typedRecipient();
      await save.mutateAsync({ folder: folder.trim() || null, recipient, time, keepDaily, keepWeekly, keepMonthly });
    });
  };
  const typedRecipient = async (): Promise<string> => {
    if (!isSecureContext) throw new KeySessionError('insecure');
    return (await backupKeyOf(phrase.current?.value ?? '')).recipient;
  };
  return (
    <Card title={t('plan.title')}>
      <form onSubmit={submit} aria-label={t('plan.title')}>
        <Stack gap="sm">
          <TextInput
            label={t('plan.folder')}
            description={isPinned('folder') ? t('plan.pinned') : t('plan.folderText')}
            placeholder="/media/usb/wellhouse"
            spellCheck={false}
            autoComplete="off"
            maxLength={4096}
            disabled={isPinned('folder')}
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
          <Radio.Group
            label={t('plan.encryption')}
            description={isPinned('recipient') ? t('plan.pinned') : t('plan.encryptionText')}
            value={lock}
            onChange={(value) => setLock(value as typeof lock)}
          >
            <Stack gap={6} mt={8}>
              {plan.recipient === null ? null : (
                <Radio
                  value="kept"
                  label={t('plan.kept')}
                  description={<span className={classes.path}>{plan.recipient}</span>}
                />
              )}
              <Radio
                value="phrase"
                label={t(plan.recipient === null ? 'plan.phrase' : 'plan.otherPhrase')}
                description={t('plan.phraseText')}
                disabled={isPinned('recipient')}
              />
              <Radio
                value="none"
                label={t('plan.none')}
                description={t('plan.noneText')}
                disabled={isPinned('recipient')}
              />
            </Stack>
          </Radio.Group>
          {lock === 'phrase' ? <PassphraseInput ref={phrase} label={t('key.phrase')} /> : null}
          {lock === 'none' ? (
            <p className={classes.warning} role="status">
              {t('plan.noneWarning')} {t('plan.noneInstead')}
            </p>
          ) : null}
          <div className={classes.numbers}>
            <TextInput
              label={t('plan.time')}
              type="time"
              required
              withAsterisk={false}
              disabled={isPinned('time')}
              value={time}
              onChange={(event) => setTime(event.currentTarget.value)}
            />
            {KEEPS.map((name, index) => (
              <TextInput
                key={name}
                label={t(`plan.${name}`)}
                inputMode="numeric"
                maxLength={4}
                disabled={isPinned(name)}
                value={keep[index]}
                onChange={(event) => setKeep(keep.with(index, event.currentTarget.value))}
              />
            ))}
          </div>
          <Failure>{isRefused ? t('plan.refused') : null}</Failure>
          <Failure>{action.error === null ? null : ofError(action.error)}</Failure>
          <div>
            <Button type="submit" size="xs" loading={action.isRunning}>
              {t('plan.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
