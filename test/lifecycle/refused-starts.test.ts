import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accept, handWritten, readingsOf, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import {
  ENDPOINTS,
  type NodeExit,
  removeFolder,
  runningNode,
  runProcessToEnd,
  startNode,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';

/** Fails unless the start was refused with one line for the owner, which holds all of the texts. */
function expectRefused(exit: NodeExit, ...texts: string[]): void {
  expect(exit.code, exit.stderr).toBe(1);
  expect(exit.stderr).toMatch(/^wellhouse: [^\n]+\n$/);
  for (const text of texts) expect(exit.stderr).toContain(text);
  expect(exit.stdout).not.toContain('node started');
}

describe('a second process on the same DATA_DIR', () => {
  const node = runningNode();

  test('is refused, and the first one continues', async () => {
    const { dataDir } = node.process;
    expectRefused(await runProcessToEnd({ dataDir }), dataDir);
    for (const endpoint of ENDPOINTS) {
      const device = await registeredDevice(node.url(endpoint));
      await accept(node.url(endpoint), handWritten(device));
      expect(await readingsOf(node.url(endpoint), device.id)).toHaveLength(1);
    }
  });

  test('is refused also by another name of the folder', async () => {
    expectRefused(await runProcessToEnd({ dataDir: `${node.process.dataDir}/../data/.` }));
  });
});

test('a killed process leaves no lock behind', async () => {
  const folder = temporaryFolder();
  try {
    const first = await startProcess({ dataDir: `${folder}/data` });
    await first.kill();
    const second = await startNode({ dataDir: `${folder}/data` });
    expect(second.started.publicKey).toBe(first.started.publicKey);
    expect((await second.stop()).code).toBe(0);
  } finally {
    removeFolder(folder);
  }
});

describe.each([
  ['LOCAL_PORT', '127.0.0.1'],
  ['PUBLIC_PORT', '0.0.0.0'],
])('a taken %s', (variable, host) => {
  const folder = temporaryFolder();
  const occupant = createServer();
  let port: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => occupant.listen(0, host, resolve));
    port = String((occupant.address() as { port: number }).port);
  });
  afterAll(() => {
    occupant.close();
    removeFolder(folder);
  });

  test('is refused with the port and the variable, and nothing is left half-open', async () => {
    const dataDir = `${folder}/data`;
    expectRefused(await runProcessToEnd({ dataDir, env: { [variable]: port } }), port, variable);
    const node = await startNode({ dataDir });
    try {
      expect((await send(`${node.url('local')}/health`)).status).toBe(200);
      expect((await send(`${node.url('public')}/health`)).status).toBe(200);
    } finally {
      await node.stop();
    }
  });
});

test('one port for both endpoints is refused', async () => {
  expectRefused(await runProcessToEnd({ env: { PUBLIC_PORT: '39999', LOCAL_PORT: '39999' } }), '39999');
});

test('a DATA_DIR that is a file is refused', async () => {
  expectRefused(await runProcessToEnd({ dataDir: '/dev/null' }), '/dev/null');
});
