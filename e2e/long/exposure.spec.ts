import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { complaints } from '../support/axe.ts';
import { OwnerNode } from '../support/owner-node.ts';
import { expect, openOwner, test } from '../support/owner-test.ts';

const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test('every page warns while the local endpoint is reachable from other machines', async ({ page, watch }) => {
  test.skip(own === undefined, 'this machine has no address but loopback');
  const server = createServer((socket) => {
    const beyond = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pipe(beyond).pipe(socket);
    for (const each of [socket, beyond]) each.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, own, resolve));
  const { port } = server.address() as AddressInfo;
  const node = await OwnerNode.start({ env: { LOCAL_PORT: String(port), LOCAL_ALLOWED_HOSTS: own! } });
  await openOwner(page, node, '#/settings');
  await expect(page.getByRole('alert')).toContainText(`Other machines can reach the local endpoint at ${own}:${port}`);
  expect(await complaints(page)).toEqual([]);
  watch.end();
  await node.dispose();
  server.close();
});
