import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

const ABORT = /^Worker exited unexpectedly with signal SIGTRAP\b/;

/**
 * Writes the test files whose process V8 aborted, as a JSON array, to the file in `ABORTED_FILES`. Writes nothing if
 * anything else failed too. scripts/test.ts runs these files again.
 */
export default class AbortedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const path = process.env.ABORTED_FILES;
    if (path === undefined || errors.length === 0 || !errors.every(isAbort)) return;
    if (modules.some((module) => module.state() === 'failed')) return;
    const unfinished = modules.filter((module) => module.state() === 'pending' || module.state() === 'queued');
    if (unfinished.length === 0) return;
    writeFileSync(path, JSON.stringify(unfinished.map(({ moduleId }) => relative(process.cwd(), moduleId))));
  }
}

function isAbort({ cause }: SerializedError): boolean {
  return ABORT.test((cause as SerializedError | undefined)?.message ?? '');
}
