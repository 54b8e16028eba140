import type { WireResponse } from './wire-client.ts';

/** Short English lines about problems, for the person at the terminal. */

/** Returns the name of a device in a line: the first 8 digits of its id. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** Describes a request that got no answer. */
export function describeNoAnswer(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  // The error for a name with several addresses has no text of its own, but one error for each address.
  const text = message || errors?.[0]?.message || code || String(error);
  return `no answer from the node: ${text} (trying again)`;
}

/** Describes an answer with another status than those with results of the blocks. */
export function describeStatus({ status, body }: WireResponse): string {
  const { error, details } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: unknown;
    details?: { path?: unknown[]; message?: unknown }[];
  };
  const detail = Array.isArray(details) && details[0] ? `: ${details[0].path?.join('.')} ${details[0].message}` : '';
  return `the node answered ${status}${typeof error === 'string' ? ` ${error}` : ''}${detail}`;
}

/** Describes the error of one block. */
export function describeRefusal(error: string): string {
  const text = `the node refused: ${error.replaceAll(/[0-9a-fA-F]{64}/g, shortId)}`;
  if (!error.startsWith('Device not found')) return text;
  return `${text}. Like the firmware, a simulated device registers again only when it starts or gets a 404: start the simulator again, or let the device in at the node`;
}
