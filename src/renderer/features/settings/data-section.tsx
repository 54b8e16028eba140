import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsView } from '../../../shared/owner-api/settings.ts';
import { errorCode } from '../../api/errors.ts';
import { useDeleteOldData, useMoveData, useMoves } from '../../api/queries/moving.ts';
import { useSetSettings } from '../../api/queries/settings.ts';
import { Dialog, DialogFooter, FormDialog } from '../../components/dialog.tsx';
import { Failure } from '../../components/failure.tsx';
import { Icon } from '../../components/icon.tsx';
import { useFormat } from '../../format/format.ts';
import { linkTo } from '../../router/router.ts';
import { failureText } from '../../settings/problem-text.ts';
import { isOpen, Row, Section } from './section.tsx';
import classes from './settings.module.css';

const LEVELS = ['full', 'normal'] as const;

/** Chooses whether a reading is confirmed before it is on disk, and explains the risk. */
function DurabilityRow({ view }: { view: SettingsView }) {
  const { t } = useTranslation('settings');
  const save = useSetSettings();
  const { durability } = view.settings;
  return (
    <Row name={t('name.durability')} text={t('text.durability')} setting={durability}>
      <NativeSelect
        size="sm"
        aria-label={t('name.durability')}
        value={durability.value}
        disabled={!isOpen(durability) || save.isPending}
        error={save.isError ? failureText(t, save.error, view) : undefined}
        onChange={(event) => {
          const chosen = LEVELS.find((level) => level === event.currentTarget.value);
          if (chosen !== undefined) save.mutate({ durability: chosen });
        }}
        data={LEVELS.map((level) => ({ value: level, label: t(`durability.${level}`) }))}
      />
    </Row>
  );
}

function MoveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['settings', 'app']);
  const [to, setTo] = useState('');
  const move = useMoveData(onClose);
  const submit = (): void => {
    if (to.trim() !== '') move.mutate(to.trim());
  };
  const problem = move.data ?? null;
  const error = move.isError ? t(`app:error.${errorCode(move.error)}.text`) : problem && t(`moveProblem.${problem}`);
  return (
    <FormDialog
      onClose={onClose}
      title={t('move.title')}
      size="lg"
      onSubmit={submit}
      submit={t('move.start')}
      isPending={move.isPending}
      isDisabled={to.trim() === ''}
    >
      <Text size="sm">{t('move.text')}</Text>
      <Text size="sm">{t('move.pause')}</Text>
      <TextInput
        label={t('move.to')}
        description={t('move.toText')}
        value={to}
        error={error || undefined}
        spellCheck={false}
        autoComplete="off"
        maxLength={4096}
        data-autofocus
        onChange={(event) => {
          setTo(event.currentTarget.value);
          move.reset();
        }}
      />
    </FormDialog>
  );
}

function OldData({ path, bytes }: { path: string; bytes: number }) {
  const { t } = useTranslation(['settings', 'app']);
  const format = useFormat();
  const [isAsking, setAsking] = useState(false);
  const remove = useDeleteOldData(path);
  return (
    <Row name={t('old.name')} text={t('old.text', { size: format.bytes(bytes) })}>
      <Stack gap={6} align="start">
        <span className={classes.path}>{path}</span>
        <Button size="xs" variant="default" onClick={() => setAsking(true)}>
          {t('old.delete')}
        </Button>
      </Stack>
      {isAsking ? (
        <Dialog onClose={() => setAsking(false)} title={t('old.askTitle')}>
          <Text size="sm">{t('old.ask')}</Text>
          <span className={classes.path}>{path}</span>
          <Failure>{remove.isError ? t('old.failed') : null}</Failure>
          <DialogFooter onLeave={() => setAsking(false)} isLeaveFirst>
            <Button size="xs" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
              {t('old.deleteNow')}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </Row>
  );
}

/** Shows the data folder and the settings file, moves the data, and deletes the old copy that a move leaves. */
export function DataSection({ view }: { view: SettingsView }) {
  const { t } = useTranslation(['settings', 'app']);
  const [isMoving, setMoving] = useState(false);
  const { dataDir } = view.settings;
  const { data: moves } = useMoves();
  const move = moves?.move;
  return (
    <Section title={t('section.data')}>
      <Row
        name={t('name.dataDir')}
        text={dataDir.applies ? t('text.dataDir') : t('text.dataDirBrowser')}
        setting={{ ...dataDir, applies: true }}
      >
        <Stack gap={6} align="start">
          <span className={classes.path}>{dataDir.value}</span>
          {dataDir.applies ? (
            <Button size="xs" variant="default" disabled={!isOpen(dataDir)} onClick={() => setMoving(true)}>
              {t('move.button')}
            </Button>
          ) : null}
        </Stack>
      </Row>
      <DurabilityRow view={view} />
      <Row name={t('name.backups')} text={t('text.backups')}>
        <a href={linkTo({ page: 'backups' })}>{t('text.toBackups')}</a>
      </Row>
      <Row name={t('name.export')} text={t('text.export')}>
        <a href={linkTo({ page: 'export' })}>{t('text.toExport')}</a>
      </Row>
      {move?.phase === 'done' ? (
        <div role="status" className={classes.row} data-wide>
          <p className={classes.name}>
            <Icon name="check" />
            {t('move.done')}
          </p>
        </div>
      ) : null}
      {move?.phase === 'failed' ? (
        <div role="alert" className={classes.row} data-wide>
          <div className={classes.warning}>
            <Icon name="alert" size={18} />
            <div>
              <p>
                <strong>{t('move.failed')}</strong>
              </p>
              <p>{t(`moveProblem.${move.problem}`)}</p>
            </div>
          </div>
        </div>
      ) : null}
      {moves?.oldData.map((old) => (
        <OldData key={old.path} {...old} />
      ))}
      <Row name={t('name.file')} text={t('text.file')}>
        <span className={classes.path}>{view.file.path}</span>
      </Row>
      {isMoving ? <MoveDialog onClose={() => setMoving(false)} /> : null}
    </Section>
  );
}
