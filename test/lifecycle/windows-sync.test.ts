import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { accept, handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { removeFolder, startProcess, temporaryFolder } from '../support/node-process.ts';

const AS_WINDOWS = new URL('../support/sync-as-windows.ts', import.meta.url).href;

describe.skipIf(process.platform !== 'linux')('where only what was opened for writing can be synced', () => {
  it('the hook refuses a file that was opened for reading', () => {
    const sync = (flag: string) =>
      `const fs = require('node:fs'); fs.fsyncSync(fs.openSync(process.argv[1], '${flag}'));`;
    const run = (flag: string) => {
      const folder = temporaryFolder();
      const args = [
        '--import',
        AS_WINDOWS,
        '-e',
        `require('node:fs').writeFileSync(process.argv[1], ''); ${sync(flag)}`,
      ];
      const { stderr } = spawnSync(process.execPath, [...args, `${folder}/file`], { encoding: 'utf8' });
      removeFolder(folder);
      return stderr;
    };
    expect(run('r')).toContain('EPERM');
    expect(run('r+')).toBe('');
  });

  it('the node creates its stores, accepts readings, and starts again after a kill', async () => {
    const folder = temporaryFolder();
    const options = { dataDir: `${folder}/data`, execArgv: ['--import', AS_WINDOWS] };
    try {
      const node = await startProcess(options);
      const device = await registeredDevice(node.url('local'));
      await accept(node.url('local'), handWritten(device));
      await node.kill();
      const again = await startProcess(options);
      expect(await readingsOf(again.url('local'), device.id)).toHaveLength(1);
      expect((await again.stop()).code).toBe(0);
    } finally {
      removeFolder(folder);
    }
  });
});
