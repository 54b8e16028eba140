import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import i18next from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JournalEntry } from '../../shared/owner-data/journal.ts';
import { isPlain, logKind, OWN_KIND_NAMES } from '../../shared/owner-data/log-kinds.ts';
import { errorCode } from '../api/errors.ts';
import { OwnerOnly, useMe } from '../api/me.tsx';
import { useDeleteEntry, useJournal, useWriteEntry } from '../api/queries/journal.ts';
import { Dialog } from '../components/dialog.tsx';
import type { EntryKind } from './act-form.ts';
import { EntryForm, type NamedDevice } from './entry-form.tsx';
import classes from './log-dialog.module.css';
import { useActWords } from './use-act-words.ts';

// A card of the first page opens the dialog before these texts are loaded.
await i18next.loadNamespaces('journal');

interface Props {
  /** The entry to change; null for a new one. */
  readonly entry: JournalEntry | null;
  /** The kind of a new entry. If it is missing, the dialog asks for it. */
  readonly kind?: EntryKind;
  /** The time of a new entry, in Unix milliseconds. */
  readonly at: number;
  /** A new entry is about the first device. */
  readonly devices: readonly NamedDevice[];
  /** The crop cycle of a group whose entries are of the whole group at first. */
  readonly cycle?: string | undefined;
  readonly onClose: () => void;
}

/**
 * A dialog that writes, changes or deletes an entry. A kind that needs no details is written as soon as it is chosen.
 */
export default function LogDialog({ entry, kind: given, at, devices, cycle, onClose }: Props) {
  const { t } = useTranslation('journal');
  const { role } = useMe();
  // A viewer with permission to log may add entries, but may not change the values that others see.
  const kinds = OWN_KIND_NAMES.filter((each) => role === 'owner' || logKind(each).isCalibration !== true);
  const [kind, setKind] = useState<EntryKind | null>(given ?? null);
  const [changing, setChanging] = useState(entry);
  const [written, setWritten] = useState<JournalEntry | null>(null);
  const device = devices[0]?.id ?? null;
  const earlier = useJournal({ device, from: null, to: null }).data?.entries ?? [];
  const write = useWriteEntry();
  const choose = (chosen: EntryKind): void => {
    // If there are several devices, the owner has to choose one.
    if (chosen === 'note' || devices.length !== 1 || cycle !== undefined || !isPlain(chosen)) setKind(chosen);
    else write.mutate({ id: null, device, at, text: '', act: { kind: chosen } }, { onSuccess: setWritten });
  };
  const isAsking = changing === null && kind === null;
  const name = devices.length === 1 ? devices[0]!.name : null;
  const title = changing !== null ? 'dialog.change' : kind === 'note' ? 'dialog.add' : 'log.title';
  return (
    <Dialog onClose={onClose} title={title === 'log.title' && name !== null ? t('log.titleOf', { name }) : t(title)}>
      {written !== null && changing === null ? (
        <Written entry={written} onChange={() => setChanging(written)} onClose={onClose} />
      ) : isAsking ? (
        <Stack gap="sm">
          <div className={classes.kinds}>
            {([...kinds, 'note'] as const).map((each, index) => (
              <Button
                key={each}
                variant="default"
                size="md"
                px="xs"
                loading={write.isPending && write.variables.act?.kind === each}
                onClick={() => choose(each)}
                data-autofocus={index === 0 || undefined}
              >
                {t(`kind.${each}`)}
              </Button>
            ))}
          </div>
          {write.error === null ? null : <Failure error={write.error} />}
        </Stack>
      ) : (
        <EntryForm
          entry={changing}
          kind={kind ?? 'note'}
          at={at}
          devices={devices}
          cycle={cycle}
          earlier={earlier}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** Confirms the entry that one tap has written, and offers to undo it. */
function Written({
  entry,
  onChange,
  onClose,
}: {
  readonly entry: JournalEntry;
  readonly onChange: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('journal');
  const words = useActWords();
  const remove = useDeleteEntry();
  return (
    <Stack gap="sm">
      <Text role="status">{t('log.written', { what: words(entry) ?? '' })}</Text>
      {remove.error === null ? null : <Failure error={remove.error} />}
      <Group gap="xs" justify="flex-end">
        <OwnerOnly>
          <Button
            variant="default"
            size="sm"
            loading={remove.isPending}
            onClick={() => remove.mutate(entry.id, { onSuccess: onClose })}
          >
            {t('log.undo')}
          </Button>
          <Button variant="default" size="sm" onClick={onChange}>
            {t('log.more')}
          </Button>
        </OwnerOnly>
        <Button size="sm" onClick={onClose} data-autofocus>
          {t('log.done')}
        </Button>
      </Group>
    </Stack>
  );
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation(['journal', 'app']);
  return (
    <Alert variant="light" color="red" p="xs" role="alert">
      {t('dialog.failed')} {t(`app:error.${errorCode(error)}.text`)}
    </Alert>
  );
}
