import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { accept, handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { runningProcess } from '../support/node-process.ts';

const REFUSE_ELECTRON = new URL('../support/refuse-electron.ts', import.meta.url).href;

test('the hook refuses electron', () => {
  for (const source of ["import 'electron'", "await import('electron/main')", "require('electron')"]) {
    const { status, stderr } = spawnSync(process.execPath, ['--import', REFUSE_ELECTRON, '-e', source], {
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    expect(stderr).toContain('electron is refused here');
  }
});

describe('if electron can’t be resolved', () => {
  const node = runningProcess({ execArgv: ['--import', REFUSE_ELECTRON] });

  test('the headless node runs', async () => {
    const url = node.url('local');
    const device = await registeredDevice(url);
    await accept(url, handWritten(device));
    expect(await readingsOf(url, device.id)).toHaveLength(1);
    expect(node.process.stderr).toBe('');
  });
});
