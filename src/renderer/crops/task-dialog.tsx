import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { logKind, OWN_KIND_NAMES } from '../../shared/owner-data/log-kinds.ts';
import type { Task } from '../../shared/owner-data/tasks.ts';
import { useTaskCall } from '../api/queries/tasks.ts';
import { FormDialog } from '../components/dialog.tsx';
import { CallFailure } from '../components/failure.tsx';
import { ActFields } from '../journal/act-fields.tsx';
import { actOf, formOf } from '../journal/act-form.ts';
import type { NamedDevice } from '../journal/entry-form.tsx';
import { useToday } from './use-days.ts';

/** The kinds of entry that a task may write. A calibration is not one, as its values can’t be known in advance. */
const PLANNED = OWN_KIND_NAMES.filter((name) => logKind(name).isCalibration !== true);

interface Props {
  /** The task to change; null for a new one. */
  readonly task: Task | null;
  readonly devices: readonly NamedDevice[];
  readonly onClose: () => void;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const MAX_DAYS = 1000;

/** A dialog that writes, postpones, skips or deletes a task. */
export function TaskDialog({ task, devices, onClose }: Props) {
  const { t } = useTranslation(['crops', 'journal', 'app']);
  const today = useToday();
  const write = useTaskCall('writeTask');
  const remove = useTaskCall('deleteTask');
  const postpone = useTaskCall('postponeTask');
  const [title, setTitle] = useState(task?.title ?? '');
  const [form, setForm] = useState(() =>
    formOf(task === null ? 'solutionChanged' : (task.act?.kind ?? 'note'), task?.act),
  );
  const [device, setDevice] = useState(task === null ? (devices[0]?.id ?? '') : (task.device ?? ''));
  const [every, setEvery] = useState(task === null ? '14' : (task.everyDays?.toString() ?? ''));
  const [due, setDue] = useState(task?.due ?? today);
  const [isTried, setTried] = useState(false);
  const acted = actOf(form);
  const days = every.trim() === '' ? null : Number(every);
  const isRhythm = days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS);
  const needsTitle = form.kind === 'note' || logKind(form.kind).needsText === true;
  const lacksTitle = needsTitle && title.trim() === '';
  const failed = write.error ?? remove.error ?? postpone.error;
  const submit = (): void => {
    setTried(true);
    if (lacksTitle || !isRhythm || !DAY.test(due) || !('act' in acted)) return;
    const { act } = acted;
    const written = { id: task?.id ?? null, device: device === '' ? null : device, title: title.trim(), due };
    write.mutate({ ...written, everyDays: days, ...(act === undefined ? {} : { act }) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={t(task === null ? 'task.add' : 'task.change')}
      onSubmit={submit}
      isPending={write.isPending}
    >
      <NativeSelect
        size="sm"
        label={t('task.kind')}
        description={t('task.kindText')}
        value={form.kind}
        onChange={({ currentTarget: { value } }) =>
          setForm(formOf(OWN_KIND_NAMES.find((each) => each === value) ?? 'note', undefined))
        }
        data={[...PLANNED, 'note' as const].map((value) => ({ value, label: t(`journal:toDo.${value}`) }))}
      />
      <ActFields form={form} onChange={setForm} faults={isTried && !('act' in acted) ? acted : {}} products={[]} />
      <TextInput
        size="sm"
        label={t(needsTitle ? 'task.title' : 'task.titleOptional')}
        maxLength={200}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={isTried && lacksTitle ? t('task.titleMissing') : undefined}
      />
      <Group gap="xs" align="flex-start" grow>
        <TextInput
          size="sm"
          type="date"
          label={t('task.due')}
          value={due}
          onChange={(event) => setDue(event.currentTarget.value)}
          error={isTried && !DAY.test(due) ? t('dayMissing') : undefined}
        />
        <TextInput
          size="sm"
          inputMode="numeric"
          label={t('task.every')}
          placeholder={t('task.once')}
          value={every}
          onChange={(event) => setEvery(event.currentTarget.value)}
          error={isTried && !isRhythm ? t('task.everyWrong') : undefined}
        />
      </Group>
      <NativeSelect
        size="sm"
        label={t('place')}
        value={device}
        onChange={(event) => setDevice(event.currentTarget.value)}
        data={[
          ...devices.map(({ id, name }) => ({ value: id, label: name })),
          { value: '', label: t('journal:allDevices') },
        ]}
      />
      <CallFailure error={failed} />
      {task === null ? null : (
        <Group gap="xs">
          {task.everyDays === null || task.due === null ? null : (
            <Button
              variant="default"
              size="xs"
              loading={postpone.isPending}
              onClick={() => postpone.mutate({ id: task.id, how: 'skip', day: today }, { onSuccess: onClose })}
            >
              {t('task.skip')}
            </Button>
          )}
          <Button
            variant="default"
            color="red"
            size="xs"
            loading={remove.isPending}
            onClick={() => remove.mutate({ id: task.id }, { onSuccess: onClose })}
          >
            {t('task.delete')}
          </Button>
        </Group>
      )}
    </FormDialog>
  );
}
