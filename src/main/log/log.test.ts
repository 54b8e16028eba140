import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { RecentLog } from './log.ts';

/** Runs a program that logs; its stdout is the file of a descriptor, or a pipe. */
function program(code: string, stdout: number | 'pipe') {
  const log = fileURLToPath(new URL('./log.ts', import.meta.url));
  const script = `import { createLog } from ${JSON.stringify(log)}; const log = createLog('info'); ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', stdout, 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve)).finally(() => clearTimeout(timer));
  return { child, ended, stderr: text(child.stderr!) };
}

/**
 * Writes 10 MB of lines, waits one turn of the event loop in which errors appear, then proves that the program still
 * runs.
 */
const MUCH =
  "for (let i = 0; i < 10000; i += 1) log.info('x'.repeat(1000)); setTimeout(() => { process.stderr.write('alive'); process.exit(3); }, 50);";

describe('a log that cannot be written neither blocks nor ends its program', () => {
  it.skipIf(process.platform !== 'linux')('on a full disk', async () => {
    const { ended, stderr } = program(MUCH, openSync('/dev/full', 'w'));
    expect([await ended, await stderr]).toEqual([3, 'alive']);
  });

  it('into a pipe without a reader’s attention', async () => {
    const { ended, stderr } = program(MUCH, 'pipe');
    expect([await ended, await stderr]).toEqual([3, 'alive']);
  });

  it('into a pipe whose reader is gone', async () => {
    const { child, ended, stderr } = program(MUCH, 'pipe');
    child.stdout!.destroy();
    expect([await ended, await stderr]).toEqual([3, 'alive']);
  });
});

it('is complete if the program ends at once', async () => {
  const { child, ended } = program(
    "for (let i = 0; i < 20; i += 1) log.info(String(i)); log.fatal('end'); process.exit(3);",
    'pipe',
  );
  const lines = (await text(child.stdout!)).trimEnd().split('\n');
  expect(await ended).toBe(3);
  expect(lines).toHaveLength(21);
  expect(JSON.parse(lines[20]!)).toMatchObject({ msg: 'end' });
});

it('keeps the newest lines in memory, bounded in number and size', () => {
  const log = new RecentLog();
  for (let index = 0; index < 5000; index += 1) log.write(`${index}\n`);
  expect(log.text.split('\n').slice(0, 2)).toEqual(['4500', '4501']);
  for (let index = 0; index < 100; index += 1) log.write(`${index}${'x'.repeat(100_000)}\n`);
  expect(log.text.length).toBeLessThanOrEqual(256 * 1024);
  expect(log.text.startsWith('98x')).toBe(true);
});
