import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { handWritten, registeredDevice } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, type NodeProcess, removeFolder, startProcess, temporaryFolder } from '../support/node-process.ts';
import { slowness } from '../support/pace.ts';
import { queryStore } from '../support/store-file.ts';

/** Runs a test with a node of its own, on a data folder that outlives the node. */
async function withNode(run: (node: NodeProcess) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const node = await startProcess({ dataDir: `${folder}/data` });
  try {
    await run(node);
  } finally {
    await node.dispose();
    removeFolder(folder);
  }
}

/** A bare connection that gathers what it receives. */
class Connection {
  received = '';
  readonly socket: Socket;
  readonly closed: Promise<void>;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('utf8').on('data', (text: string) => {
      this.received += text;
    });
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.on('close', () => resolve()));
  }

  /** Waits until the node has sent the text. */
  async until(text: string): Promise<void> {
    await expect.poll(() => this.received, { timeout: 60_000, interval: 5 }).toContain(text);
  }
}

/** Sends the head of a telemetry post and half of its body; resolves when the node has begun to read the request. */
async function halfPost(url: string, body: string): Promise<Connection> {
  const connection = new Connection(url);
  const { host } = new URL(url);
  connection.socket.write(
    `POST /v1/telemetry HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await connection.until('100 Continue');
  connection.socket.write(body.slice(0, 20));
  return connection;
}

/** Waits until the endpoint takes no new connections. */
async function untilRefusing(url: string): Promise<void> {
  await expect
    .poll(
      () =>
        send(`${url}/health`, { headers: { connection: 'close' } }).then(
          () => 'open',
          (error) => String(error),
        ),
      {
        timeout: 60_000,
        interval: 10,
      },
    )
    .toContain('ECONNREFUSED');
}

describe.each(['SIGINT', 'SIGTERM'] as const)('%s', (signal) => {
  test('ends an idle node with 0 at once, also with open connections', () =>
    withNode(async (node) => {
      const connections: Connection[] = [];
      for (const endpoint of ENDPOINTS) {
        const connection = new Connection(node.url(endpoint));
        connection.socket.write(`GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`);
        await connection.until('"ok"');
        connections.push(connection);
      }
      const start = performance.now();
      node.signal(signal);
      const exit = await node.exited;
      expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(performance.now() - start).toBeLessThan(3_000 * slowness());
      for (const connection of connections) await connection.closed;
    }));

  test('accepts no new connections, and answers and stores requests in flight', () =>
    withNode(async (node) => {
      const halves = [];
      for (const endpoint of ENDPOINTS) {
        const device = await registeredDevice(node.url(endpoint));
        const body = JSON.stringify({ blocks: [handWritten(device, { seq: 77 })] });
        halves.push({ connection: await halfPost(node.url(endpoint), body), rest: body.slice(20) });
      }

      node.signal(signal);
      for (const each of ENDPOINTS) await untilRefusing(node.url(each));
      for (const { connection, rest } of halves) {
        connection.socket.write(rest);
        await connection.until('{"accepted":1,"errors":[]}');
        expect(connection.received).toContain('HTTP/1.1 200 OK');
      }

      // Nothing is in flight any more, so nothing is left to wait for.
      const answered = performance.now();
      expect(await node.exited).toMatchObject({ code: 0, signal: null });
      expect(performance.now() - answered).toBeLessThan(3_000 * slowness());
      for (const { connection } of halves) await connection.closed;
      for (const endpoint of ENDPOINTS)
        expect(queryStore(node.dataDir, endpoint, 'SELECT seq FROM readings')).toEqual([{ seq: 77n }]);
    }));
});

test('an endless request delays the stop by 5 s at most', () =>
  withNode(async (node) => {
    const connection = await halfPost(node.url('local'), JSON.stringify({ blocks: [], more: 'x'.repeat(100) }));
    const start = performance.now();
    node.signal('SIGTERM');
    expect(await node.exited).toMatchObject({ code: 0, signal: null });
    const seconds = (performance.now() - start) / 1000;
    expect(seconds).toBeGreaterThan(3);
    expect(seconds).toBeLessThan(5 + 2 * slowness());
    await connection.closed;
  }));

test('a second signal changes nothing, and the stores are complete files, without a log beside them', () =>
  withNode(async (node) => {
    const device = await registeredDevice(node.url('local'));
    node.signal('SIGTERM');
    node.signal('SIGTERM');
    node.signal('SIGINT');
    expect(await node.exited).toMatchObject({ code: 0, signal: null });
    const rows = queryStore(node.dataDir, 'local', 'SELECT id FROM devices');
    expect(rows).toEqual([{ id: Buffer.from(device.id, 'hex') }]);
    expect(queryStore(node.dataDir, 'local', 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  }));
