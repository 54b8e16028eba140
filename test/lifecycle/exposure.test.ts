import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { type RunningNode, startNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const nodes: RunningNode[] = [];
const servers: Server[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.dispose();
  for (const server of servers.splice(0)) server.close();
});

const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** Takes connections at a port of this machine's own address and carries them to the same port of another. */
async function carry(to: string, change: (text: string) => string = (text) => text): Promise<number> {
  const server = createServer((socket) => {
    const { port } = server.address() as AddressInfo;
    const beyond = connect(port, to);
    socket.on('data', (part) => beyond.write(change(part.toString('latin1')), 'latin1'));
    beyond.pipe(socket);
    for (const each of [socket, beyond]) each.on('error', () => socket.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, own, resolve));
  return (server.address() as AddressInfo).port;
}

async function start(env: Record<string, string>): Promise<RunningNode> {
  const node = await startNode({ args: ['--ui'], env });
  nodes.push(node);
  return node;
}

const exposedAt = async (node: RunningNode) => (await call(node, 'nodeInfo', {})).exposedAt;

// Without another address than loopback, nobody else can reach this machine either.
test.skipIf(own === undefined)(
  'a port that leads from the network to the local endpoint is found, and said loudly',
  async () => {
    const port = await carry('127.0.0.1');
    // The endpoint answers at a public address only where it is listed.
    const node = await start({ LOCAL_PORT: String(port), LOCAL_ALLOWED_HOSTS: own! });
    await expect.poll(() => exposedAt(node), { timeout: 30_000 }).toEqual([`${own}:${port}`]);
    expect(node.stdout + node.stderr).toContain('ANSWERS OTHER MACHINES');
  },
);

test.skipIf(own === undefined)('what the local endpoint refuses as forwarded is no exposure', async () => {
  let closed = 0;
  const port = await carry('127.0.0.1', (text) => text.replace('\r\n', '\r\nX-Forwarded-For: 10.0.0.9\r\n'));
  servers.at(-1)!.on('connection', (socket) => socket.on('close', () => (closed += 1)));
  const node = await start({ LOCAL_PORT: String(port) });
  await expect.poll(() => closed, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(await exposedAt(node)).toEqual([]);
});
