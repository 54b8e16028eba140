import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { hostPort } from '../../src/shared/host-port.ts';
import { send } from '../support/http.ts';
import { type RunningNode, runToEnd, startNode } from '../support/node-process.ts';
import { call } from '../support/owner-client.ts';

const nodes: RunningNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.dispose();
});

async function start(env: Record<string, string>): Promise<RunningNode> {
  const node = await startNode({ args: ['--ui'], env });
  nodes.push(node);
  return node;
}

const standing = async (node: RunningNode) => (await call(node, 'gate', {})).gate;

describe('the gate', () => {
  it('is off unless the owner chose an address', async () => {
    expect(await standing(await start({}))).toEqual({ state: 'off' });
  });

  it('waits for an address that this machine does not have, while the node runs', async () => {
    const node = await start({ GATE_ADDRESS: '169.254.254.253' });
    const place = { address: '169.254.254.253', port: 8080 };
    expect(await standing(node)).toEqual({ state: 'waiting', ...place, reason: 'no_such_address', detail: null });
    expect((await send(`${node.url('local')}/health`)).status).toBe(200);
  });

  it('waits for a port that is taken until it is free', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const node = await start({ GATE_ADDRESS: '127.0.0.1', GATE_PORT: String(port) });
    expect(await standing(node)).toMatchObject({ state: 'waiting', address: '127.0.0.1', port, reason: 'taken' });
    await new Promise((resolve) => other.close(resolve));
    await expect.poll(() => standing(node), { timeout: 30_000 }).toMatchObject({ state: 'listening', port });
    expect((await send(`http://127.0.0.1:${port}/health`)).status).toBe(200);
  });

  it('follows the settings while the node runs', async () => {
    const node = await start({ GATE_PORT: '0' });
    await call(node, 'setSettings', { change: { gateAddress: '127.0.0.2' } });
    const first = await standing(node);
    if (first.state !== 'listening') throw new Error(JSON.stringify(first));
    const url = `http://127.0.0.2:${first.port}`;
    expect((await send(`${url}/health`)).status).toBe(200);
    await call(node, 'setSettings', { change: { gateAddress: '127.0.0.3' } });
    await expect(send(`${url}/health`)).rejects.toThrow('ECONNREFUSED');
    expect(await standing(node)).toMatchObject({ state: 'listening', address: '127.0.0.3' });
    await call(node, 'setSettings', { change: { gateAddress: null } });
    expect(await standing(node)).toEqual({ state: 'off' });
  });

  it('listens at an IPv6 address too', async () => {
    const view = await standing(await start({ GATE_ADDRESS: '::1', GATE_PORT: '0' }));
    if (view.state !== 'listening') throw new Error(JSON.stringify(view));
    expect((await send(`http://${hostPort(view.address, view.port)}/health`)).status).toBe(200);
  });

  it('remembers its address for devices, also if it never listened there', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await new Promise((resolve) => other.close(resolve));
    const node = await start({ GATE_PORT: String(port) });
    const move = async (gateAddress: string | null) => {
      await call(node, 'setSettings', { change: { gateAddress } });
      return (await call(node, 'gate', {})).previous;
    };
    const at = (address: string) => `${address}:${port}`;
    expect(await move('169.254.254.253')).toEqual([]);
    expect(await move('127.0.0.2')).toEqual([at('169.254.254.253')]);
    expect(await move(null)).toEqual([at('169.254.254.253')]);
    expect(await move('127.0.0.3')).toEqual([at('169.254.254.253'), at('127.0.0.2')]);
    expect(await move('127.0.0.2')).toEqual([at('169.254.254.253')]);
  });

  it('closes joining when it is turned off', async () => {
    const node = await start({ GATE_PORT: '0' });
    await call(node, 'setSettings', { change: { gateAddress: '127.0.0.1' } });
    await call(node, 'openJoining', { closesAfterOne: false });
    await call(node, 'setSettings', { change: { gateAddress: null } });
    expect((await call(node, 'gate', {})).joining.leftMs).toBeNull();
  });

  it.each(['0.0.0.0', '::', '8.8.8.8', 'node.lan', '192.168.1.5:8080'])('never listens at %s', async (address) => {
    const { code, stderr } = await runToEnd({ env: { GATE_ADDRESS: address } });
    expect(code).not.toBe(0);
    expect(stderr).toContain(`GATE_ADDRESS`);
    expect(stderr).toContain(address);
  });
});
