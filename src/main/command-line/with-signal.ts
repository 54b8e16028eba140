import { CommandError } from './exit-codes.ts';

/** Runs something that Ctrl-C and a signal to end break off in good order; `message` says what is left then. */
export async function withSignal<T>(message: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(new CommandError(message));
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
  try {
    return await run(controller.signal);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
  }
}
