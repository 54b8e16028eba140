import type { Socket } from 'node:net';
import type { Server } from 'node:tls';
import { clientKey } from '../../common/client-key.ts';
import type { KnownAddresses } from './known-addresses.ts';

// A handshake takes about a millisecond of the one thread that also serves devices, so strangers get few of them.

const PER_SECOND = 40;
const BURST = 120;
const PER_SECOND_OF_ADDRESS = 10;
const BURST_OF_ADDRESS = 40;
const MAX_CONNECTIONS = 256;
const MAX_CONNECTIONS_OF_ADDRESS = 48;
/**
 * The time that a client may take for its handshake, and that it may wait for its turn: as long as for the headers of a
 * request. A shorter time would close connections whenever the node itself is held up.
 */
export const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_ADDRESSES = 1000;
const NEXT_TURN_MS = 1000 / PER_SECOND;

interface Bucket {
  left: number;
  filledAt: number;
}

/** One connection of the server, from before its handshake on. */
interface Connection {
  readonly socket: Socket;
  /** The key that the address is counted under. A known address counts alone, and has priority over all others. */
  readonly key: string;
  readonly isKnown: boolean;
  isLetIn: boolean;
  requests: number;
}

/** The connections of a TLS server. */
export interface TlsConnections {
  /**
   * Records that an authenticated client uses the connection of a request. Strangers' connections are closed before it.
   */
  letIn(socket: Socket): void;
}

/**
 * Bounds the connections of a TLS server, in total and per address, and the rate of handshakes. A new connection is
 * always accepted: at a limit another one is closed for it, and addresses take turns with their handshakes. Known
 * addresses have separate turns.
 */
export function limitHandshakes(server: Server, known: KnownAddresses): TlsConnections {
  const [begin] = server.listeners('connection');
  server.removeAllListeners('connection');
  /** By the client's end, in order of their last progress: a connection, or the start or end of a request. */
  const open = new Map<string, Connection>();
  /** The connections whose handshake has not begun; the address that has waited longest is first. */
  const waiting = new Map<string, Connection[]>();
  const buckets = new Map<string, Bucket>();
  const ofStrangers: Bucket = { left: BURST, filledAt: performance.now() };
  const ofKnown: Bucket = { ...ofStrangers };
  let timer: NodeJS.Timeout | null = null;

  function countOf(key: string): number {
    let count = 0;
    for (const each of open.values()) if (each.key === key) count += 1;
    return count;
  }

  function bucketOf(key: string): Bucket {
    const bucket = buckets.get(key) ?? { left: BURST_OF_ADDRESS, filledAt: performance.now() };
    buckets.delete(key);
    buckets.set(key, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > MAX_ADDRESSES) buckets.delete(oldest!);
    return bucket;
  }

  function takeTurns(): void {
    timer = null;
    for (const key of [...waiting.keys()]) {
      const bucket = bucketOf(key);
      if (!has(bucket, PER_SECOND_OF_ADDRESS, BURST_OF_ADDRESS)) continue;
      const [next, ...rest] = waiting.get(key)!;
      const all = next!.isKnown ? ofKnown : ofStrangers;
      if (!has(all, PER_SECOND, BURST)) continue;
      bucket.left -= 1;
      all.left -= 1;
      // The other connections of the address wait until all other addresses had a turn.
      waiting.delete(key);
      if (rest.length > 0) waiting.set(key, rest);
      if (server.listening) begin!.call(server, next!.socket);
      else next!.socket.destroy();
    }
    if (waiting.size > 0) timer = setTimeout(takeTurns, NEXT_TURN_MS).unref();
  }

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const isKnown = known.has(address);
    const key = isKnown ? address : clientKey(address);
    const connections = [...open.values()];
    if (countOf(key) >= MAX_CONNECTIONS_OF_ADDRESS)
      leastWanted(connections.filter((each) => each.key === key)).destroy();
    else if (connections.length >= MAX_CONNECTIONS) leastWanted(connections).destroy();
    const name = clientEnd(socket);
    const connection: Connection = { socket, key, isKnown, isLetIn: false, requests: 0 };
    open.set(name, connection);
    waiting.set(key, [...(waiting.get(key) ?? []), connection]);
    const tooLong = setTimeout(() => isWaiting() && socket.destroy(), HANDSHAKE_TIMEOUT_MS).unref();
    const isWaiting = () => waiting.get(key)?.includes(connection) === true;
    // Without an error listener, a client that disconnects before its turn would crash the node.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(tooLong);
      if (open.get(name) === connection) open.delete(name);
      const rest = waiting.get(key)?.filter((each) => each !== connection) ?? [];
      if (rest.length > 0) waiting.set(key, rest);
      else waiting.delete(key);
    });
    if (timer === null) takeTurns();
  });
  const progress = (socket: Socket, requests: number): void => {
    const name = clientEnd(socket);
    const connection = open.get(name);
    if (connection === undefined) return;
    connection.requests += requests;
    open.delete(name);
    open.set(name, connection);
  };
  server.on('request', ({ socket }, response) => {
    progress(socket, 1);
    response.once('close', () => progress(socket, -1));
  });
  // A WebSocket stays in use until it ends.
  server.on('upgrade', ({ socket }) => progress(socket, 1));
  return {
    letIn: (socket) => {
      if (socket.remoteAddress !== undefined) known.add(socket.remoteAddress);
      const connection = open.get(clientEnd(socket));
      if (connection !== undefined) connection.isLetIn = true;
    },
  };
}

/**
 * Returns the socket to close for a new connection. `connections` are in order of progress, oldest first. Strangers'
 * connections go first, from the address with the most of them, so that a client with one connection keeps it; then
 * connections that are idle. Strangers at a known address go after other strangers: such a connection may be a phone
 * that has not authenticated yet.
 */
function leastWanted(connections: readonly Connection[]): Socket {
  const notLetIn = connections.filter(({ isLetIn }) => !isLetIn);
  const unknown = notLetIn.filter(({ isKnown }) => !isKnown);
  const strangers = unknown.length > 0 ? unknown : notLetIn;
  const counts = new Map<string, number>();
  for (const { key } of strangers) counts.set(key, (counts.get(key) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const found =
    strangers.find(({ key }) => counts.get(key) === most) ??
    connections.find(({ requests }) => requests === 0) ??
    connections[0]!;
  return found.socket;
}

/** Returns a name for a connection that is the same before and after TLS wraps its socket. */
function clientEnd({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** Returns whether a bucket has a token, after refilling it for the time that has passed. */
function has(bucket: Bucket, perSecond: number, burst: number): boolean {
  const now = performance.now();
  bucket.left = Math.min(burst, bucket.left + ((now - bucket.filledAt) / 1000) * perSecond);
  bucket.filledAt = now;
  return bucket.left >= 1;
}
