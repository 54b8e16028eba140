import { useEffect, useRef, useState } from 'react';

/** The state of a long action that a button starts. */
export interface Action {
  readonly isRunning: boolean;
  /** From 0 to 1. */
  readonly progress: number;
  readonly error: unknown;
  /** Runs the action unless one is running. A failure is set as `error`. */
  run(work: (onProgress: (done: number) => void) => Promise<void>): void;
}

/** Tracks an action of a component. Does nothing after the component is unmounted. */
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
