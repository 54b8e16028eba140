import { ActionIcon, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { byDue, taskState } from '../../../shared/owner-data/task-states.ts';
import type { Task } from '../../../shared/owner-data/tasks.ts';
import { OwnerOnly } from '../../api/me.tsx';
import { useTasks } from '../../api/queries/tasks.ts';
import { Icon } from '../../components/icon.tsx';
import { SectionHead } from '../../components/section-head.tsx';
import { TaskDialog } from '../../crops/task-dialog.tsx';
import TaskLine from '../../crops/task-line.tsx';
import { useDayText, useToday } from '../../crops/use-days.ts';
import { useTaskWords } from '../../crops/use-task-words.ts';
import type { NamedDevice } from '../../journal/entry-form.tsx';
import classes from './crops.module.css';

/** Lists all tasks: open ones first, then later ones, then those that are done for good. */
export function TasksSection({ devices }: { readonly devices: readonly NamedDevice[] }) {
  const { t } = useTranslation('crops');
  const tasks = useTasks();
  const today = useToday();
  const words = useTaskWords();
  const dayText = useDayText();
  const [editing, setEditing] = useState<Task | null | 'new'>(null);
  const placeOf = (task: Task) =>
    task.device === null ? t('allPlaces') : (devices.find(({ id }) => id === task.device)?.name ?? t('gone'));
  const detail = (task: Task) => {
    const state = taskState(task, today);
    const day = state === 'snoozed' ? task.snoozedUntil : task.due;
    return [
      placeOf(task),
      ...((state === 'later' || state === 'snoozed') && day !== null
        ? [t(state === 'snoozed' ? 'until' : 'dueOn', { day: dayText(day) })]
        : []),
      ...(task.done === null ? [] : [t('lastDone', { day: dayText(task.done.day) })]),
    ].join(' · ');
  };
  return (
    <section aria-labelledby="tasks-title" className={classes.section}>
      <SectionHead id="tasks-title" title={t('tasks')}>
        <OwnerOnly>
          <Button size="xs" leftSection={<Icon name="plus" size={14} />} onClick={() => setEditing('new')}>
            {t('task.add')}
          </Button>
        </OwnerOnly>
      </SectionHead>
      {tasks.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('noTasks')}
        </Text>
      ) : (
        <ul className={classes.list}>
          {tasks.toSorted(byDue).map((task) => (
            <li key={task.id} className={classes.row}>
              <div className={classes.grow}>
                <TaskLine task={task} place={detail(task)} />
              </div>
              <OwnerOnly>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={t('task.changeOf', { name: words(task) })}
                  onClick={() => setEditing(task)}
                >
                  <Icon name="edit" size={14} />
                </ActionIcon>
              </OwnerOnly>
            </li>
          ))}
        </ul>
      )}
      {editing === null ? null : (
        <TaskDialog task={editing === 'new' ? null : editing} devices={devices} onClose={() => setEditing(null)} />
      )}
    </section>
  );
}
