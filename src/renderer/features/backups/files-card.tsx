import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BackupFile, BackupsView } from '../../../shared/owner-api/backups.ts';
import { useBackupFile, useBackupsIn, useOtherBackups } from '../../api/queries/backups.ts';
import { useFaultText } from '../../backups/fault-text.ts';
import { Card } from '../../components/layout/card.tsx';
import { useFormat } from '../../format/format.ts';
import classes from './backups.module.css';
import { OpenDialog } from './open-dialog.tsx';

type Chosen = Pick<BackupFile, 'path' | 'encryption'>;
type Opened = { readonly kind: 'check' | 'restore'; readonly file: Chosen };

/**
 * Lists the backups in the folders known to the node and lets the owner check or restore each, or any other by its
 * path.
 */
export function FilesCard({ view: { files, plan, work } }: { view: BackupsView }) {
  const { t } = useTranslation('backups');
  const [opened, setOpened] = useState<Opened | null>(null);
  const others = useOtherBackups().data ?? [];
  const isBusy = work !== null;
  return (
    <Card title={t('files.title')}>
      <p className={classes.note}>{t('files.text')}</p>
      {files.length === 0 && plan.folder !== null ? <p>{t('files.none')}</p> : null}
      <Files files={files} isBusy={isBusy} onChoose={setOpened} />
      {others
        .filter((folder) => folder.files.length > 0)
        .map((folder) => (
          <section key={folder.path} aria-label={folder.path}>
            <h3 className={classes.folder}>
              {t('files.in')} <bdi className={classes.path}>{folder.path}</bdi>
            </h3>
            <Files files={folder.files} isBusy={isBusy} onChoose={setOpened} />
          </section>
        ))}
      <OtherFile isBusy={isBusy} onChoose={setOpened} />
      {opened === null ? null : <OpenDialog {...opened} onClose={() => setOpened(null)} />}
    </Card>
  );
}

interface FilesProps {
  readonly files: readonly BackupFile[];
  readonly isBusy: boolean;
  readonly onChoose: (opened: Opened) => void;
}

function Files({ files, isBusy, onChoose }: FilesProps) {
  const { t } = useTranslation('backups');
  const format = useFormat();
  return (
    <ul className={classes.files}>
      {files.map((file) => (
        <li key={file.path}>
          <div>
            <strong>{format.dateTime(file.madeAt)}</strong>{' '}
            <span className={classes.note}>
              {format.bytes(file.bytes)}, {t(`encryption.${file.encryption}`)}
              {file.isBefore ? `, ${t('files.before')}` : ''}
              {file.isVerified ? '' : `, ${t('files.unverified')}`}
            </span>
            <div className={classes.path}>{file.name}</div>
          </div>
          <Choices isBusy={isBusy} onChoose={(kind) => onChoose({ kind, file })} />
        </li>
      ))}
    </ul>
  );
}

function Choices({ isBusy, onChoose }: { isBusy: boolean; onChoose: (kind: Opened['kind']) => void }) {
  const { t } = useTranslation('backups');
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => onChoose('check')}>
        {t('check.button')}
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => onChoose('restore')}>
        {t('restore.button')}
      </Button>
    </Group>
  );
}

function OtherFile({ isBusy, onChoose }: { isBusy: boolean; onChoose: (opened: Opened) => void }) {
  const { t } = useTranslation('backups');
  const { ofError } = useFaultText();
  const [path, setPath] = useState('');
  const look = useBackupFile();
  const list = useBackupsIn();
  const choose = (kind: Opened['kind']) => {
    if (path.trim() === '') return;
    const found = { path: path.trim() };
    const asFile = () =>
      look.mutate(found.path, { onSuccess: (encryption) => onChoose({ kind, file: { ...found, encryption } }) });
    // The files of a folder are listed below.
    list.mutate(found.path, { onSuccess: (files) => (files === null ? asFile() : undefined), onError: asFile });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    choose('check');
  };
  return (
    <>
      <form onSubmit={submit} className={classes.other}>
        <TextInput
          className={classes.otherPath}
          label={t('files.other')}
          description={t('files.otherText')}
          spellCheck={false}
          autoComplete="off"
          maxLength={4096}
          value={path}
          error={look.isError ? ofError(look.error) : undefined}
          onChange={(event) => {
            setPath(event.currentTarget.value);
            look.reset();
            list.reset();
          }}
        />
        <Choices isBusy={isBusy || path.trim() === '' || look.isPending || list.isPending} onChoose={choose} />
      </form>
      {list.data == null ? null : list.data.length === 0 ? (
        <p role="status">{t('files.none')}</p>
      ) : (
        <Files files={list.data} isBusy={isBusy} onChoose={onChoose} />
      )}
    </>
  );
}
