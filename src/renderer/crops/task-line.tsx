import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { addDays, daysBetween } from '../../shared/owner-data/days.ts';
import { taskState } from '../../shared/owner-data/task-states.ts';
import type { Task } from '../../shared/owner-data/tasks.ts';
import { errorCode } from '../api/errors.ts';
import { useMe } from '../api/me.tsx';
import { useDone, useTaskCall } from '../api/queries/tasks.ts';
import { Icon } from '../components/icon.tsx';
import classes from './task-line.module.css';
import { useToday } from './use-days.ts';
import { useTaskWords } from './use-task-words.ts';

// Cards of the first page show tasks before these texts are loaded.
await i18next.loadNamespaces(['crops', 'journal']);

interface Props {
  readonly task: Task;
  /** The name of its device, if that is not obvious. */
  readonly place?: string | undefined;
}

/** A task with its state. One tap marks it as done, which writes the log entry. */
export default function TaskLine({ task, place }: Props) {
  const { t } = useTranslation(['crops', 'app']);
  const today = useToday();
  const words = useTaskWords();
  const { role, mayLog, isBounded } = useMe();
  const isOwner = role === 'owner';
  // A viewer who sees only some devices may not write an entry about all places.
  const mayDo = isOwner || (mayLog && (!isBounded || task.device !== null) && task.act?.kind !== 'calibrated');
  const { done, undo, canUndo } = useDone(task);
  const snooze = useTaskCall('postponeTask');
  const state = taskState(task, today);
  const name = words(task);
  const failed = done.error ?? undo.error ?? snooze.error;
  const days = task.due === null ? 0 : daysBetween(task.due, today);
  return (
    <div className={classes.line} data-state={state}>
      <Icon name={state === 'done' ? 'check' : 'clock'} size={16} />
      <span className={classes.text}>
        <span className={classes.name}>{name}</span>
        <span className={classes.detail}>
          {[
            place,
            state === 'late' ? t('state.late', { count: days }) : t(`state.${state}`),
            task.everyDays === null ? undefined : t('every', { count: task.everyDays }),
          ]
            .filter((each) => each !== undefined)
            .join(' · ')}
        </span>
        {failed === null ? null : (
          <span role="alert" className={classes.failed}>
            {t(`app:error.${errorCode(failed)}.text`)}
          </span>
        )}
      </span>
      {!mayDo ? null : state === 'done' ? (
        isOwner && canUndo ? (
          <button type="button" className={classes.action} disabled={undo.isPending} onClick={() => undo.mutate()}>
            {t('undo')}
          </button>
        ) : null
      ) : (
        <>
          {isOwner ? (
            <button
              type="button"
              className={classes.action}
              disabled={snooze.isPending}
              aria-label={t('snoozeOf', { name })}
              onClick={() => snooze.mutate({ id: task.id, how: 'snooze', day: addDays(today, 1) })}
            >
              {t('snooze')}
            </button>
          ) : null}
          <button
            type="button"
            className={classes.action}
            data-first
            disabled={done.isPending}
            aria-label={t('doneOf', { name })}
            onClick={() => done.mutate()}
          >
            {t('done')}
          </button>
        </>
      )}
    </div>
  );
}
