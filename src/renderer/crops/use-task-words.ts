import { useCallback } from 'react';
import type { Task } from '../../shared/owner-data/tasks.ts';
import { useEntryWords } from '../journal/use-act-words.ts';

/** Gives a task in one line: its title, or what doing it logs. */
export function useTaskWords(): (task: Pick<Task, 'title' | 'act'>) => string {
  const words = useEntryWords();
  return useCallback(
    ({ title, act }) => (title === '' ? words({ text: '', ...(act === undefined ? {} : { act }) }) : title),
    [words],
  );
}
