import { readFile } from 'node:fs/promises';
import type { IClientOptions } from 'mqtt';
import { BrokerError } from './faults.ts';

/** How the broker is reached. */
export interface BrokerAddress {
  /** mqtt, mqtts, ws or wss, without a login. */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** A PEM file with the authorities that the broker's certificate may come from; null: those that Node trusts. */
  readonly caFile: string | null;
}

const CONNECT_WITHIN_MS = 10_000;
/** After half as much again without an answer the connection is given up. */
const KEEP_ALIVE_S = 30;

/** The library's options for a connection that ends for good when it is lost. Rejects with BrokerError. */
export async function brokerOptions(
  { username, password, caFile }: BrokerAddress,
  clientId: string,
): Promise<IClientOptions> {
  return {
    clientId,
    clean: true,
    // Version 3.1.1 is what every broker speaks.
    protocolVersion: 4,
    connectTimeout: CONNECT_WITHIN_MS,
    keepalive: KEEP_ALIVE_S,
    // Each connection is a client of its own: what was under way on the last one is not sent again behind newer values.
    reconnectPeriod: 0,
    queueQoSZero: false,
    resubscribe: false,
    rejectUnauthorized: true,
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(caFile !== null && { ca: await caOf(caFile) }),
  };
}

async function caOf(path: string): Promise<Buffer> {
  let text: Buffer;
  try {
    text = await readFile(path);
  } catch (error) {
    throw new BrokerError('ca_file', (error as Error).message);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new BrokerError('ca_file', `${path} has no certificate in PEM form`);
  }
  return text;
}
