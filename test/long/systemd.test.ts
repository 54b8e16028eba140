import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOST_LOG_N } from '../../src/main/care/archive/encryption.ts';

const project = join(import.meta.dirname, '../..');
const installed = '/opt/wellhouse';
const unit = readFileSync(join(project, 'resources/wellhouse.service'), 'utf8');

/** All values that the unit gives `name` in `[section]`, in order. */
function directive(section: string, name: string): string[] {
  const values: string[] = [];
  let current = '';
  for (const line of unit.split('\n')) {
    if (line.startsWith('[')) current = line.slice(1, -1);
    const equals = line.indexOf('=');
    if (current === section && !line.startsWith('#') && line.slice(0, equals) === name) {
      values.push(line.slice(equals + 1));
    }
  }
  return values;
}

describe('the directives of wellhouse.service', () => {
  test('it starts the pinned Node of this project, as its own user', () => {
    expect(directive('Service', 'ExecStart')).toEqual([`${installed}/node_modules/.bin/node out/main/headless.js`]);
    expect(directive('Service', 'WorkingDirectory')).toEqual([installed]);
    expect(directive('Service', 'User')).toEqual(['wellhouse']);
    const pinned = spawnSync(join(project, 'node_modules/.bin/node'), ['--version'], { encoding: 'utf8' });
    expect(pinned.stdout.trim()).toMatch(/^v24\./);
  });

  test('the data folder is the state directory, closed to others', () => {
    const [name] = directive('Service', 'StateDirectory');
    expect(directive('Service', 'Environment')).toContain(`DATA_DIR=/var/lib/${name}`);
    expect(directive('Service', 'StateDirectoryMode')).toEqual(['0700']);
    expect(directive('Service', 'UMask')).toEqual(['0077']);
    expect(directive('Service', 'ProtectSystem')).toEqual(['strict']);
  });

  test('systemd waits longer for the end than the node takes (5 s), and starts it again however it ended', () => {
    expect(Number(directive('Service', 'TimeoutStopSec')[0])).toBeGreaterThan(5);
    expect(directive('Service', 'Restart')).toEqual(['always']);
    expect(Number(directive('Service', 'RestartSec')[0])).toBeGreaterThan(0);
  });

  test('it says itself when it serves and that it lives, through a child', () => {
    expect(directive('Service', 'Type')).toEqual(['notify']);
    expect(directive('Service', 'NotifyAccess')).toEqual(['all']);
    expect(directive('Service', 'WatchdogSec')).toEqual(['60']);
    expect(directive('Service', 'RestrictAddressFamilies')[0]).toContain('AF_UNIX');
  });

  test('it asks for the time without waiting for a network', () => {
    expect(directive('Unit', 'Wants')[0]?.split(' ')).toContain('time-sync.target');
    expect(directive('Unit', 'After')[0]?.split(' ')).not.toContain('time-sync.target');
  });

  test('nothing forbids what V8 needs, and no privilege can be gained', () => {
    expect(directive('Service', 'MemoryDenyWriteExecute')).toEqual([]);
    expect(directive('Service', 'NoNewPrivileges')).toEqual(['yes']);
    expect(directive('Service', 'CapabilityBoundingSet')).toEqual(['']);
  });

  test('memory and threads have a bound that a backup with a passphrase stays below', () => {
    const [memory = ''] = directive('Service', 'MemoryMax');
    const scryptBytes = 128 * 8 * 2 ** MOST_LOG_N;
    // The most that ten minutes of load took, the heap's bound, and what a backup takes besides scrypt.
    const needed = (228 + 256 + 90) * 1e6 + scryptBytes;
    expect(memory).toMatch(/^[1-9][0-9]*G$/);
    expect(Number.parseInt(memory, 10) * 1024 ** 3).toBeGreaterThan(needed);
    // The main thread, V8's and libuv's five, four that verify, and those of writer, queries, backups, moves and demo.
    expect(Number(directive('Service', 'TasksMax')[0])).toBeGreaterThan(2 * (1 + 5 + 4 + 5));
  });
});

// systemd is not on every machine (macOS, a bare container): there the directives above are all that can be checked.
const analyze = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));

describe.skipIf(analyze === undefined)('systemd-analyze verify', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wellhouse-unit-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * The output of verify for the unit as installed here: it exits 0 on directives it ignores, so only silence is a
   * pass.
   */
  function verify(text: string): { status: number | null; said: string } {
    const copy = join(folder, 'wellhouse.service');
    writeFileSync(copy, text.replaceAll(installed, project));
    const result = spawnSync(analyze ?? '', ['verify', '--man=no', copy], { encoding: 'utf8' });
    return { status: result.status, said: result.stdout + result.stderr };
  }

  test('it prints nothing', () => {
    expect(verify(unit)).toEqual({ status: 0, said: '' });
  });

  test('it accepts the unit of docs/tunnel.md, too', () => {
    const recipe = readFileSync(join(project, 'docs/tunnel.md'), 'utf8');
    const [, tunnel] = /^```ini\n(\[Unit\]\n.*?)^```$/ms.exec(recipe) ?? [];
    if (tunnel === undefined) throw new Error('docs/tunnel.md holds no unit');
    // The helper has ssh; this machine need not.
    expect(verify(tunnel.replace('/usr/bin/ssh', process.execPath))).toEqual({ status: 0, said: '' });
  });

  test('it would name a directive that systemd ignores', () => {
    expect(verify(unit.replace('RestartSec=', 'RestartSecs=')).said).toContain('RestartSecs');
  });
});
