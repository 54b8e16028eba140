import type { StoreFault } from '../../common/node-events.ts';
import { StorageUnavailable } from '../storage-unavailable.ts';

/** By SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html, or the system's code for a connection. */
const FAULTS: readonly (readonly [RegExp, StoreFault])[] = [
  [/^53100/, 'full'],
  [/^(?:25006|42501)/, 'read_only'],
  [/^(?:40001|40P01|53300|55P03|57014)/, 'busy'],
  [/^(?:XX001|XX002)/, 'damaged'],
  [/^(?:08|28|3D000|53|57P|58|E[A-Z]+$)/, 'unreachable'],
];

/** An error of a query or a connection as the store's: StorageUnavailable, or the error as it is where the query was wrong. */
export function unavailable(error: unknown): Error {
  const { code, message } = error as { code?: unknown; message: string };
  // The library gives no code where a connection ends within a query.
  const isLost = code === undefined && /connection|timeout/i.test(message);
  const fault = isLost ? 'unreachable' : FAULTS.find(([pattern]) => pattern.test(String(code)))?.[1];
  return fault === undefined ? (error as Error) : new StorageUnavailable(fault, message);
}

/** Whether the server undid a transaction for the sake of another one: the same again may succeed. */
export function isUndone(error: unknown): boolean {
  return ['40001', '40P01'].includes(String((error as { code?: unknown }).code));
}
