import { Button, Group, NativeSelect, Popover, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comparison } from '../../../../shared/owner-data/choices.ts';
import { useMe } from '../../../api/me.tsx';
import { useOwnerChoices, useSetOwnerChoices } from '../../../api/queries/choices.ts';
import { CallFailure } from '../../../components/failure.tsx';
import { Icon } from '../../../components/icon.tsx';
import { newId } from '../../../new-id.ts';

const LONGEST_NAME = 100;

interface Props {
  /** The comparison on the page, as it would be saved. */
  readonly shown: Pick<Comparison, 'lines' | 'range'>;
  /** The id of the opened comparison; null if no saved one is open. */
  readonly openedId: string | null;
  readonly onOpen: (comparison: Comparison | null) => void;
}

/** Saves the comparison under a name, and opens saved ones. */
export function SavedBar({ shown, openedId, onOpen }: Props) {
  const { t } = useTranslation(['compare', 'app']);
  const { comparisons } = useOwnerChoices();
  const save = useSetOwnerChoices();
  const isOwner = useMe().role === 'owner';
  const [isDeleting, setDeleting] = useState<string | null>(null);
  const opened = comparisons.find(({ id }) => id === openedId) ?? null;
  const isChanged =
    opened !== null && (JSON.stringify(opened.lines) !== JSON.stringify(shown.lines) || opened.range !== shown.range);
  const keep = (next: Comparison): void => {
    save.mutate(({ comparisons: kept }) => {
      const isKnown = kept.some(({ id }) => id === next.id);
      return { comparisons: isKnown ? kept.map((each) => (each.id === next.id ? next : each)) : [...kept, next] };
    });
    onOpen(next);
  };
  const remove = (id: string): void => {
    if (isDeleting !== id) {
      setDeleting(id);
      return;
    }
    setDeleting(null);
    save.mutate(({ comparisons: kept }) => ({ comparisons: kept.filter((each) => each.id !== id) }));
    onOpen(null);
  };
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={t('saved.label')}>
      {comparisons.length === 0 ? null : (
        <NativeSelect
          size="xs"
          label={t('saved.open')}
          value={opened?.id ?? ''}
          onChange={(event) => onOpen(comparisons.find(({ id }) => id === event.currentTarget.value) ?? null)}
          data={[
            { value: '', label: t('saved.none') },
            ...comparisons.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {opened !== null && isChanged && isOwner ? (
        <Button variant="default" size="xs" onClick={() => keep({ ...opened, ...shown })}>
          {t('saved.change')}
        </Button>
      ) : null}
      {opened === null || !isOwner ? null : (
        <NameForm
          label={t('saved.rename')}
          action={t('saved.renameAction')}
          initial={opened.name}
          isDisabled={false}
          onName={(name) => keep({ ...opened, name })}
        />
      )}
      {isOwner ? (
        <NameForm
          label={t('saved.add')}
          action={t('saved.addAction')}
          initial=""
          isDisabled={shown.lines.length === 0}
          onName={(name) => keep({ id: newId(), name, ...shown })}
        />
      ) : null}
      {opened === null || !isOwner ? null : (
        <Button
          variant={isDeleting === opened.id ? 'filled' : 'default'}
          color="red"
          size="xs"
          leftSection={<Icon name="trash" size={14} />}
          onClick={() => remove(opened.id)}
        >
          {t(isDeleting === opened.id ? 'saved.deleteSure' : 'saved.delete')}
        </Button>
      )}
      <CallFailure error={save.error} lead={t('saved.failed')} />
    </Group>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly action: string;
  readonly initial: string;
  readonly isDisabled: boolean;
  readonly onName: (name: string) => void;
}

/** A button that asks for a name. */
function NameForm({ label, action, initial, isDisabled, onName }: NameFormProps) {
  const { t } = useTranslation('compare');
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    onName(name.trim());
    setOpen(false);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          disabled={isDisabled}
          onClick={() => {
            setName(initial);
            setOpen(!isOpen);
          }}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              size="xs"
              label={t('saved.name')}
              maxLength={LONGEST_NAME}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <Button type="submit" size="xs">
              {action}
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
