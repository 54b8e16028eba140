import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A port that forwards to another one, like `ssh -L`. */
export interface Forwarder {
  readonly port: number;
  close(): Promise<void>;
}

/** Forwards a free port to `target` on 127.0.0.1. It listens only on this machine unless `host` is another address. */
export function forwardTo(target: number, host = '127.0.0.1'): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => other.destroy());
      socket.pipe(other);
    }
  });
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () => {
          for (const socket of sockets) socket.destroy();
          return new Promise((closed) => server.close(() => closed()));
        },
      });
    });
  });
}
