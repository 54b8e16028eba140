import { createHmac } from 'node:crypto';
import { isPlainBeyondLan } from '../../../shared/alerts/lan.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import type { ChannelKind } from './channel.ts';
import type { Notice } from './notice.ts';
import { post, statusError } from './request.ts';

const KEY_PREFIX = 'whsec_';

/**
 * Posts JSON, signed as specified by Standard Webhooks 1.0.0 (symmetric, `v1`):
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const webhook: ChannelKind<'webhook'> = {
  secretsFor: ({ url }) => new URL(url).origin,
  isPlainBeyondLan: ({ url }) => isPlainBeyondLan(new URL(url)),
  open({ target: { url }, secrets: { signingKey } }) {
    return {
      async send(notice, signal) {
        const json = webhookBody(notice);
        const timestamp = Math.floor(SYSTEM_CLOCK.now() / 1000);
        const headers = {
          'webhook-id': notice.id,
          'webhook-timestamp': String(timestamp),
          ...(signingKey === undefined
            ? {}
            : { 'webhook-signature': signature(signingKey, notice.id, timestamp, json) }),
        };
        const answer = await post({ url, headers, json, isAnswerRead: false }, signal);
        const error = statusError(answer);
        if (error !== null) throw error;
      },
    };
  },
};

function signature(key: string, id: string, timestamp: number, json: string): string {
  const bytes = Buffer.from(key.slice(KEY_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', bytes).update(`${id}.${timestamp}.${json}`).digest('base64')}`;
}

/**
 * Returns the body: `type`, `timestamp` and `data` as Standard Webhooks recommends them. Documented in docs/alerts.md.
 */
function webhookBody({ alert, numbers, ...notice }: Notice): string {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  return JSON.stringify({
    type: alert === null ? notice.kind : `alert.${notice.kind}`,
    timestamp: time(notice.at),
    data: {
      severity: notice.severity,
      title: notice.title,
      text: notice.text,
      language: notice.language,
      link: notice.link,
      alert: alert && {
        id: alert.id,
        rule: { id: alert.rule, kind: alert.kind, name: alert.name },
        device: notice.device,
        field: alert.field,
        store: alert.store,
        side: alert.side,
        numbers,
        since: time(alert.since),
        firedAt: time(alert.firedAt),
        endedAt: time(alert.endedAt),
        ended: alert.ended,
      },
      held: notice.held,
      ...(notice.digest === null
        ? {}
        : {
            digest: {
              every: notice.digest.isWeekly ? 'week' : 'day',
              from: time(notice.digest.from),
              to: time(notice.digest.to),
              isWell: notice.digest.isWell,
              counts: notice.digest.counts,
            },
          }),
    },
  });
}
