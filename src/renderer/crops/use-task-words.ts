import { useCallback } from 'react';
import type { Task } from '../../shared/owner-data/tasks.ts';
import { useActWords } from '../journal/use-act-words.ts';

/** Gives a task in one line: its title, or its act. */
export function useTaskWords(): (task: Pick<Task, 'title' | 'act'>) => string {
  const words = useActWords(true);
  return useCallback(
    ({ title, act }) => (title === '' ? (words(act === undefined ? {} : { act }) ?? '') : title),
    [words],
  );
}
