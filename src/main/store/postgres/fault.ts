import type { StoreFault } from '../../common/node-events.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';

/** By SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html, or the system's code for a connection. */
const FAULTS: readonly (readonly [RegExp, StoreFault])[] = [
  [/^53100/, 'full'],
  [/^(?:25006|42501)/, 'read_only'],
  [/^(?:40001|40P01|53300|55P03|57014)/, 'busy'],
  [/^(?:XX001|XX002)/, 'damaged'],
  // A table or a column that is not there: the schema is not one that this program knows.
  [/^(?:3F000|42P01|42703)/, 'newer'],
  [/^(?:08|28|3D000|53|57P|58|E[A-Z]+$|SELF_SIGNED|CERT_|UNABLE_TO|DEPTH_ZERO)/, 'unreachable'],
];

/** An error of a query or a connection as the store's: StorageUnavailable, or the error as it is where the query was wrong. */
export function unavailable(error: unknown): Error {
  if (error instanceof StorageUnavailable) return error;
  const { code, message } = error as { code?: unknown; message: string };
  const fault = code === undefined ? faultOf(message) : FAULTS.find(([pattern]) => pattern.test(String(code)))?.[1];
  return fault === undefined ? (error as Error) : new StorageUnavailable(fault, message || String(code));
}

/** The library's message for a pool that has no free connection in time: the server may be well. */
export const NO_CONNECTION_IN_TIME = 'timeout exceeded when trying to connect';

/** The library gives no code to what it finds by itself. */
function faultOf(message: string): StoreFault | undefined {
  return /connection|timeout|SSL|pool after calling end|not queryable/i.test(message) ? 'unreachable' : undefined;
}

/**
 * Whether a server was not reached, is starting or stopping, or takes no writes for now: the same again may succeed by itself. A
 * wrong name or password does not.
 */
export function isGone(error: unknown): boolean {
  if (error instanceof StorageUnavailable && error.code === 'read_only') return true;
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as { code?: unknown; message: string };
  if (code === undefined) return faultOf(message) === 'unreachable' && !message.includes('SSL');
  return /^(?:08|53|57P|E[A-Z]+$)/.test(String(code));
}

/**
 * Whether the server undid a transaction for the sake of another one, such as one that forgot a device: the same again may
 * succeed.
 */
export function isUndone(error: unknown): boolean {
  return ['23503', '40001', '40P01'].includes(String((error as { code?: unknown }).code));
}
