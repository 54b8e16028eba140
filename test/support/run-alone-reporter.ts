import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Prints at the end how to run each failed test alone. */
export default class RunAloneReporter implements Reporter {
  readonly #options: string;

  /** `options`: those that select the configuration, such as `--config vitest.component.config.ts`. */
  constructor(options = '') {
    this.#options = options;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => {
      const file = relative(process.cwd(), module.moduleId).replaceAll('\\', '/');
      return Array.from(module.children.allTests('failed'), ({ fullName }) => `  ${this.#command(file, fullName)}`);
    });
    if (lines.length > 0) console.log(`\n To run a failed test alone:\n${lines.join('\n')}\n`);
  }

  #command(file: string, fullName: string): string {
    // The pattern for -t, in which no character has a special meaning in a shell.
    const pattern = fullName.replace(/[^\w ]/g, '.');
    return ['npx vitest run', this.#options, file, `-t "${pattern}"`].filter((part) => part !== '').join(' ');
  }
}
