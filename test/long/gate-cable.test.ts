import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const NODE = `wellhouse-n${process.pid}`;
const DEVICE = `wellhouse-d${process.pid}`;
const NODE_ADDRESS = '10.78.0.2';
const DEVICE_ADDRESS = '10.78.0.3';

function ip(...args: string[]): void {
  execFileSync('ip', args);
}

/** The reason why this can't be tried on this machine; empty if it can. */
function hindrance(): string {
  if (!existsSync(join(project, 'out/main/headless.js'))) return 'not built';
  if (spawnSync('ip', ['netns', 'add', NODE]).status !== 0) return 'no right to make network namespaces';
  ip('netns', 'del', NODE);
  return '';
}

afterEach(() => {
  for (const name of [NODE, DEVICE]) spawnSync('ip', ['netns', 'del', name]);
});

const missing = hindrance();

// Needs root and iproute2, which the node itself does not: elsewhere it is skipped, by name.
test.skipIf(missing !== '')(
  `pulling the network cable and putting it back loses no reading${missing && ` (skipped: ${missing})`}`,
  () => {
    for (const name of [NODE, DEVICE]) {
      ip('netns', 'add', name);
      ip('-n', name, 'link', 'set', 'lo', 'up');
    }
    ip('link', 'add', 'eth0', 'netns', NODE, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', DEVICE);
    for (const [name, address] of [
      [NODE, NODE_ADDRESS],
      [DEVICE, DEVICE_ADDRESS],
    ] as const) {
      ip('-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      ip('-n', name, 'link', 'set', 'eth0', 'up');
    }
    const script = ['test/support/try-cable.ts', DEVICE, 'eth0', NODE_ADDRESS, DEVICE_ADDRESS];
    const tried = spawnSync('ip', ['netns', 'exec', NODE, process.execPath, ...script], {
      cwd: project,
      encoding: 'utf8',
    });
    expect(tried.status, tried.stdout + tried.stderr).toBe(0);
    const told = JSON.parse(tried.stdout.trim().split('\n').at(-1)!) as { meanwhile: number; missing: number };
    expect(told.missing).toBe(0);
    expect(told.meanwhile).toBeGreaterThan(3);
  },
);
