import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { status, stdout, stderr };
}

describe('npm run demo', () => {
  it('--help describes it, and starts nothing', () => {
    expect(run('--help')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/Usage: npm run demo[\s\S]*--season/),
      stderr: '',
    });
  });

  it.each(['--no-such-flag', 'word'])('refuses %s', (word) => {
    expect(run(word)).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(JSON.stringify(word)) });
  });
});
