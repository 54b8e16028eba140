import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { taskText } from '../../shared/owner-data/act-text.ts';
import type { Task } from '../../shared/owner-data/tasks.ts';
import { useLocale } from '../format/format.ts';

/** Returns a function that describes a task in one line: its title, or its act. */
export function useTaskWords(): (task: Pick<Task, 'title' | 'act'>) => string {
  const { t } = useTranslation(['journal', 'app']);
  const locale = useLocale();
  return useCallback((task) => taskText(t, locale, task), [t, locale]);
}
