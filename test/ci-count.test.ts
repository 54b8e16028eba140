import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

function count(output: string, npmStatus = 0) {
  const args = ['.ci/count.mjs', String(npmStatus)];
  const { stdout, status } = spawnSync(process.execPath, args, { input: output, encoding: 'utf8' });
  return { stdout, status };
}

function digest(output: string, npmStatus = 1): string {
  return spawnSync(process.execPath, ['.ci/count.mjs', String(npmStatus)], { input: output, encoding: 'utf8' }).stderr;
}

const VITEST = `
 ✓ test/a.test.ts (3 tests | 1 skipped) 12ms
 Test Files  2 passed | 1 skipped (3)
      Tests  41 passed | 2 skipped | 1 todo (44)
   Start at  02:20:03
`;
const PLAYWRIGHT = `
  ✓  1 [browser] › e2e/a.spec.ts:3:1 › 5 passed (2s)
  -  2 [desktop] › e2e/desktop/b.spec.ts:3:1 › needs a real Electron

  4 skipped
  102 passed (1.5m)
`;

it('adds up both runners, skipped tests apart', () => {
  expect(count(VITEST + PLAYWRIGHT)).toEqual({ stdout: '143 passed, 0 failed, 7 skipped\n', status: 0 });
});

it('leaves out skipped tests if there are none, and reads colours', () => {
  const output = '\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m3 passed\x1b[39m\x1b[22m\x1b[90m (3)\x1b[39m\n';
  expect(count(output)).toEqual({ stdout: '3 passed, 0 failed\n', status: 0 });
});

it('counts what failed, was interrupted or did not run as failed', () => {
  const browser =
    '  1 failed\n    [browser] › e2e/a.spec.ts:3:1 › a\n  1 interrupted\n  5 did not run\n  90 passed (1.2h)\n';
  const units = '      Tests  2 failed | 39 passed (41)\n';
  expect(count(units + browser, 1)).toEqual({ stdout: '129 passed, 9 failed\n', status: 1 });
});

it('counts an end without a test, or a failure outside of any, as one failure', () => {
  expect(count('')).toEqual({ stdout: '0 passed, 1 failed\n', status: 1 });
  expect(count(VITEST, 2)).toEqual({ stdout: '41 passed, 1 failed, 3 skipped\n', status: 1 });
  expect(count('  4 skipped\n')).toEqual({ stdout: '0 passed, 1 failed, 4 skipped\n', status: 1 });
});

it('repeats at the end what the runners report of failures, also of errors outside of any test', () => {
  const unhandled = '⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught 1 unhandled error.\nError: lost\n';
  const browser =
    '  1) [browser] › e2e/a.spec.ts:3:1 › a\n\n    Error: no button\n\n  1 failed\n    [browser] › e2e/a.spec.ts:3:1 › a\n';
  const printed = digest(`${unhandled}${VITEST}${browser}`);
  expect(printed).toContain('Error: lost');
  expect(printed).toContain('Error: no button');
  expect(printed).not.toContain('Start at');
  expect(digest(VITEST + PLAYWRIGHT, 0)).toBe('');
});
