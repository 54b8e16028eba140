import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

/**
 * Lists the skipped tests and their reasons at the end: in a real Electron, and on other systems, there are several.
 */
export default class SkipReporter implements Reporter {
  readonly #skipped: string[] = [];

  onTestEnd(test: TestCase, { status }: TestResult): void {
    if (status !== 'skipped') return;
    const why = test.annotations.find(({ type }) => type === 'skip')?.description ?? 'without a reason';
    this.#skipped.push(`${test.titlePath().slice(2).join(' › ')}: ${why}`);
  }

  onEnd(): void {
    if (this.#skipped.length === 0) return;
    console.log(`e2e: not tried here:\n${this.#skipped.map((line) => `  - ${line}`).join('\n')}`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
