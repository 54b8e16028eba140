import { quit, showPagesIn } from './app.ts';
import { chromiumPages } from './chromium.ts';
import { operate } from './control.ts';

// The module `electron` of an app in its own process: its pages are shown in Chromium, and the test talks to it over
// the channel of the child process.
export * from './electron.ts';

showPagesIn(chromiumPages);

// Electron quits on these signals.
process.on('SIGTERM', () => void quit());
process.on('SIGINT', () => void quit());

interface Request {
  readonly id: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

process.on('message', async ({ id, name, values }: Request) => {
  try {
    process.send?.({ id, value: (await operate(name, values)) ?? null });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
// The test ended without notice, so this process must not remain.
process.on('disconnect', () => process.exit(1));
