import { z } from 'zod';
import { isPlainBeyondLan } from '../../../shared/alerts/lan.ts';
import { ChannelError, type ChannelKind } from './channel.ts';
import type { Notice } from './notice.ts';
import { jsonOf, post, serverWords, statusError } from './request.ts';

/** From 1 to 5; 3 is usual. */
const PRIORITIES = { ended: 3, repeated: 4, warning: 4, critical: 5 } as const;
/** Above, ntfy makes an attachment of the message. */
const MAX_MESSAGE_BYTES = 4096;

/** The part of ntfy's answer that matters: an error has a code of its own. */
const published = z.object({ id: z.string(), event: z.literal('message'), topic: z.string() });
const refusal = z.object({ code: z.int(), http: z.int(), error: z.string() });

/** ntfy, by "publish as JSON": https://docs.ntfy.sh/publish/#publish-as-json */
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
          // With an error of its own it is ntfy that refuses, and no proxy in front of it.
          const isPermanent = refused.success && [400, 401, 403, 413].includes(answer.status);
          throw new ChannelError(error.fault, error.detail, {
            isPermanent: isPermanent || error.isPermanent,
            retryAfterMs: error.retryAfterMs,
          });
        }
        // A portal in between answers 200 to anything.
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
    // A message that is sent again takes the place of the first (since ntfy 2.16; earlier ones pass over it).
    sequence_id: id,
    ...(link === null ? {} : { click: link }),
  });
}

/** Shown as an emoji: https://docs.ntfy.sh/emojis/ */
function tagOf({ kind, severity }: Notice): string {
  if (kind === 'ended') return 'white_check_mark';
  if (kind === 'test') return 'bell';
  if (kind === 'digest') return 'clipboard';
  return severity === 'critical' ? 'rotating_light' : 'warning';
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return text;
  // A character that is cut in two is left out.
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_MESSAGE_BYTES - 8)).replace(/\ufffd+$/, '')}…`;
}
