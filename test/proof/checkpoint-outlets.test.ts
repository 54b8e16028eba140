import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { postMessage } from '../../src/main/alerts/channels/request.ts';
import { sha256 } from '../../src/main/proof/log-key.ts';
import { outletsOf } from '../../src/main/proof/outlet-kinds.ts';
import { parseCheckpoint, parseNote } from '../../src/shared/proof/note.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { addOther, checkpointsOf, makeProvenFolder, PROVEN_AT } from '../support/proven-store.ts';

const HOUR = 3_600_000;

let root: string;
let dataDir: string;
let file: string;
let server: Server;
let status: number;
/** The bodies that the server took. */
let taken: { readonly id: unknown; readonly body: Message }[];
interface Message {
  readonly data: Readonly<Record<'store' | 'log' | 'root' | 'sha256' | 'checkpoint', string>> & {
    readonly size: number;
  };
}
beforeEach(async () => {
  root = temporaryFolder();
  dataDir = join(root, 'node');
  makeProvenFolder(dataDir);
  file = join(root, 'checkpoints.ndjson');
  [status, taken] = [204, []];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += piece;
    });
    request.on('end', () => {
      if (status < 300) taken.push({ id: request.headers['webhook-id'], body: JSON.parse(text) as Message });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  removeFolder(root);
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=secret`;
const inFile = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as Message).data.size);
const posted = () => taken.map(({ body }) => body.data.size);

/** Starts the part with these outlets, has it sign once, and stops it. Gives how it is with the outlets. */
async function signWith(settings: Partial<Parameters<typeof outletsOf>[0]>) {
  const outlets = outletsOf({ checkpointFile: null, checkpointWebhook: null, ...settings }, postMessage);
  const checkpoints = checkpointsOf(dataDir, { outlets });
  checkpoints.start();
  await checkpoints.sign();
  await checkpoints.stop();
  return checkpoints.outlets;
}

it('a file and a webhook get each checkpoint once, starting with the newest', async () => {
  await signWith({});
  for (const seq of [3, 4, 4]) {
    addOther(dataDir, seq);
    await signWith({ checkpointFile: file, checkpointWebhook: url() });
  }
  expect(inFile()).toEqual([12, 13]);
  expect(posted()).toEqual([12, 13]);
  const { id, body } = taken[0]!;
  const { checkpoint, ...data } = body.data;
  const { size, root: whole } = parseCheckpoint(parseNote(checkpoint)!.text)!;
  const digest = Buffer.from(sha256(Buffer.from(checkpoint))).toString('hex');
  expect(data).toMatchObject({ store: 'private', size, root: Buffer.from(whole).toString('hex'), sha256: digest });
  expect(id).toBe(`checkpoint-${digest}`);
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(JSON.stringify(body));
});

it('a failed outlet is shown without secrets, retried and sent in order, also after a restart', async () => {
  status = 503;
  mkdirSync(file);
  for (const seq of [3, 4]) {
    addOther(dataDir, seq);
    const outlets = await signWith({ checkpointFile: file, checkpointWebhook: url() });
    expect(outlets.map(({ failing }) => failing !== null)).toEqual([true, true]);
    expect(JSON.stringify(outlets)).not.toContain('secret');
    expect(outlets[1]).toMatchObject({
      kind: 'webhook',
      sentAt: null,
      failing: { reason: expect.stringContaining('HTTP 503') },
    });
  }
  status = 204;
  rmSync(file, { recursive: true });
  const outlets = await signWith({ checkpointFile: file, checkpointWebhook: url() });
  expect(outlets).toMatchObject([{ failing: null }, { failing: null }]);
  expect([inFile(), posted()]).toEqual([
    [12, 13],
    [12, 13],
  ]);
  status = 500;
  for (const seq of [5, 6]) {
    addOther(dataDir, seq);
    await signWith({ checkpointWebhook: url() });
  }
  status = 200;
  await signWith({ checkpointWebhook: url() });
  expect(posted()).toEqual([12, 13, 14, 15]);
});

it('a failed outlet is retried within minutes, not only with the next hour', async () => {
  const clock = new FakeClock(PROVEN_AT);
  const outlets = outletsOf({ checkpointFile: null, checkpointWebhook: url() }, postMessage);
  const checkpoints = checkpointsOf(dataDir, { outlets, clock });
  status = 502;
  checkpoints.start();
  await checkpoints.sign();
  expect(posted()).toEqual([]);
  status = 200;
  await clock.pass(HOUR / 30, () => checkpoints.sign());
  expect(posted()).toEqual([11]);
  await checkpoints.stop();
  expect(clock.timers).toBe(0);
});

it('a crash between the file and its note repeats no line, and completes a cut line', async () => {
  await signWith({ checkpointFile: file });
  rmSync(join(dataDir, 'sent-checkpoints.json'));
  rmSync(join(dataDir, 'sent-checkpoints.json.previous'), { force: true });
  await signWith({ checkpointFile: file });
  expect(inFile()).toEqual([11]);
  appendFileSync(file, '{"type":"check');
  addOther(dataDir, 3);
  await signWith({ checkpointFile: file });
  const lines = readFileSync(file, 'utf8').split('\n');
  expect(lines).toHaveLength(4);
  expect((JSON.parse(lines[2]!) as Message).data.size).toBe(12);
  writeFileSync(file, '');
});

it('a redirect is not followed', async () => {
  status = 302;
  const [outlet] = await signWith({ checkpointWebhook: url() });
  expect(outlet!.failing!.reason).toContain('redirect');
});
