// Reads the output of `npm test` from stdin and writes `N passed, N failed`, with `, N skipped` if there are any, from the
// runners' own summaries: Vitest's `Tests  1 failed | 41 passed | 2 skipped (44)`, one for each run, and Playwright's
// `  1 failed`, `  102 passed (1.5m)`, each on a line of its own. The argument is npm's exit status.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const MEANING = {
  passed: 'passed',
  failed: 'failed',
  interrupted: 'failed',
  // After a failure in a set-up that they share.
  'did not run': 'failed',
  skipped: 'skipped',
  todo: 'skipped',
};

/** Lines of one failure's report that the digest repeats at most. */
const DIGEST_LINES = 60;

const status = Number(process.argv[2] ?? 0);
const sum = { passed: 0, failed: 0, skipped: 0 };
const lines = stripVTControlCharacters(readFileSync(0, 'utf8')).split(/\r?\n/);
for (const line of lines) {
  const vitest = /^ *Tests {2,}(.*) \(\d+\)$/.exec(line)?.[1];
  const playwright = /^ {2}(\d+ [a-z ]+?)(?: \([\d.]+m?s?h?\))?$/.exec(line)?.[1];
  for (const part of (vitest ?? playwright ?? '').split(' | ')) {
    const [, count, word] = /^(\d+) (.+)$/.exec(part) ?? [];
    if (MEANING[word] !== undefined) sum[MEANING[word]] += Number(count);
  }
}

if (status !== 0) process.stderr.write(digest());

if (sum.failed === 0 && (status !== 0 || sum.passed === 0)) {
  const why = status === 0 ? 'ended well but no test ran' : `failed outside of any test (exit ${status})`;
  process.stderr.write(`ci: npm test ${why}, counted as one failure\n`);
  sum.failed = 1;
}
const skipped = sum.skipped > 0 ? `, ${sum.skipped} skipped` : '';
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${skipped}\n`);
process.exitCode = sum.failed > 0 ? 1 : 0;

/**
 * The runners' own reports of what failed, repeated: a record of a run often keeps its end alone. Vitest's sections begin
 * with `⎯⎯⎯ Failed Tests 1 ⎯⎯⎯` (or `Failed Suites`, `Unhandled Errors`), Playwright's with `  1) [browser] › …`; both end at a summary.
 */
function digest() {
  const digested = [];
  let left = 0;
  for (const line of lines) {
    if (/^⎯+ (?:Failed|Unhandled) /.test(line) || /^ {2}\d+\) \[/.test(line)) left = DIGEST_LINES;
    else if (/^ *Test Files {2}/.test(line) || /^ {2}\d+ failed$/.test(line)) left = 0;
    if (left-- > 0) digested.push(`  ${line}`);
  }
  return digested.length > 0 ? `ci: the failures again:\n${digested.join('\n')}\n` : '';
}
