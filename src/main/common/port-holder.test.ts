import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { portHolder } from './port-holder.ts';

it.runIf(process.platform === 'linux')('finds the holder of a port while its open files change', async () => {
  // The directory listing of open files is an open file itself, and gone before it is read.
  const files = Array.from({ length: 8 }, () => openSync('/dev/null', 'r'));
  const server = createServer((_request, response) => response.end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  for (const file of files) closeSync(file);
  expect(await portHolder((server.address() as AddressInfo).port)).toMatchObject({
    pid: process.pid,
    wellhouse: 'self',
  });
});

describe('another program', () => {
  afterEach(() => void vi.useRealTimers());

  /** Says its port, then "asked" for each request, and answers the latest one when it reads a line. */
  const PROGRAM = `let last;
    const server = require('node:http').createServer((_, response) => { last = response; console.log('asked'); });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));
    process.stdin.on('data', () => last.end('Wellhouse')).on('end', () => process.exit());`;

  async function busyProgram() {
    const child = spawn(process.execPath, ['-e', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const line = async (): Promise<string> => String((await lines.next()).value);
    return { port: Number(await line()), asked: line, answer: () => void child.stdin.write('\n') };
  }

  it('is known as Wellhouse though it takes seconds to answer, and waited for no longer than three', async () => {
    const program = await busyProgram();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const first = portHolder(program.port);
    expect(await program.asked()).toBe('asked');
    vi.advanceTimersByTime(2999);
    program.answer();
    expect(await first).toMatchObject({ wellhouse: 'other' });
    const second = portHolder(program.port);
    expect(await program.asked()).toBe('asked');
    vi.advanceTimersByTime(3000);
    expect((await second)?.wellhouse ?? null).toBeNull();
  });
});
