import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { hostPort } from '../../shared/host-port.ts';
import type { EndpointName } from '../../shared/protocol/codes.ts';
import type { PortFault } from '../common/start-error.ts';
import { StartError } from '../common/start-error.ts';

/** How long a stop waits for requests in flight. */
const STOP_WITHIN_MS = 5000;
const CLOSE_IDLE_EVERY_MS = 20;

/** Where a listener is or is to be. */
export interface ListenAddress {
  readonly listener: EndpointName;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The variable that sets the port, for what an owner is told. */
  readonly variable: string;
}

/** Has a server listen. Throws StartError that names the port. */
export async function listen(app: FastifyInstance, address: ListenAddress): Promise<void> {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
    throw refusal(error, address);
  }
}

/** Where a server listens, as a URL. */
export function urlOf(app: FastifyInstance): string {
  const { address, port } = app.server.address() as AddressInfo;
  return `http://${hostPort(address, port)}`;
}

/** Tries whether a listener could have an address. Throws StartError where not. */
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

/** Accepts nothing more and answers what is in flight; after the deadline the rest is cut off. */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const deadline = setTimeout(() => server.closeAllConnections(), STOP_WITHIN_MS);
  // A connection that is kept alive would be waited for although its last request has been answered.
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
