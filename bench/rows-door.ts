import { randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import { freePort } from '../test/support/free-port.ts';
import { type Bench, latencyText } from './bench.ts';
import { number } from './report.ts';

const CONNECTIONS = 16;
const REQUESTS = 10_000;
const IN_ONE_GO = 50;
/**
 * Much less than the 8 s that a device waits. The flood runs on the same machine, which takes its share of the time.
 */
const MOST_MS = 100;

/** Row 15: how ten thousand requests of a stranger at the door affect devices on the local port. */
export async function doorRow(bench: Bench): Promise<void> {
  const doorPort = await freePort();
  const node = await bench.startFreshNode('door', { doorPort, args: ['--ui'] });
  const singles = (count: number) => ({ localPort: node.localPort, singles: bench.amount(count), flood: null });
  await bench.load.run('flood', singles(500));
  const calm = await bench.load.run('flood', singles(1000));
  const flood = floodDoor(doorPort, bench.amount(REQUESTS));
  const flooded = await bench.load.run('flood', singles(1000));
  const sent = await flood;
  await node.stop();
  const p50 = (what: string, { local }: typeof calm, target?: { atMost: number }) => {
    const detail = `${latencyText(local)}, ${number(local.requests / local.seconds)} a second`;
    bench.add({ row: 15, what, value: local.latencies.p50, unit: 'ms', detail, ...(target && { target }) });
  };
  p50('local p50, calm', calm);
  p50(`local p50, ${number(sent)} requests at the door`, flooded, { atMost: MOST_MS });
}

/**
 * Sends this many calls with invented tokens over new connections, as fast as the door accepts them. Returns how many
 * it sent.
 */
export async function floodDoor(port: number, requests: number): Promise<number> {
  let sent = 0;
  const call = () =>
    `POST /ui/api/overview HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ` +
    `${randomBytes(32).toString('base64url')}\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"dayStart":0}`;
  const flooder = async () => {
    while (sent < requests) {
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
      socket.on('error', () => {});
      socket.on('secureConnect', () => socket.end(Array.from({ length: IN_ONE_GO }, call).join('')));
      socket.resume();
      await new Promise((resolve) => socket.once('close', resolve));
      // A connection that is cut off before its handshake counts as one request.
      sent += socket.getProtocol() === null ? 1 : IN_ONE_GO;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, flooder));
  return sent;
}
