// The page checks its forms by these schemas: `zod/mini` is a third of the size of `zod`.
import * as z from 'zod/mini';
import { isZone } from '../owner-data/days.ts';
import { LANGUAGES, type Language } from '../texts/languages.ts';

export const MAX_CHANNELS = 50;

const url = z.url({ protocol: /^https?$/ }).check(z.maxLength(2000));
/** The URL has no user name and password: they would be shown with it. */
export const httpUrl = url.check(z.regex(/^[^/]+:\/\/[^/?#@]+(?:[/?#]|$)/));
/** The root of a server. */
const serverUrl = url.check(z.regex(/^[^/]+:\/\/[^/?#@]+\/?$/));
const hostName = z.string().check(z.trim(), z.maxLength(253), z.regex(/^[^\s/@]+$/));

/** Returns a schema of the whole numbers from `least` to `most`. */
const whole = (least: number, most: number) => z.int().check(z.gte(least), z.lte(most));

/** Telegram's own server. Other servers are local Bot API servers. */
export const TELEGRAM_SERVER = 'https://api.telegram.org';
/** The most messages of one channel in an hour. Further ones are combined into one message. */
const MAX_PER_HOUR = 20;

/** The destination of a channel's messages, without its secrets. */
export const channelTarget = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ntfy'),
    server: serverUrl,
    topic: z.string().check(z.regex(/^[-_A-Za-z0-9]{1,64}$/)),
  }),
  z.strictObject({ kind: z.literal('webhook'), url: httpUrl }),
  z.strictObject({
    kind: z.literal('telegram'),
    server: z._default(serverUrl, TELEGRAM_SERVER),
    /** The number of a chat, or `@name` of a public one. */
    chat: z.string().check(z.regex(/^(?:-?[0-9]{1,15}|@[A-Za-z0-9_]{4,64})$/)),
  }),
  z.strictObject({
    kind: z.literal('email'),
    host: hostName,
    port: whole(1, 65_535),
    /** `none`: unencrypted, for a server on this machine or its network. */
    security: z.enum(['tls', 'starttls', 'none']),
    /** null if the server requires no login. */
    user: z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
    from: z.email(),
    to: z.array(z.email()).check(z.minLength(1), z.maxLength(10)),
  }),
  /** The notifications of this desktop, and of browsers that have a tab open. */
  z.strictObject({ kind: z.literal('desktop') }),
]);
export type ChannelTarget = z.infer<typeof channelTarget>;
export type ChannelKindName = ChannelTarget['kind'];

export const channelSecret = z.enum(['token', 'signingKey', 'password']);
export type ChannelSecret = z.infer<typeof channelSecret>;

/** The secrets of each kind and their form. The owner enters them; they are never shown again. */
export const CHANNEL_SECRETS: {
  readonly [K in ChannelKindName]: { readonly [S in ChannelSecret]?: RegExp };
} = {
  ntfy: { token: /^[\x21-\x7e]+$/ },
  /** The form of Standard Webhooks: 24 to 64 bytes in base64. */
  webhook: { signingKey: /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/ },
  telegram: { token: /^[0-9]+:[A-Za-z0-9_-]+$/ },
  email: { password: /^[^\r\n]+$/ },
  desktop: {},
};

/** Returns whether a kind has secrets of these names and this form. null deletes a secret. */
export function areSecretsOf(kind: ChannelKindName, secrets: Partial<Record<ChannelSecret, string | null>>): boolean {
  return channelSecret.options.every((name) => {
    const secret = secrets[name];
    return secret === undefined || (CHANNEL_SECRETS[kind][name]?.test(secret ?? '') ?? false) || secret === null;
  });
}

export const channel = z.strictObject({
  id: z.uuid(),
  name: z.string().check(z.trim(), z.maxLength(100)),
  isOn: z.boolean(),
  /** Whether messages say what happened without numbers. */
  withoutValues: z.boolean(),
  maxPerHour: z._default(whole(1, 1000), MAX_PER_HOUR),
  target: channelTarget,
});
export type ChannelConfig = z.infer<typeof channel>;

const clockTime = z.string().check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/));

/** When the summary message is sent, and to which channels. */
export const digestSetting = z.strictObject({
  /** The day of a weekly summary, 1 for Monday to 7 for Sunday; null for every day. */
  weekday: z.nullable(whole(1, 7)),
  /** The local time in `zone`. */
  time: clockTime,
  /** The IANA name of the owner's time zone. */
  zone: z.string().check(z.maxLength(100), z.refine(isZone, { error: 'no time zone that is known' })),
  channels: z.union([z.literal('all'), z.array(z.uuid()).check(z.minLength(1), z.maxLength(MAX_CHANNELS))]),
});
export type DigestSetting = z.infer<typeof digestSetting>;

/** The options for all messages. */
export const alertOptions = z.strictObject({
  /** Warnings wait between these times of the node's local clock; critical alerts never wait. */
  quietHours: z.nullable(
    z
      .strictObject({ from: clockTime, to: clockTime })
      .check(z.refine(({ from, to }) => from !== to, { error: 'quiet all day' })),
  ),
  /** The start of links in messages: the address of the owner's view from elsewhere. null: messages have no links. */
  linkBase: z.nullable(httpUrl),
  /** The language of messages; null for the language of the settings, else the system's. */
  language: z.nullable(z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]])),
  /** The summary message; null if it is off. */
  digest: z._default(z.nullable(digestSetting), null),
});
export type AlertOptions = z.infer<typeof alertOptions>;
/** The options without the summary, which has a form of its own. */
export const commonOptions = z.omit(alertOptions, { digest: true });

export const NO_OPTIONS: AlertOptions = { quietHours: null, linkBase: null, language: null, digest: null };
