import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { DOOR_ENV, doorOf, givePairingCode, openPairing } from '../support/door.ts';
import { runningNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';
import { confirmedWhile } from '../support/steady-device.ts';

// As in test/protocol/budgets.test.ts: each budget is used up by somebody else, while a device of the owner's is confirmed.

const node = runningNode({ args: ['--ui'], env: { GATE_ADDRESS: '127.0.0.1', GATE_PORT: '0', ...DOOR_ENV } });

async function gateUrl(): Promise<string> {
  const { gate } = await call(node.process, 'gate', {});
  if (gate.state !== 'listening') throw new Error('the gate does not listen');
  return `http://${gate.address}:${gate.port}`;
}

test('idle connections at the gate keep no device out', async () => {
  const gate = await gateUrl();
  const own = await registeredDevice(node.url('local'));
  await confirmedWhile(gate, own, async () => {
    const sockets = await Promise.all(
      Array.from({ length: 1500 }, async () => {
        const socket = connect(Number(new URL(gate).port), '127.0.0.1');
        socket.on('error', () => {});
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
        return socket;
      }),
    );
    for (let seq = 1; seq <= 20; seq += 1) await accept(gate, handWritten(own, { seq }));
    for (const socket of sockets) socket.destroy();
  });
}, 120_000);

test('wrong codes from many addresses close the code, and delay no device', async () => {
  const door = await doorOf(node.process);
  const own = await registeredDevice(node.url('local'));
  const { code } = await openPairing(node.process, { name: 'Guessed at' });
  const wrong = (code.startsWith('A') ? 'C' : 'A') + code.slice(1);
  await confirmedWhile(await gateUrl(), own, async () => {
    const isClosed = async () => (await call(node.process, 'door', {})).wasGuessed;
    for (let address = 2; !(await isClosed()) && address < 250; address += 1) {
      const from = `127.0.0.${address}`;
      const reply = await givePairingCode(door, wrong, 'browser', { from }).catch(() => null);
      if (reply !== null) expect([401, 429]).toContain(reply.status);
    }
    expect(await isClosed()).toBe(true);
  });
  expect((await givePairingCode(door, code, 'browser', { from: '127.0.0.251' })).status).toBe(401);
}, 180_000);
