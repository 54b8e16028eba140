import { z } from 'zod';
import { isPlainBeyondLan } from '../../../shared/alerts/lan.ts';
import { ChannelError, type ChannelKind } from './channel.ts';
import type { Notice } from './notice.ts';
import { jsonOf, post, serverWords, statusError } from './request.ts';

/** The priorities from 1 to 5; 3 is the default. */
const PRIORITIES = { ended: 3, repeated: 4, warning: 4, critical: 5 } as const;
/** Above this size, ntfy turns the message into an attachment. */
const MAX_MESSAGE_BYTES = 4096;

/** The part of ntfy's answer that is needed. An error has its own code. */
const published = z.object({ id: z.string(), event: z.literal('message'), topic: z.string() });
const refusal = z.object({ code: z.int(), http: z.int(), error: z.string() });

/** Sends messages to ntfy with "publish as JSON": https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy: ChannelKind<'ntfy'> = {
  secretsFor: ({ server }) => new URL(server).origin,
  isPlainBeyondLan: ({ server }) => isPlainBeyondLan(new URL(server)),
  open({ target: { server, topic }, secrets: { token } }) {
    return {
      async send(notice, signal) {
        const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
        const answer = await post({ url: server, headers, json: bodyOf(topic, notice), isAnswerRead: true }, signal);
        const said = jsonOf(answer);
        const refused = refusal.safeParse(said);
        const words = refused.success ? serverWords(refused.data.error, [token ?? '', topic]) : '';
        const error = statusError(answer, words);
        if (error !== null) {
          // An error in ntfy's own format comes from ntfy and not from a proxy in front of it.
          const isPermanent = refused.success && [400, 401, 403, 413].includes(answer.status);
          throw new ChannelError(error.fault, error.detail, {
            isPermanent: isPermanent || error.isPermanent,
            retryAfterMs: error.retryAfterMs,
          });
        }
        // A captive portal in between answers 200 to anything.
        if (published.safeParse(said).data?.topic !== topic) {
          throw new ChannelError('unexpected', `HTTP ${answer.status}, but not as ntfy answers`);
        }
      },
    };
  },
};

function bodyOf(topic: string, notice: Notice): string {
  const { id, kind, severity, title, text, link } = notice;
  return JSON.stringify({
    topic,
    title,
    message: cut(text),
    priority: kind === 'fired' ? PRIORITIES[severity] : kind === 'repeated' ? PRIORITIES.repeated : PRIORITIES.ended,
    tags: [tagOf(notice)],
    // A message that is sent again replaces the first one (since ntfy 2.16; earlier versions ignore this).
    sequence_id: id,
    ...(link === null ? {} : { click: link }),
  });
}

/** ntfy shows it as an emoji: https://docs.ntfy.sh/emojis/ */
function tagOf({ kind, severity }: Notice): string {
  if (kind === 'ended') return 'white_check_mark';
  if (kind === 'test') return 'bell';
  if (kind === 'digest') return 'clipboard';
  return severity === 'critical' ? 'rotating_light' : 'warning';
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  // Leaves out a character that was cut in two.
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_MESSAGE_BYTES - 8)).replace(/\ufffd+$/, '')}…`;
}
