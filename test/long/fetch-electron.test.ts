import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Fetch, fetchElectron } from '../../scripts/fetch-electron.ts';
import { isolatedHome } from '../support/isolated-home.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

let home: string;
let said: string[];
beforeEach(() => {
  home = temporaryFolder();
  said = [];
});
afterEach(() => removeFolder(home));

const env = () => ({ PATH: process.env.PATH ?? '', ...isolatedHome(home) });
/** Without a place of its own the real installer would unpack over what is here. */
const fetching = (fetch: Partial<Fetch>): Partial<Fetch> => ({
  target: join(home, 'dist'),
  lookEveryMs: 50,
  say: (line) => said.push(line),
  ...fetch,
});

function installer(source: string): string {
  const path = join(home, 'installer.mjs');
  writeFileSync(path, source);
  return path;
}

describe('an installer', () => {
  it('that ends well has fetched Electron', async () => {
    const script = installer(`import { writeFileSync } from 'node:fs'; writeFileSync('${join(home, 'binary')}', '');`);
    expect(await fetchElectron(env(), fetching({ installer: script }))).toBe(true);
    expect(existsSync(join(home, 'binary'))).toBe(true);
    expect(said).toEqual([expect.stringMatching(/once \(about 120 MB\); npm start -- --browser does without it$/)]);
  });

  it('that fails has not, and what to look at is said', async () => {
    const fetch = fetching({ installer: installer('process.exit(1)') });
    expect(await fetchElectron({ ...env(), ELECTRON_MIRROR: 'http://mirror.example/' }, fetch)).toBe(false);
    expect(said.at(-1)).toMatch(/not fetched from http:\/\/mirror\.example\/; HTTPS_PROXY names a proxy/);
  });

  const slow = () =>
    installer(`
      import { appendFileSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      for (let i = 0; i < 20; i++) { appendFileSync(process.env.TMPDIR + '/zip', 'x'.repeat(100)); await setTimeout(200); }`);

  it('is waited for as long as something arrives', async () => {
    const options = { installer: slow(), stalledAfterMs: 2000, leastBytes: 100 };
    expect(await fetchElectron(env(), fetching(options))).toBe(true);
  });

  it('is not waited for where hardly anything arrives', async () => {
    const options = { installer: slow(), stalledAfterMs: 2000, leastBytes: 10_000 };
    expect(await fetchElectron(env(), fetching(options))).toBe(false);
    expect(said.at(-1)).toMatch(/next to nothing arrived for 2 s$/);
  });
});

describe.skipIf(process.platform === 'win32')('a signal during the fetch', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends the installer and leaves no folder: %s',
    async (signal) => {
      const waiting = installer("console.log('pid', process.pid, process.env.TMPDIR); setInterval(() => {}, 1000);");
      const source = `
      import { fetchElectron } from ${JSON.stringify(join(process.cwd(), 'scripts/fetch-electron.ts'))};
      await fetchElectron(process.env, ${JSON.stringify({ installer: waiting, target: join(home, 'dist') })});`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', source], { env: { ...env(), TMPDIR: home } });
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
      await expect.poll(() => output, { timeout: 30_000 }).toMatch(/pid \d+ .*\n/);
      const [, pid, folder] = /pid (\d+) (.*)\n/.exec(output)!;
      child.kill(signal);
      expect(await closed).toBe(128 + constants.signals[signal]);
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
      expect(existsSync(folder!)).toBe(false);
    },
    60_000,
  );
});

describe('Electron’s own installer', () => {
  let server: Server;
  let asked: string[];
  const sockets = new Set<Socket>();
  let url: string;
  const real = (stalledAfterMs: number) => fetching({ installer: 'node_modules/electron/install.js', stalledAfterMs });
  /** A server that takes requests; it answers 404, or nothing at all. */
  async function listen(answers: boolean): Promise<void> {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (answers) response.writeHead(404).end();
    });
    server.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('is given up where nothing comes', async () => {
    await listen(false);
    expect(await fetchElectron({ ...env(), ELECTRON_MIRROR: url }, real(6000))).toBe(false);
    expect(asked).toHaveLength(1);
    expect(said.at(-1)).toBe('wellhouse: Electron was not fetched: next to nothing arrived for 6 s');
  });

  it.each([
    ['HTTP_PROXY', 'http://electron.invalid/', /^http:\/\/electron\.invalid\/|^electron\.invalid:80$/],
    ['HTTPS_PROXY', 'https://electron.invalid/', /^electron\.invalid:443$/],
    ['https_proxy', 'https://electron.invalid/', /^electron\.invalid:443$/],
  ])('asks the proxy that %s names', async (name, mirror, address) => {
    await listen(true);
    expect(await fetchElectron({ ...env(), [name]: url, ELECTRON_MIRROR: mirror }, real(10_000))).toBe(false);
    expect(asked[0]).toMatch(address);
  });
});
