import { readFile } from 'node:fs/promises';
import type { IClientOptions } from 'mqtt';
import { BrokerError } from './faults.ts';

/** The address and login of the broker. */
export interface BrokerAddress {
  /** mqtt, mqtts, ws or wss, without a login. */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** A PEM file with the authorities for the broker's certificate; null for those that Node trusts. */
  readonly caFile: string | null;
}

const CONNECT_WITHIN_MS = 10_000;
/** The connection is closed after one and a half times this without an answer. */
const KEEP_ALIVE_S = 30;

/** Returns the library's options for a connection that does not reconnect by itself. Rejects with BrokerError. */
export async function brokerOptions(
  { username, password, caFile }: BrokerAddress,
  clientId: string,
): Promise<IClientOptions> {
  return {
    clientId,
    clean: true,
    // Every broker supports version 3.1.1.
    protocolVersion: 4,
    connectTimeout: CONNECT_WITHIN_MS,
    keepalive: KEEP_ALIVE_S,
    // Each connection has a new client, so that unconfirmed messages of the last one are not sent after newer values.
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
