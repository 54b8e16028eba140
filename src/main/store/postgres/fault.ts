import type { StoreFault } from '../../common/node-events.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';

/**
 * By SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html, or the system's error code of a
 * connection.
 */
const FAULTS: readonly (readonly [RegExp, StoreFault])[] = [
  [/^53100/, 'full'],
  [/^(?:25006|42501)/, 'read_only'],
  [/^(?:40001|40P01|53300|55P03|57014)/, 'busy'],
  [/^(?:XX001|XX002)/, 'damaged'],
  // A missing table or column: this program does not know the schema.
  [/^(?:3F000|42P01|42703)/, 'newer'],
  [/^(?:08|28|3D000|53|57P|58|E[A-Z]+$|SELF_SIGNED|CERT_|UNABLE_TO|DEPTH_ZERO)/, 'unreachable'],
];

/**
 * Converts an error of a query or a connection to StorageUnavailable; returns the error itself if the query was wrong.
 */
export function unavailable(error: unknown): Error {
  if (error instanceof StorageUnavailable) return error;
  const { code, message } = error as { code?: unknown; message: string };
  if (NO_PASSWORD.test(message)) return new StorageUnavailable('unreachable', NO_PASSWORD_TOLD);
  const fault = code === undefined ? faultOf(message) : FAULTS.find(([pattern]) => pattern.test(String(code)))?.[1];
  return fault === undefined ? (error as Error) : new StorageUnavailable(fault, message || String(code));
}

/** The library's messages if the server asks for a password that is missing or empty. */
const NO_PASSWORD = /client password must be a/;
const NO_PASSWORD_TOLD =
  'the server asks for a password, and none was given: set PGPASSWORD, or write it into the address';

/** The library's message if no connection of the pool is free in time. The server itself may work. */
export const NO_CONNECTION_IN_TIME = 'timeout exceeded when trying to connect';

/** The library's own errors have no code. */
function faultOf(message: string): StoreFault | undefined {
  return /connection|timeout|SSL|pool after calling end|not queryable/i.test(message) ? 'unreachable' : undefined;
}

/**
 * Returns whether a server was not reached, is starting or stopping, or accepts no writes for now, so a retry may
 * succeed. With a wrong name or password it does not.
 */
export function isGone(error: unknown): boolean {
  if (error instanceof StorageUnavailable && error.code === 'read_only') return true;
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as { code?: unknown; message: string };
  if (code === undefined) return faultOf(message) === 'unreachable' && !message.includes('SSL');
  return /^(?:08|53|57P|E[A-Z]+$)/.test(String(code));
}

const TRIES = 5;
/** Foreign key violated, serialization failure, deadlock. */
const UNDONE: readonly string[] = ['23503', '40001', '40P01'];

/**
 * Runs a write, and repeats it if the server rolled it back because of a concurrent one, such as one that deleted a
 * device. Rejects like the last try.
 */
export async function repeated<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as { code?: unknown };
      if (tries === TRIES || !UNDONE.includes(String(code))) throw error;
    }
  }
}
