/**
 * Values between the page and the main bundle: those of Electron's structured clone that this app sends. Other values
 * throw, as in Electron those that can't be cloned.
 */

interface Tagged {
  readonly $: 'bytes' | 'undefined';
  readonly value?: string;
}

/** Returns a value as JSON text. */
export function encode(value: unknown): string {
  return JSON.stringify(toPlain(value));
}

/** Returns the value of a JSON text. */
export function decode(text: string): unknown {
  return fromPlain(JSON.parse(text));
}

function toPlain(value: unknown): unknown {
  if (value === undefined) return { $: 'undefined' } satisfies Tagged;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Uint8Array) {
    return { $: 'bytes', value: btoa(String.fromCharCode(...value)) } satisfies Tagged;
  }
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlain(member)]));
  }
  throw new Error('An object could not be cloned.');
}

function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== 'object' || value === null) return value;
  if ('$' in value) {
    const { $, value: inner = '' } = value as Tagged;
    return $ === 'undefined' ? undefined : Uint8Array.from(atob(inner), (character) => character.charCodeAt(0));
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fromPlain(member)]));
}
