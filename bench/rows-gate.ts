import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { freePort } from '../test/support/free-port.ts';
import { type Bench, latencyText } from './bench.ts';
import { number } from './report.ts';

const IDLE = 2000;

/**
 * Row 13: how idle connections to the gate, and full batches from one address there, affect devices on the local port.
 */
export async function gateRow(bench: Bench): Promise<void> {
  const gatePort = await freePort();
  const node = await bench.startFreshNode('gate', { gatePort });
  const singles = (count: number) => ({ localPort: node.localPort, singles: bench.amount(count), flood: null });
  await bench.load.run('flood', singles(500));
  const calm = await bench.load.run('flood', singles(1000));
  const sockets = await idleConnections(gatePort);
  const idle = await bench.load.run('flood', singles(1000));
  for (const socket of sockets) socket.destroy();
  const flood = { port: gatePort, connections: 16, requests: bench.amount(800), blocksPerRequest: 100 };
  const flooded = await bench.load.run('flood', { localPort: node.localPort, singles: bench.amount(5000), flood });
  await node.stop();
  // The median, because the slowest ones depend more on other work of the machine.
  const p50 = (what: string, { local }: typeof calm, target?: { atMost: number }) => {
    const detail = `${latencyText(local)}, ${number(local.requests / local.seconds)} a second`;
    bench.add({ row: 13, what, value: local.latencies.p50, unit: 'ms', detail, ...(target && { target }) });
  };
  p50('local p50, calm', calm);
  p50('local p50, 2,000 idle at the gate', idle, { atMost: 1.5 * calm.local.latencies.p50 });
  // The flood is from one address without a limit, like that of this machine.
  p50('local p50, gate flooded', flooded, { atMost: flooded.flood!.latencies.p50 / 2 });
}

/** Opens all connections. The gate closes those above its limit. */
async function idleConnections(port: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: IDLE }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
      return socket;
    }),
  );
}
