import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { clientKey } from '../../common/client-key.ts';

// A handshake costs about a millisecond of the one thread that also serves devices, so strangers get few of them.

const PER_SECOND = 40;
const BURST = 120;
const PER_SECOND_OF_ADDRESS = 10;
const BURST_OF_ADDRESS = 40;
const MAX_CONNECTIONS = 256;
const MAX_CONNECTIONS_OF_ADDRESS = 48;
/** How long a client may take for its handshake. */
export const HANDSHAKE_TIMEOUT_MS = 5000;
const MAX_ADDRESSES = 1000;

interface Bucket {
  left: number;
  filledAt: number;
}

/**
 * Bounds how many connections a TLS server takes, in all and by address, and how fast. What is over is cut off before its
 * handshake begins.
 */
export function limitHandshakes(server: Server): void {
  const [begin] = server.listeners('connection');
  server.removeAllListeners('connection');
  const open = new Map<string, number>();
  const buckets = new Map<string, Bucket>();
  const all: Bucket = { left: BURST, filledAt: performance.now() };
  let count = 0;

  function mayBegin(key: string): boolean {
    if (count >= MAX_CONNECTIONS || (open.get(key) ?? 0) >= MAX_CONNECTIONS_OF_ADDRESS) return false;
    const bucket = buckets.get(key) ?? { left: BURST_OF_ADDRESS, filledAt: performance.now() };
    buckets.delete(key);
    buckets.set(key, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > MAX_ADDRESSES) buckets.delete(oldest!);
    return take(bucket, PER_SECOND_OF_ADDRESS, BURST_OF_ADDRESS) && take(all, PER_SECOND, BURST);
  }

  server.on('connection', (socket: Socket) => {
    const key = clientKey(socket.remoteAddress ?? '');
    if (!mayBegin(key)) {
      socket.destroy();
      return;
    }
    count += 1;
    open.set(key, (open.get(key) ?? 0) + 1);
    socket.once('close', () => {
      count -= 1;
      const left = open.get(key)! - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    });
    begin!.call(server, socket);
  });
}

function take(bucket: Bucket, perSecond: number, burst: number): boolean {
  const now = performance.now();
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.filledAt) / 1000) * perSecond);
  bucket.filledAt = now;
  if (bucket.left < 1) return false;
  bucket.left -= 1;
  return true;
}
