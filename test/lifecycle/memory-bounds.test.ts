import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type NodeOptions, startProcess } from '../support/node-process.ts';

/** The arguments and environment of a node that has started, as the system has them. */
async function startedWith(options: NodeOptions): Promise<{ args: string[]; env: string[] }> {
  const node = await startProcess(options);
  const read = (name: string) => readFileSync(`/proc/${node.pid}/${name}`, 'utf8').split('\0');
  const found = { args: read('cmdline'), env: read('environ') };
  await node.stop();
  await node.dispose();
  return found;
}

// Only Linux lets a process start itself again in its own place.
describe.skipIf(process.platform !== 'linux')('the bounds of a node’s memory', () => {
  it('are set by the node, in the same process', async () => {
    const { args, env } = await startedWith({ execArgv: [], args: ['--ui'] });
    expect(args).toEqual(
      expect.arrayContaining([
        ...['--max-semi-space-size=4', '--max-old-space-size=256', '--v8-pool-size=1', '--ui'],
        ...['--invocation-count-for-turbofan=30000', '--bytecode-old-age=1'],
      ]),
    );
    expect(env).toContain('MALLOC_ARENA_MAX=2');
  });

  it('are not changed if the owner has set one', async () => {
    const { args, env } = await startedWith({ execArgv: [], env: { NODE_OPTIONS: '--max-old-space-size=512' } });
    expect(args.filter((arg) => arg.startsWith('--max'))).toEqual([]);
    expect(env).toContain('NODE_OPTIONS=--max-old-space-size=512');
  });
});
