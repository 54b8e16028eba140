import { relative } from 'node:path';
import type { Reporter, TestCase } from '@playwright/test/reporter';

/** Prints at the end how to run each failed test alone. */
export default class RunAloneReporter implements Reporter {
  readonly #failed = new Set<TestCase>();

  onTestEnd(test: TestCase): void {
    if (test.outcome() === 'unexpected') this.#failed.add(test);
    else this.#failed.delete(test);
  }

  onEnd(): void {
    if (this.#failed.size === 0) return;
    const lines = Array.from(this.#failed, ({ location }) => {
      const file = relative(process.cwd(), location.file).replaceAll('\\', '/');
      return `  npm run test:browser -- ${file}:${location.line}`;
    });
    console.log(`To run a failed test alone:\n${lines.join('\n')}`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
