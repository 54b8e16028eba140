import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { removeFolder, runningNode, runToEnd, startNode, temporaryFolder } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { answerOf } from '../support/wellhouse.ts';

/** Variable, a value that is not allowed, and what the line must say is allowed. */
const BAD: readonly (readonly [string, string, RegExp])[] = [
  ['PUBLIC_PORT', 'abc', /65535/],
  ['PUBLIC_PORT', '-1', /65535/],
  ['PUBLIC_PORT', '65536', /65535/],
  ['PUBLIC_PORT', '30.5', /65535/],
  ['LOCAL_PORT', '0x10', /65535/],
  ['LOCAL_PORT', '99999', /65535/],
  ['LOCAL_PORT', '3001 3002', /65535/],
  ['PUBLIC_ENABLED', 'maybe', /true.*false/],
  ['LOG_LEVEL', 'loud', /info/],
  ['MAX_BODY_BYTES', '1MB', /\d/],
  ['MAX_BODY_BYTES', '-5', /\d/],
  ['MAX_BODY_BYTES', '0', /\d/],
  ['RAW_BINDING', 'lax', /known.*strict.*off/],
  ['DURABILITY', 'none', /full.*normal/],
  ['LOCAL_ALLOWED_HOSTS', 'http://well.lan', /name/],
  ['LOCAL_ALLOWED_HOSTS', 'well.lan,two words', /name/],
  ['PUBLIC_RATE_LIMIT', '-1', /\d/],
  ['PUBLIC_RATE_LIMIT', 'fast', /\d/],
  ['PUBLIC_MAX_DEVICES', 'many', /\d/],
  ['PUBLIC_MAX_BYTES', '2GiB', /\d/],
];

test.each(BAD)(
  '%s=%s stops the start with the variable, the value and the allowed values',
  async (name, value, allowed) => {
    const exit = await runToEnd({ env: { [name]: value } });
    expect(exit.code).toBe(1);
    expect(exit.stdout).toBe('');
    expect(exit.stderr).toMatch(/^wellhouse: [^\n]+\n$/);
    expect(exit.stderr).toContain(name);
    // A list may be told by the one member that is wrong.
    expect(exit.stderr).toContain(value.split(',').at(-1));
    expect(exit.stderr.replace(value, '')).toMatch(allowed);
  },
);

describe('settings with an empty value', () => {
  const empty = Object.fromEntries(
    ['PUBLIC_ENABLED', 'LOG_LEVEL', 'MAX_BODY_BYTES', 'RAW_BINDING', 'DURABILITY', 'LOCAL_ALLOWED_HOSTS'].map(
      (name) => [name, ''],
    ),
  );
  const node = runningNode({ env: empty });

  test('have their defaults', () => {
    expect(node.process.started.publicUrl).toMatch(/^http:\/\/0\.0\.0\.0:\d+$/);
  });
});

describe('flags', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };

  test('--help shows the flags and every setting, and starts nothing', async () => {
    const exit = await runToEnd({ args: ['--help'] });
    expect(exit).toMatchObject({ code: 0, stderr: '' });
    const settings = [...new Set(BAD.map(([name]) => name)), 'DATA_DIR'];
    for (const word of ['--help', '--version', ...settings]) expect(exit.stdout).toContain(word);
    expect(exit.stdout).not.toContain('node started');
  });

  test('--version says the version of package.json and starts nothing', async () => {
    expect(await runToEnd({ args: ['--version'] })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([['--verison'], ['--port=3000'], ['-x'], ['start'], ['--help=yes']])('%s is an error', async (flag) => {
    const exit = await runToEnd({ args: [flag] });
    expect(exit.code).toBe(1);
    expect(exit.stderr).toMatch(/^wellhouse: [^\n]+\n$/);
    expect(exit.stderr).toContain(flag.split('=')[0]);
    expect(exit.stdout).toBe('');
  });

  test('the start prints the same version', async () => {
    expect((await runToEnd({ args: ['--version'] })).stdout.trim()).toBe(version);
  });
});

test('the log, the settings and the command line report a settings file that was edited while the node runs', async () => {
  const root = temporaryFolder();
  const dataDir = join(root, 'data');
  let node = await startNode({ dataDir, args: ['--ui'] });
  try {
    writeFileSync(join(node.dataDir, 'settings.json'), '{"publicRateLimit": 7}');
    const view = async () => call(node, 'getSettings', {});
    expect((await view()).file.edited).toEqual(['publicRateLimit']);
    expect((await view()).settings.publicRateLimit.value).not.toBe(7);
    expect(await answerOf(node.dataDir, ['status'])).toMatchObject({ editedSettings: ['publicRateLimit'] });
    await expect
      .poll(() => JSON.stringify(node.records), { timeout: 20_000 })
      .toContain('the settings file was edited: restart the node to apply it');
    await node.stop();
    node = await startNode({ dataDir, args: ['--ui'] });
    expect((await view()).file.edited).toEqual([]);
    expect((await view()).settings.publicRateLimit.value).toBe(7);
  } finally {
    await node.dispose();
    removeFolder(root);
  }
});
