import { z } from 'zod';
import { isBackupRecipient } from '../crypto/age-keys.ts';
import { isAddress, isPrivateAddress } from '../private-address.ts';

/** What values a setting may have: as JSON in the settings file, as text in the environment. */
export interface Kind<T> {
  readonly schema: z.ZodType<T, T>;
  /** What is allowed, as the line says that refuses another value. */
  readonly allowed: string;
  /** The value of a text that is not empty; `wrong` is the part of it that is not allowed. */
  readonly parse: (text: string) => { readonly value: T } | { readonly wrong: string };
}

/** A host name in lowercase, without port or scheme. */
export const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;
const MAX_HOSTS = 100;
const MAX_PATH = 4096;

/** A whole number, written in decimal digits. */
export function integer(min: number, max: number): Kind<number> {
  return {
    schema: z.int().min(min).max(max),
    allowed: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? { value } : { wrong: text };
    },
  };
}

/** One of some words. */
export function choice<const T extends string>(...values: readonly T[]): Kind<T> {
  return {
    schema: z.enum(values),
    allowed: `one of ${values.join(', ')}`,
    parse: (text) => {
      const value = values.find((each) => each === text);
      return value === undefined ? { wrong: text } : { value };
    },
  };
}

/** A kind whose value may also be null, which no text says. */
export function nullable<T>({ schema, ...kind }: Kind<T>): Kind<T | null> {
  return { ...kind, schema: schema.nullable() };
}

/** Whether something is so. */
export const flag: Kind<boolean> = {
  schema: z.boolean(),
  allowed: 'one of true, false',
  parse: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : { wrong: text }),
};

/** A port of TCP; 0 takes any free one. */
export const port = integer(0, 65_535);

/** A folder or a file. */
export const path: Kind<string> = {
  schema: z.string().min(1).max(MAX_PATH),
  allowed: 'a path',
  parse: (value) => ({ value }),
};

const isHost = (text: string): boolean => HOST_NAME.test(text) || (isAddress(text) && !text.includes('%'));

/** Names or addresses of hosts; as text separated by commas, in any case. */
export const hostNames: Kind<string[]> = {
  schema: z.array(z.string().refine(isHost, { error: 'not a host name or an address' })).max(MAX_HOSTS),
  allowed: 'host names or addresses separated by commas, without port or scheme',
  parse: (text) => {
    const value = text
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== '');
    const wrong = value.find((host) => !isHost(host));
    return wrong === undefined ? { value } : { wrong };
  },
};

/** An address that no router passes on to the internet. */
export const privateAddress: Kind<string> = {
  schema: z.string().refine(isPrivateAddress, { error: 'not a private address' }),
  allowed: 'a private IP address of this machine, such as 192.168.1.5',
  parse: (text) => (isPrivateAddress(text) ? { value: text } : { wrong: text }),
};

/** Any address of this machine, or all of them. */
export const listenAddress: Kind<string> = {
  schema: z.string().refine(isAddress, { error: 'not an IP address' }),
  allowed: 'an IP address of this machine, such as 192.168.1.5; 0.0.0.0 is all of them',
  parse: (text) => (isAddress(text) ? { value: text } : { wrong: text }),
};

/** What proves who asks, as it stands in a header. */
export const bearerToken: Kind<string> = {
  schema: z.string().regex(/^[\w.~+/=-]{16,200}$/),
  allowed: '16 to 200 letters, digits and . _ ~ + / = -',
  parse: (text) => (/^[\w.~+/=-]{16,200}$/.test(text) ? { value: text } : { wrong: text }),
};

/** What backups are encrypted to. */
export const backupRecipient: Kind<string> = {
  schema: z.string().refine(isBackupRecipient, { error: 'not an age recipient' }),
  allowed: 'an age recipient (age1…), as `identity --backup-key` prints it for a phrase',
  parse: (text) => (isBackupRecipient(text) ? { value: text } : { wrong: text }),
};

const TIME_OF_DAY = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

/** A time of the day where the node is. */
export const timeOfDay: Kind<string> = {
  schema: z.string().regex(TIME_OF_DAY),
  allowed: 'a time of the day such as 03:30',
  parse: (text) => (TIME_OF_DAY.test(text) ? { value: text } : { wrong: text }),
};
