import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OwnerCalls } from '../../src/main/owner/api/calls.ts';
import type { Caller } from '../../src/main/owner/caller.ts';
import type { Handlers, HostMethod } from '../../src/main/owner/handlers.ts';
import { METHODS, type MethodName } from '../../src/shared/owner-api/contract.ts';
import { ROLES, type Role } from '../../src/shared/owner-api/method.ts';
import { registeredDevice } from '../support/client.ts';
import { DOOR_ENV, DoorClient } from '../support/door.ts';
import { post } from '../support/http.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { VALID_INPUTS } from '../support/owner-inputs.ts';

const NAMES = Object.keys(METHODS) as MethodName[];
const node = runningNode({ args: ['--ui'], env: { ...DOOR_ENV, PUBLIC_RATE_LIMIT: '0' } });
/** Too many handshakes at once from one address are cut. */
const addresses = Array.from({ length: 250 }, (_, index) => `127.0.3.${index + 1}`).values();

/** A connection of a client that writes what it likes. */
class RawClient {
  readonly closed: Promise<unknown>;
  readonly #socket: TLSSocket;
  readonly #client: DoorClient;
  #bytes = 0;

  constructor(client: DoorClient) {
    const { hostname, port } = new URL(client.door);
    const socket = connectTcp({ host: hostname, port: Number(port), localAddress: addresses.next().value! });
    socket.on('error', () => {});
    this.#client = client;
    this.#socket = connect({ socket, rejectUnauthorized: false });
    this.#socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.#socket.once('close', resolve));
  }

  /** How much came back. */
  get bytes(): number {
    return this.#bytes;
  }

  async opened(): Promise<void> {
    await once(this.#socket, 'secureConnect');
  }

  /** Takes in what comes from now on. */
  read(): void {
    this.#socket.on('data', (chunk) => {
      this.#bytes += chunk.length;
    });
  }

  /** Sends a call, or all but the last bytes of it. */
  send(method: MethodName, input: unknown, missing = 0): void {
    const body = JSON.stringify(input);
    const head = [
      `POST /ui/api/${method} HTTP/1.1`,
      `Host: ${new URL(this.#client.door).host}`,
      `Authorization: ${this.#client.headers.authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    this.#socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, body.length - missing)}`);
  }
}

let count = 0;
async function paired(role: Role): Promise<{ client: DoorClient; revoke: () => Promise<void> }> {
  count += 1;
  const name = `Client ${count}`;
  const client = await DoorClient.pair(node.process, 'app', { name, role, mayUnlock: role === 'owner' });
  const revoke = async () => {
    const { pairings } = await call(node.process, 'door', {});
    await call(node.process, 'revokePairing', { id: pairings.find((each) => each.name === name)!.id });
  };
  return { client, revoke };
}

describe.each(ROLES)('a %s that is revoked', (role) => {
  it('before its call is answered gets only a refusal, for any method', async () => {
    const { client, revoke } = await paired(role);
    await revoke();
    for (const method of NAMES) {
      const { status, answer } = await client.ask(method, VALID_INPUTS[method]);
      expect([method, status, answer]).toEqual([method, 401, { ok: false, error: 'unauthorized' }]);
    }
  });

  it('while it sends the body of a call is disconnected, and the call is not executed, for any method', async () => {
    const { client, revoke } = await paired(role);
    const connections: RawClient[] = [];
    for (const method of NAMES) {
      const connection = new RawClient(client);
      await connection.opened();
      connection.read();
      connection.send(method, VALID_INPUTS[method], 1);
      connections.push(connection);
    }
    const before = await call(node.process, 'door', {});
    await revoke();
    await Promise.all(connections.map(({ closed }) => closed));
    expect(connections.map(({ bytes }) => bytes)).toEqual(NAMES.map(() => 0));
    const after = await call(node.process, 'door', {});
    expect(after).toEqual({ ...before, pairings: after.pairings });
  });

  it('while its answers are being sent gets no more of them', async () => {
    const device = await registeredDevice(node.url('local'));
    for (let batch = 0; batch < 5; batch += 1) {
      const blocks = Array.from({ length: 100 }, (_, index) =>
        device.block({ seq: batch * 100 + index, timestamp: Date.now(), plain: { ph: 6, ec: 700, humidity: 50 } }),
      );
      expect((await post(`${node.url('local')}/v1/telemetry`, { blocks })).status).toBe(200);
    }
    const input = { id: device.id, limit: 500 };
    const whole = JSON.stringify(await call(node.process, 'latestReadings', input)).length;
    const { client, revoke } = await paired(role);
    const connection = new RawClient(client);
    await connection.opened();
    // More than the buffers on the way hold, to somebody who does not read yet.
    const calls = Math.ceil(40_000_000 / whole);
    for (let sent = 0; sent < calls; sent += 1) connection.send('latestReadings', input);
    await revoke();
    connection.read();
    await connection.closed;
    expect(connection.bytes).toBeLessThan((calls * whole) / 2);
  }, 120_000);

  it('during a call gets no answer, for any method', async () => {
    for (const method of NAMES) {
      let isValid = true;
      const caller: Caller = {
        by: 'pairing',
        role,
        devices: null,
        mayUnlock: true,
        mayLog: false,
        pairing: null,
        isValid: () => isValid,
      };
      let executed = 0;
      const handler = async () => {
        executed += 1;
        isValid = false;
        return 'a secret';
      };
      const handlers = { [method]: handler } as unknown as Handlers<HostMethod> & Partial<Handlers<MethodName>>;
      const calls = new OwnerCalls(pino({ level: 'silent' }), handlers, async () => {});
      const answer = await calls.callJson(caller, method, VALID_INPUTS[method]);
      const again = await calls.callJson(caller, method, VALID_INPUTS[method]);
      if (method !== 'leave')
        expect([method, JSON.stringify(answer)]).not.toEqual([method, expect.stringContaining('secret')]);
      if (executed > 0) expect([method, again]).toEqual([method, { ok: false, error: 'unauthorized' }]);
      expect([method, executed <= 1]).toEqual([method, true]);
    }
  });
});

it('many clients behind a proxy share a connection, and each is shut out alone', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const clients: Awaited<ReturnType<typeof paired>>[] = [];
  // Node warns of the eleventh listener.
  for (let index = 0; index < 12; index++) clients.push(await paired('viewer'));
  for (const { client } of clients) expect((await client.ask('caller', {})).status).toBe(200);
  await clients[3]!.revoke();
  for (const [index, { client }] of clients.entries()) {
    expect((await client.ask('caller', {})).status).toBe(index === 3 ? 401 : 200);
  }
  expect(warnings).toEqual([]);
});

it('gets no event after the revocation', async () => {
  const { client, revoke } = await paired('viewer');
  const events = client.events();
  await events.ready;
  await revoke();
  await events.ended;
  await registeredDevice(node.url('local'));
  expect(events.messages.filter(({ kind }) => kind === 'event')).toEqual([]);
});

it('a client that leaves by itself gets an answer', async () => {
  const { client } = await paired('owner');
  expect((await client.ask('leave', {})).status).toBe(200);
  expect((await client.ask('caller', {})).status).toBe(401);
});
