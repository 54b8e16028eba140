import { quit, showPagesIn } from './app.ts';
import { chromiumPages } from './chromium.ts';
import { operate } from './control.ts';

// The module `electron` of an app in a process of its own: its pages are shown in Chromium, and the test speaks to it over
// the channel of the child process.
export * from './electron.ts';

showPagesIn(chromiumPages);

// Electron quits on these.
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
// The test ended without a word: nothing of it is left behind.
process.on('disconnect', () => process.exit(1));
