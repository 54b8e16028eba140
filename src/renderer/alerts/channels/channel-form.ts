import { omit } from 'zod/mini';
import {
  CHANNEL_SECRETS,
  type ChannelConfig,
  type ChannelKindName,
  type ChannelSecret,
  type ChannelTarget,
  channel as channelSchema,
  channelSecret,
  TELEGRAM_SERVER,
} from '../../../shared/alerts/channel.ts';
import type { Input } from '../../../shared/owner-api/contract.ts';
import { newId } from '../../new-id.ts';

/** The kinds in the order in which they are offered. */
export const KINDS = ['ntfy', 'telegram', 'email', 'webhook', 'desktop'] as const satisfies readonly ChannelKindName[];

/** The typed fields of all kinds of channel. */
export interface TargetTexts {
  readonly server: string;
  readonly topic: string;
  readonly url: string;
  readonly chat: string;
  readonly host: string;
  readonly port: string;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly user: string;
  readonly from: string;
  readonly to: string;
}

/** A channel as typed into the form. */
export interface ChannelForm extends TargetTexts {
  readonly kind: ChannelKindName;
  readonly name: string;
  readonly isOn: boolean;
  readonly withoutValues: boolean;
  readonly maxPerHour: string;
  /** The changed secrets. undefined: the kept value does not change. null: it is deleted. */
  readonly secrets: { readonly [S in ChannelSecret]?: string | null };
}

export type ChannelField = keyof TargetTexts | 'maxPerHour' | ChannelSecret;

const NTFY_SERVER = 'https://ntfy.sh';

const NEW: ChannelForm = {
  ...{ kind: 'ntfy', name: '', isOn: true, withoutValues: false, maxPerHour: '20', secrets: {} },
  ...{
    server: NTFY_SERVER,
    topic: '',
    url: '',
    chat: '',
    host: '',
    port: '465',
    security: 'tls',
    user: '',
    from: '',
    to: '',
  },
};

/**
 * Returns the form of a new channel. Anyone who knows an ntfy topic can read it, so the topic is one that can't be
 * guessed.
 */
export function newChannel(kind: ChannelKindName): ChannelForm {
  const topic = kind === 'ntfy' ? `wellhouse-${newId().replaceAll('-', '').slice(0, 20)}` : '';
  return { ...NEW, kind, topic, server: kind === 'telegram' ? TELEGRAM_SERVER : NTFY_SERVER };
}

/** Returns the form of an existing channel. The node does not return its secrets. */
export function channelFormOf({ name, isOn, withoutValues, maxPerHour, target }: ChannelConfig): ChannelForm {
  return {
    ...newChannel(target.kind),
    ...{ name, isOn, withoutValues, maxPerHour: String(maxPerHour) },
    ...textsOf(target),
  };
}

function textsOf(target: ChannelTarget): Partial<TargetTexts> {
  switch (target.kind) {
    case 'email':
      return { ...target, port: String(target.port), user: target.user ?? '', to: target.to.join(', ') };
    case 'desktop':
      return {};
    default:
      return target;
  }
}

function targetOf(form: ChannelForm): unknown {
  const { kind } = form;
  switch (kind) {
    case 'ntfy':
      return { kind, server: form.server.trim(), topic: form.topic.trim() };
    case 'webhook':
      return { kind, url: form.url.trim() };
    case 'telegram':
      return { kind, server: form.server.trim() === '' ? TELEGRAM_SERVER : form.server.trim(), chat: form.chat.trim() };
    case 'email': {
      const { host, port, security, user, from, to } = form;
      const addresses = to.split(/[,;\s]+/).filter((address) => address !== '');
      const login = user.trim() === '' ? null : user.trim();
      return { kind, host, port: Number(port || Number.NaN), security, user: login, from: from.trim(), to: addresses };
    }
    case 'desktop':
      return { kind };
  }
}

/** The secrets that a kind has. */
export function secretsOf(kind: ChannelKindName): ChannelSecret[] {
  return channelSecret.options.filter((name) => CHANNEL_SECRETS[kind][name] !== undefined);
}

const inputSchema = omit(channelSchema, { id: true });

/** Returns the channel to write, or the fields that are not valid. */
export function channelOf(
  form: ChannelForm,
  id: string | null,
): { readonly input: Input<'writeAlertChannel'> } | { readonly refused: ReadonlySet<ChannelField> } {
  const { name, isOn, withoutValues, maxPerHour, kind } = form;
  const typed = { name, isOn, withoutValues, maxPerHour: Number(maxPerHour || Number.NaN), target: targetOf(form) };
  const checked = inputSchema.safeParse(typed);
  const secrets: Partial<Record<ChannelSecret, string | null>> = {};
  const refused = new Set<ChannelField>();
  for (const secret of secretsOf(kind)) {
    const text = form.secrets[secret];
    // A secret field that was opened and left empty changes nothing.
    if (text === undefined || text === '') continue;
    secrets[secret] = text === null ? null : text.trim();
    if (text !== null && !CHANNEL_SECRETS[kind][secret]!.test(text.trim())) refused.add(secret);
  }
  if (!checked.success) {
    for (const { path } of checked.error.issues)
      refused.add((path[0] === 'target' ? path[1] : path[0]) as ChannelField);
  }
  if (!checked.success || refused.size > 0) return { refused };
  return { input: { channel: { ...checked.data, id }, secrets } };
}

const KEY_BYTES = 32;

/** Returns a new signing key, in the format of Standard Webhooks. */
export function newSigningKey(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(KEY_BYTES))))}`;
}
