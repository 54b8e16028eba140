import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Destination } from '../shared/protocol/codes.ts';
import type { PortFault } from './start-error.ts';
import { StartError } from './start-error.ts';

/** How long a stop waits for requests in flight. */
const STOP_WITHIN_MS = 5000;
const CLOSE_IDLE_EVERY_MS = 20;

const HOSTS: Record<Destination, string> = { public: '0.0.0.0', local: '127.0.0.1' };

/** Opens a listener at its endpoint's address. Throws StartError that names the port. */
export async function listen(app: FastifyInstance, endpoint: Destination, port: number): Promise<void> {
  try {
    await app.listen({ host: HOSTS[endpoint], port });
  } catch (error) {
    throw refusal(error, endpoint, port);
  }
}

/** Where a listener is, as a URL. */
export function urlOf(app: FastifyInstance, endpoint: Destination): string {
  return `http://${HOSTS[endpoint]}:${(app.server.address() as { port: number }).port}`;
}

/** Tries whether an endpoint could have a port. Throws StartError where not. */
export async function probePort(endpoint: Destination, port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: HOSTS[endpoint], port }, resolve);
    });
  } catch (error) {
    throw refusal(error, endpoint, port);
  } finally {
    server.close();
  }
}

/** Answers what is in flight; after the deadline the rest is cut off. */
export async function closeListeners(listeners: readonly FastifyInstance[]): Promise<void> {
  const deadline = setTimeout(() => {
    for (const { server } of listeners) server.closeAllConnections();
  }, STOP_WITHIN_MS);
  // A connection that is kept alive would be waited for although its last request has been answered.
  const idle = setInterval(() => {
    for (const { server } of listeners) server.closeIdleConnections();
  }, CLOSE_IDLE_EVERY_MS);
  await Promise.all(listeners.map((app) => app.close()));
  clearTimeout(deadline);
  clearInterval(idle);
}

function refusal(error: unknown, endpoint: Destination, port: number): StartError {
  const variable = endpoint === 'public' ? 'PUBLIC_PORT' : 'LOCAL_PORT';
  const { code, message } = error as NodeJS.ErrnoException;
  const fault = (reason: PortFault['reason']): PortFault => ({ endpoint, port, reason });
  if (code === 'EADDRINUSE') {
    const text = `port ${port} is taken; stop the program that uses it, or set ${variable} to another port`;
    return new StartError(text, fault('taken'));
  }
  const text = `${HOSTS[endpoint]}:${port} can't be opened (${message}); set ${variable} to another port`;
  return new StartError(text, fault(code === 'EACCES' ? 'privileged' : 'refused'));
}
