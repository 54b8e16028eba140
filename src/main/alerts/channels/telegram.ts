import { z } from 'zod';
import { isPlainBeyondLan } from '../../../shared/alerts/lan.ts';
import { ChannelError, type ChannelKind } from './channel.ts';
import type { Notice } from './notice.ts';
import { jsonOf, type PostAnswer, post, serverWords, statusError } from './request.ts';

/** The longest text of a message, in characters. */
const MAX_TEXT = 4096;
/**
 * If a server with Telegram's answers sends one of these, a retry would fail in the same way: wrong token, chat or
 * rights.
 */
const PERMANENT = [400, 401, 403, 404];

const answered = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({
    ok: z.literal(false),
    description: z.string().default(''),
    parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
  }),
]);

/** Sends messages of a bot: https://core.telegram.org/bots/api#sendmessage */
export const telegram: ChannelKind<'telegram'> = {
  secretsFor: ({ server }) => new URL(server).origin,
  isPlainBeyondLan: ({ server }) => isPlainBeyondLan(new URL(server)),
  open({ target: { server, chat }, secrets: { token } }) {
    return {
      async send(notice, signal) {
        if (token === undefined) throw new ChannelError('no_secret', 'the token of the bot', { isPermanent: true });
        // The token is part of the path, so the URL must not appear in any message or log.
        const url = new URL(`/bot${token}/sendMessage`, server).href;
        const answer = await post({ url, json: bodyOf(chat, notice), isAnswerRead: true }, signal);
        const error = errorOf(answer, token);
        if (error !== null) throw error;
      },
    };
  },
};

function bodyOf(chat: string, { title, text, link, kind }: Notice): string {
  return JSON.stringify({
    chat_id: chat.startsWith('@') ? chat : Number(chat),
    // Without a parse mode the text is literal: the name of a device can't be markup.
    text: [title, text, link]
      .filter((part) => part !== null && part !== '')
      .join('\n')
      .slice(0, MAX_TEXT)
      .toWellFormed(),
    link_preview_options: { is_disabled: true },
    disable_notification: kind === 'ended',
  });
}

function errorOf(answer: PostAnswer, token: string): ChannelError | null {
  const said = answered.safeParse(jsonOf(answer)).data;
  if (said === undefined) {
    return statusError(answer) ?? new ChannelError('unexpected', `HTTP ${answer.status}, but not as Telegram answers`);
  }
  if (said.ok) return statusError(answer);
  const { fault, detail } = statusError(answer) ?? new ChannelError('rejected', `HTTP ${answer.status}`);
  const words = serverWords(said.description, [token]);
  const moved = said.parameters?.migrate_to_chat_id;
  const text = [detail, words, moved === undefined ? '' : `the chat is now ${moved}`].filter(Boolean).join(': ');
  const seconds = said.parameters?.retry_after;
  return new ChannelError(fault, text, {
    isPermanent: PERMANENT.includes(answer.status),
    retryAfterMs: seconds === undefined ? null : Math.max(0, seconds) * 1000,
  });
}
