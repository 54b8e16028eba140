import { z } from 'zod';
import { LANGUAGES, type Language } from '../texts/languages.ts';

const httpUrl = z.url({ protocol: /^https?$/ }).max(2000);
const hostName = z.string().trim().min(1).max(253);

/** Where notices go, without what is secret about it. */
export const channelTarget = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('ntfy'),
    server: httpUrl,
    topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  }),
  z.strictObject({ kind: z.literal('webhook'), url: httpUrl }),
  z.strictObject({ kind: z.literal('telegram'), chat: z.string().trim().min(1).max(100) }),
  z.strictObject({
    kind: z.literal('email'),
    host: hostName,
    port: z.int().min(1).max(65_535),
    /** `none`: in clear, for a server on this machine or its network. */
    security: z.enum(['tls', 'starttls', 'none']),
    /** null: the server asks for no login. */
    user: z.string().trim().min(1).max(200).nullable(),
    from: z.email(),
    to: z.array(z.email()).min(1).max(10),
  }),
  /** Of this desktop, and of browsers while a tab is open. */
  z.strictObject({ kind: z.literal('desktop') }),
]);
export type ChannelTarget = z.infer<typeof channelTarget>;
export type ChannelKindName = ChannelTarget['kind'];

/** The secrets of each kind: handed in, and never shown again. */
export const CHANNEL_SECRETS = {
  ntfy: ['token'],
  webhook: ['signingKey'],
  telegram: ['token'],
  email: ['password'],
  desktop: [],
} as const satisfies Record<ChannelKindName, readonly string[]>;
export type ChannelSecret = (typeof CHANNEL_SECRETS)[ChannelKindName][number];
export const channelSecret = z.enum(['token', 'signingKey', 'password'] as const satisfies readonly ChannelSecret[]);

export const channel = z.strictObject({
  id: z.uuid(),
  name: z.string().trim().max(100),
  isOn: z.boolean(),
  /** Messages say what happened, without numbers. */
  withoutValues: z.boolean(),
  target: channelTarget,
});
export type ChannelConfig = z.infer<typeof channel>;

const clockTime = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/);

/** What holds for all messages. */
export const alertOptions = z.strictObject({
  /** Warnings wait from one time to the other, by this node's local time; critical alerts never do. */
  quietHours: z
    .strictObject({ from: clockTime, to: clockTime })
    .refine(({ from, to }) => from !== to, { error: 'quiet all day' })
    .nullable(),
  /** Where the owner's view is reached from elsewhere: links in messages begin so; null: messages have none. */
  linkBase: httpUrl.nullable(),
  /** Of messages; null: the language of the settings, else the system's. */
  language: z.enum(Object.keys(LANGUAGES) as [Language, ...Language[]]).nullable(),
});
export type AlertOptions = z.infer<typeof alertOptions>;

export const NO_OPTIONS: AlertOptions = { quietHours: null, linkBase: null, language: null };
