import { CommandError } from './exit-codes.ts';

/** Runs a function that Ctrl-C or SIGTERM interrupts in an orderly way. `message` tells the user what has been kept. */
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
