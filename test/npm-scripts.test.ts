import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isolatedHome } from './support/isolated-home.ts';
import { removeFolder, temporaryFolder } from './support/node-process.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** A script as cmd.exe and every Unix shell read it alike: plain words, joined by nothing but `&&`. cmd.exe replaces %…%. */
const PLAIN_WORD = /^[\w@+,./:-]+$/;

describe.each(Object.entries(scripts))('npm run %s', (_name, script) => {
  const commands = script.split(' && ').map((command) => command.split(' '));
  const installed = readdirSync('node_modules/.bin');

  it('needs no Unix shell', () => {
    for (const [program, ...args] of commands) {
      expect(['node', 'npm', ...installed]).toContain(program);
      for (const arg of args) expect(arg).toMatch(PLAIN_WORD);
    }
  });

  it('runs no program of the project without the check of the machine', () => {
    for (const [program, file, ...args] of commands) {
      if (program !== 'node') continue;
      expect(['scripts/run.mjs', 'scripts/preflight.mjs']).toContain(file);
      if (file !== 'scripts/run.mjs') continue;
      const run = args.find((arg) => arg !== '--built')!;
      expect(run.startsWith('out/') || existsSync(run), run).toBe(true);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a signal that npm gets', () => {
  const shells = ['/bin/sh', '/bin/bash', '/bin/dash'].filter((path) => existsSync(path));

  // Dash catches SIGINT itself and waits, so its children do not notice one that only npm got.
  const cases = [
    ...shells.map((shell) => ['SIGTERM', shell] as const),
    ...shells.filter((shell) => shell === '/bin/bash').map((shell) => ['SIGINT', shell] as const),
  ];

  it.each(cases)('ends the node as it ends by itself (%s, %s)', async (signal, shell) => {
    const folder = temporaryFolder();
    const { PATH = '' } = process.env;
    const npm = spawn('npm', ['run', '-s', 'headless', `--script-shell=${shell}`], {
      env: { PATH, ...isolatedHome(folder), DATA_DIR: folder, PUBLIC_PORT: '0', LOCAL_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, which can be killed whole: what is left would hold the output of the tests open.
      detached: true,
    });
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // The pipe closes when the last process that writes to it has ended.
    let isClosed = false;
    npm.on('close', () => {
      isClosed = true;
    });
    try {
      await expect.poll(() => output, { timeout: 60_000 }).toContain('node started');
      npm.kill(signal);
      await expect.poll(() => isClosed).toBe(true);
      expect(output).toContain('node stopped');
    } finally {
      if (!isClosed) process.kill(-npm.pid!, 'SIGKILL');
      removeFolder(folder);
    }
  });
});

it('returns the exit code of its program', () => {
  // The call blocks the runner, whose own limit then can't end the test.
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/run.mjs', ...args], { timeout: 60_000, killSignal: 'SIGKILL' }).status;
  expect(run('-e', 'process.exit(7)')).toBe(7);
  expect(run('-e', '')).toBe(0);
});
