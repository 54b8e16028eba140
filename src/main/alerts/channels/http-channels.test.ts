import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { someAlert, someFacts, someNotice } from '../../../../test/support/alert-notices.ts';
import { AlertServer, asNtfy, asTelegram, type Received } from '../../../../test/support/alert-servers.ts';
import { ENDINGS } from '../../../shared/alerts/alert.ts';
import type { ChannelTarget } from '../../../shared/alerts/channel.ts';
import { wordsOf } from '../words/words.ts';
import { ChannelError, type Secrets } from './channel.ts';
import { openChannel } from './kinds.ts';
import type { Notice } from './notice.ts';

const TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2';
const BOT = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

const servers: AlertServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function server(...args: Parameters<typeof AlertServer.start>): Promise<AlertServer> {
  const started = await AlertServer.start(...args);
  servers.push(started);
  return started;
}

/** Sends a message; resolves with the error if it was not accepted, or null. */
async function send(target: ChannelTarget, secrets: Secrets, notice: Notice): Promise<ChannelError | null> {
  const channel = openChannel({ target, secrets, show: async () => 'no_view' });
  try {
    await channel.send(notice, new AbortController().signal);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ChannelError);
    return error as ChannelError;
  }
}

describe('ntfy', () => {
  const target = (origin: string): ChannelTarget => ({ kind: 'ntfy', server: `${origin}/`, topic: 'garden_x7' });

  it('is called as its documentation says', async () => {
    const ntfy = await server(asNtfy(TOKEN));
    const notice = someNotice();
    expect(await send(target(ntfy.origin), { token: TOKEN }, notice)).toBeNull();
    expect(ntfy.bodies).toEqual([
      {
        topic: 'garden_x7',
        title: notice.title,
        message: notice.text,
        priority: 4,
        tags: ['warning'],
        sequence_id: notice.id,
        click: notice.link,
      },
    ]);
    expect(ntfy.requests[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('gets critical alerts at its highest priority, and an end at the usual one', async () => {
    const ntfy = await server(asNtfy(null));
    const alert = someAlert({ severity: 'critical' });
    await send(target(ntfy.origin), {}, someNotice({ severity: 'critical', alert }));
    await send(target(ntfy.origin), {}, someNotice({ severity: 'critical', alert, kind: 'ended', link: null }));
    expect(ntfy.bodies).toMatchObject([
      { priority: 5, tags: ['rotating_light'] },
      { priority: 3, tags: ['white_check_mark'] },
    ]);
    expect(ntfy.bodies[1]).not.toHaveProperty('click');
    expect(ntfy.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  it('that refuses token or topic does not get the same message again', async () => {
    const ntfy = await server(asNtfy('tk_another'));
    const error = await send(target(ntfy.origin), { token: TOKEN }, someNotice());
    expect(error).toMatchObject({ fault: 'unauthorized', detail: 'HTTP 401: unauthorized', isPermanent: true });
  });

  it('whose proxy refuses gets the message again', async () => {
    const ntfy = await server(() => ({ status: 403, json: 'blocked' }));
    expect(await send(target(ntfy.origin), {}, someNotice())).toMatchObject({
      fault: 'unauthorized',
      isPermanent: false,
    });
  });

  it('is distinguished from a portal that answers 200 to anything', async () => {
    const portal = await server((_request, response) => {
      response.end('<html>Please log in</html>');
      return undefined;
    });
    expect(await send(target(portal.origin), {}, someNotice())).toMatchObject({
      fault: 'unexpected',
      isPermanent: false,
    });
  });

  it('gets no message beyond its limit', async () => {
    const ntfy = await server(asNtfy(null));
    expect(await send(target(ntfy.origin), {}, someNotice({ text: '🌱'.repeat(3000) }))).toBeNull();
    const { message } = ntfy.bodies[0] as { message: string };
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
    expect(message).toMatch(/^🌱+…$/u);
  });
});

describe('a webhook', () => {
  const KEY = `whsec_${randomBytes(32).toString('base64')}`;
  const target = (origin: string): ChannelTarget => ({ kind: 'webhook', url: `${origin}/hooks/1?key=x` });

  /** Verifies as in the specification's "Verifying signatures", written from the specification alone. */
  function isAuthentic({ headers, body }: Received, key: string, now: number): boolean {
    const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
      return String(headers[name]);
    });
    if (!/^\d+$/.test(time!) || Math.abs(now / 1000 - Number(time)) > 300) return false;
    const secret = Buffer.from(key.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', secret).update(`${id}.${time}.${body}`, 'utf8').digest();
    return signatures!.split(' ').some((each) => {
      const [version, value = ''] = each.split(',');
      const given = Buffer.from(value, 'base64');
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
    });
  }

  it('is signed as Standard Webhooks says, with id and time', async () => {
    const hook = await server();
    const notice = someNotice();
    expect(await send(target(hook.origin), { signingKey: KEY }, notice)).toBeNull();
    const [request] = hook.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks/1?key=x', headers: { 'webhook-id': notice.id } });
    expect(isAuthentic(request!, KEY, Date.now())).toBe(true);
    expect(isAuthentic(request!, KEY, Date.now() + 301_000)).toBe(false);
    expect(isAuthentic({ ...request!, body: `${request!.body} ` }, KEY, Date.now())).toBe(false);
    const replayed = { ...request!.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) };
    expect(isAuthentic({ ...request!, headers: replayed }, KEY, Date.now())).toBe(false);
    expect(isAuthentic(request!, `whsec_${randomBytes(32).toString('base64')}`, Date.now())).toBe(false);
  });

  it('agrees with the known answer of the specification’s own libraries', async () => {
    const key = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signed = { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330' };
    const headers = { ...signed, 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' };
    const body = '{"test": 2432232314}';
    expect(isAuthentic({ method: 'POST', path: '/', headers, body }, key, 1_614_265_330_000)).toBe(true);
  });

  it('carries what docs/alerts.md shows', async () => {
    const hook = await server();
    const [id, rule, device] = ['0b7c…', '5d3f…', '3f9a…'];
    const alert = someAlert({ id, rule, device });
    const facts = someFacts({ alert, device: { id: device, name: 'Tank 1', unit: null } });
    const here = { language: 'en', systemLocale: 'en-GB', timeZone: 'Europe/Berlin', units: {} } as const;
    await send(
      target(hook.origin),
      {},
      wordsOf(facts, { ...here, linkBase: 'https://well.example/', withoutValues: false, mostBytes: 4000 }),
    );
    expect(hook.requests[0]!.headers).not.toHaveProperty('webhook-signature');
    const docs = readFileSync(join(import.meta.dirname, '../../../../docs/alerts.md'), 'utf8');
    const [, shown] = docs.match(/```json\n(.*?)```/s)!;
    // The ids in the docs are shortened.
    expect(JSON.parse(decodeURI(JSON.stringify(hook.bodies[0])))).toEqual(JSON.parse(shown!));
    for (const ending of ENDINGS) expect(docs.split('`alert.ended` |')[1]!.split('\n')[0]).toContain(`\`${ending}\``);
  });

  it.each([
    [400, 'rejected', false, null],
    [404, 'not_found', false, null],
    [410, 'not_found', true, null],
    [429, 'busy', false, 120_000],
    [503, 'server', false, 120_000],
  ])('that answers %d has received the message', async (status, fault, isPermanent, retryAfterMs) => {
    const hook = await server((_request, response) => {
      response.writeHead(status, { 'retry-after': '120' }).end();
      return undefined;
    });
    const error = await send(target(hook.origin), {}, someNotice());
    expect(error).toMatchObject({ fault, isPermanent, retryAfterMs, detail: `HTTP ${status}` });
  });

  it('that received the message need not end its answer', async () => {
    const hook = await server((_request, response) => {
      response.writeHead(200).write('x'.repeat(100_000));
      return undefined;
    });
    expect(await send(target(hook.origin), {}, someNotice())).toBeNull();
  });
});

describe('Telegram', () => {
  const target = (origin: string): ChannelTarget => ({ kind: 'telegram', server: origin, chat: '-1001234567890' });

  it('is sent the text as it is', async () => {
    const telegram = await server(asTelegram(BOT, -1_001_234_567_890));
    const notice = someNotice();
    expect(await send(target(telegram.origin), { token: BOT }, notice)).toBeNull();
    expect(telegram.bodies).toMatchObject([{ text: `${notice.title}\n${notice.text}\n${notice.link}` }]);
  });

  it('accepts a public chat by its name', async () => {
    const telegram = await server(asTelegram(BOT, '@garden_news'));
    const named = { ...target(telegram.origin), chat: '@garden_news' } as ChannelTarget;
    expect(await send(named, { token: BOT }, someNotice())).toBeNull();
  });

  it('that demands a wait gets no message until then', async () => {
    const parameters = { retry_after: 35 };
    const description = 'Too Many Requests: retry after 35';
    const telegram = await server(() => ({
      status: 429,
      json: { ok: false, error_code: 429, description, parameters },
    }));
    expect(await send(target(telegram.origin), { token: BOT }, someNotice())).toMatchObject({
      ...{ fault: 'busy', retryAfterMs: 35_000, isPermanent: false },
      detail: `HTTP 429: ${description}`,
    });
  });

  it('reports in its own words why a message failed, and where a chat moved', async () => {
    const telegram = await server(asTelegram(BOT, 1));
    expect(await send(target(telegram.origin), { token: BOT }, someNotice())).toMatchObject({
      ...{ fault: 'rejected', detail: 'HTTP 400: Bad Request: chat not found', isPermanent: true },
    });
    const parameters = { migrate_to_chat_id: -100_777 };
    telegram.answer = () => ({
      status: 400,
      json: { ok: false, error_code: 400, description: 'upgraded', parameters },
    });
    const error = await send(target(telegram.origin), { token: BOT }, someNotice());
    expect(error?.detail).toBe('HTTP 400: upgraded: the chat is now -100777');
  });

  it('never reveals its token, whatever fails', async () => {
    const telegram = await server();
    const said = `bot${BOT} ${encodeURIComponent(BOT)} ${Buffer.from(BOT).toString('base64')}`;
    const errors = [await send(target('http://127.0.0.1:1'), { token: BOT }, someNotice())];
    for (const status of [302, 400, 404, 500]) {
      telegram.answer = (_request, response) => {
        response.writeHead(status, { location: `/elsewhere/bot${BOT}` });
        response.end(JSON.stringify({ ok: false, error_code: status, description: `no ${said}` }));
        return undefined;
      };
      errors.push(await send(target(telegram.origin), { token: BOT }, someNotice()));
    }
    expect(errors).not.toContain(null);
    const [, secret] = BOT.split(':');
    for (const error of errors) {
      for (const text of [error!.message, error!.stack, error!.detail, JSON.stringify(error)]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(BOT).toString('base64'));
      }
    }
  });

  it('without a token gets no request', async () => {
    const telegram = await server();
    expect(await send(target(telegram.origin), {}, someNotice())).toMatchObject({
      fault: 'no_secret',
      isPermanent: true,
    });
    expect(telegram.requests).toEqual([]);
  });
});
