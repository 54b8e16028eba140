import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hostPort } from '../../shared/host-port.ts';
import type { EndpointName } from '../../shared/protocol/codes.ts';
import type { PortFault } from '../common/start-error.ts';
import { StartError } from '../common/start-error.ts';

/** The time that a stop waits for requests in flight. */
const STOP_WITHIN_MS = 5000;
const CLOSE_IDLE_EVERY_MS = 20;

/** The address of a listener. */
export interface ListenAddress {
  readonly listener: EndpointName;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** The variable that sets the port, for error messages. */
  readonly variable: string;
}

/** Makes a server listen. Throws StartError that names the port. */
export async function listen(app: FastifyInstance, address: ListenAddress): Promise<void> {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
    throw refusal(error, address);
  }
}

/** Returns the URL of a server that listens. */
export function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo;
  return `http://${hostPort(address, port)}`;
}

/** Checks that a listener could use an address. Throws StartError if not. */
export async function probe(address: ListenAddress): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address.host, port: address.port }, resolve);
    });
  } catch (error) {
    throw refusal(error, address);
  } finally {
    server.close();
  }
}

/** Stops accepting connections and waits for requests in flight. After the deadline the remaining ones are cut off. */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
  // A keep-alive connection would delay the close although its last request has been answered.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
  await app.close();
  clearTimeout(deadline);
  clearInterval(idle);
}

function refusal(error: unknown, { listener, host, port, variable }: ListenAddress): StartError {
  const { code, message } = error as NodeJS.ErrnoException;
  const fault = (reason: PortFault['reason']): PortFault => ({ listener, port, reason });
  if (code === 'EADDRINUSE') {
    const text = `port ${port} is taken; stop the program that uses it, or set ${variable} to another port`;
    return new StartError(text, fault('taken'));
  }
  const text = `${host}:${port} can't be opened (${message}); set ${variable} to another port`;
  return new StartError(text, fault(code === 'EACCES' ? 'privileged' : 'refused'));
}
