import { useEffect, useRef, useState } from 'react';

/** Something long that a button starts: whether it runs, how far it is, and why it failed. */
export interface Action {
  readonly isRunning: boolean;
  /** 0 to 1. */
  readonly progress: number;
  readonly error: unknown;
  /** Runs it unless it runs already; its failure is kept in `error`. */
  run(work: (onProgress: (done: number) => void) => Promise<void>): void;
}

/** Keeps track of one action of a component; a component that is gone is told nothing. */
export function useAction(): Action {
  const [state, setState] = useState<Pick<Action, 'isRunning' | 'progress' | 'error'>>({
    isRunning: false,
    progress: 0,
    error: null,
  });
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const show = (next: typeof state): void => {
    if (isHere.current) setState(next);
  };
  return {
    ...state,
    run: (work) => {
      if (state.isRunning) return;
      show({ isRunning: true, progress: 0, error: null });
      work((progress) => show({ isRunning: true, progress, error: null })).then(
        () => show({ isRunning: false, progress: 0, error: null }),
        (error: unknown) => show({ isRunning: false, progress: 0, error }),
      );
    },
  };
}
