import { z } from 'zod';
import { httpUrl } from '../alerts/channel.ts';
import { isBackupRecipient } from '../crypto/age-keys.ts';
import { isAddress, isPrivateAddress } from '../private-address.ts';
import { BEARER_TOKEN, HOST_NAME, isBrokerUrl, isTopicPrefix, MAX_TOPIC_PREFIX } from './checks.ts';

/** The values of a setting: as JSON in the settings file, as text in the environment. */
export interface Kind<T> {
  readonly schema: z.ZodType<T, T>;
  /** The allowed values, for the message that refuses another value. */
  readonly allowed: string;
  /** Returns the value of a text that is not empty; `wrong` is the part of it that is not allowed. */
  readonly parse: (text: string) => { readonly value: T } | { readonly wrong: string };
}

const MAX_HOSTS = 100;
const MAX_PATH = 4096;

/** Returns the kind of a whole number in decimal digits. */
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

/** Returns the kind of one of some words. */
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

/** Returns a kind whose value may also be null; no text stands for null. */
export function nullable<T>({ schema, ...kind }: Kind<T>): Kind<T | null> {
  return { ...kind, schema: schema.nullable() };
}

/** A yes or no. */
export const flag: Kind<boolean> = {
  schema: z.boolean(),
  allowed: 'one of true, false',
  parse: (text) => (text === 'true' || text === 'false' ? { value: text === 'true' } : { wrong: text }),
};

/** A TCP port; 0 for any free one. */
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

/** Returns whether a text is an address, or a network such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isAddress(address) || address.includes('%')) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (address.includes(':') ? 128 : 32));
}

/** Addresses and networks; as text separated by commas. */
export const networks: Kind<string[]> = {
  schema: z.array(z.string().refine(isNetwork, { error: 'not an address or a network' })).max(MAX_HOSTS),
  allowed: 'IP addresses and networks separated by commas, such as 10.0.0.0/8',
  parse: (text) => {
    const value = text
      .split(',')
      .map((network) => network.trim())
      .filter((network) => network !== '');
    const wrong = value.find((network) => !isNetwork(network));
    return wrong === undefined ? { value } : { wrong };
  },
};

/** An address that no router forwards to the internet. */
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

/** The secret of a caller, as in a header. */
export const bearerToken: Kind<string> = {
  schema: z.string().regex(BEARER_TOKEN),
  allowed: '16 to 200 letters, digits and . _ ~ + / = -',
  parse: (text) => (BEARER_TOKEN.test(text) ? { value: text } : { wrong: text }),
};

/** The recipient of backups. */
export const backupRecipient: Kind<string> = {
  schema: z.string().refine(isBackupRecipient, { error: 'not an age recipient' }),
  allowed: 'an age recipient (age1…), as `identity --backup-key` prints it for a phrase',
  parse: (text) => (isBackupRecipient(text) ? { value: text } : { wrong: text }),
};

const TIME_OF_DAY = /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/;

/** A time of day in the node's local time. */
export const timeOfDay: Kind<string> = {
  schema: z.string().regex(TIME_OF_DAY),
  allowed: 'a time of the day such as 03:30',
  parse: (text) => (TIME_OF_DAY.test(text) ? { value: text } : { wrong: text }),
};

/** The address that messages are posted to. */
export const webhookUrl: Kind<string> = {
  // As a schema of `zod`, like the other kinds.
  schema: z.string().pipe(httpUrl),
  allowed: 'an http:// or https:// address of at most 2000 characters, without user and password',
  parse: (text) => (httpUrl.safeParse(text).success ? { value: text } : { wrong: text }),
};

/** The address of an MQTT broker. */
export const brokerUrl: Kind<string> = {
  schema: z.string().refine(isBrokerUrl, { error: 'no address of an MQTT broker' }),
  allowed:
    'mqtt://, mqtts://, ws:// or wss:// with a host, and a port where it is not the usual one; no user and password',
  parse: (text) => (isBrokerUrl(text) ? { value: text } : { wrong: text.replace(/\/\/[^/]*@/, '//…@') }),
};

// The pattern lists the hosts exactly, so that no part of an unencoded password is mistaken for a host and shown.
const DATABASE_URL =
  /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?(?:(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:,|(?=[/?]|$)))*(?:\/[^@/?#\s]*)?(?:\?[^#\s]*)?$/;

/** The address of a PostgreSQL database, with user and password. */
export const databaseUrl: Kind<string> = {
  schema: z.string().max(MAX_PATH).regex(DATABASE_URL),
  allowed:
    'postgres://user:password@host:port/database, several hosts separated by commas, special characters as %xx; sslmode, sslrootcert, sslcert and sslkey as for libpq; schema=name',
  parse: (text) => (text.length <= MAX_PATH && DATABASE_URL.test(text) ? { value: text } : { wrong: text }),
};

/** A name in one line, of a person or a program. */
export const userName: Kind<string> = {
  schema: z.string().regex(/^[^\p{Cc}]{1,200}$/u),
  allowed: 'up to 200 characters in one line',
  parse: (text) => (/^[^\p{Cc}]{1,200}$/u.test(text) ? { value: text } : { wrong: text }),
};

/** A password: any text in one line. */
export const password: Kind<string> = {
  schema: z.string().regex(/^[^\p{Cc}]{1,1000}$/u),
  allowed: 'up to 1000 characters in one line',
  parse: (text) => (/^[^\p{Cc}]{1,1000}$/u.test(text) ? { value: text } : { wrong: text }),
};

/** The first part of MQTT topics. */
export const topicPrefix: Kind<string> = {
  schema: z.string().refine(isTopicPrefix, { error: 'no beginning of a topic' }),
  allowed: `the beginning of a topic, such as wellhouse or home/wellhouse, without + # and a / at its ends, at most ${MAX_TOPIC_PREFIX} characters`,
  parse: (text) => (isTopicPrefix(text) ? { value: text } : { wrong: text }),
};

/** The first part of MQTT topics, or nothing. */
export const topicPrefixOrNone: Kind<string> = {
  schema: z.string().refine((text) => text === '' || isTopicPrefix(text), { error: 'no beginning of a topic' }),
  allowed: `${topicPrefix.allowed}; or empty`,
  parse: (text) => (text === '' || isTopicPrefix(text) ? { value: text } : { wrong: text }),
};
