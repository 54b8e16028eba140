import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { AlertServer } from '../../../../test/support/alert-servers.ts';
import { ownCertificate } from '../../../../test/support/certificate.ts';
import { ChannelError } from './channel.ts';
import { type Post, post, serverWords } from './request.ts';

const SECRET = 'tk_correcthorsebatterystaple';

const closing: (() => Promise<unknown>)[] = [];
const caCertificates = getCACertificates('default');
afterEach(async () => {
  setDefaultCACertificates(caCertificates);
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function server(...args: Parameters<typeof AlertServer.start>): Promise<AlertServer> {
  const started = await AlertServer.start(...args);
  closing.push(() => started.close());
  return started;
}

/** Posts with secrets in the address and a header. Returns the error, which must not contain them. */
async function failure(url: string, options: Partial<Post> = {}, signal = new AbortController().signal) {
  const headers = { authorization: `Bearer ${SECRET}` };
  try {
    await post(
      { url: `${url}/hook/${SECRET}?key=${SECRET}`, headers, json: '{}', isAnswerRead: true, ...options },
      signal,
    );
  } catch (error) {
    expect(error).toBeInstanceOf(ChannelError);
    const { message, stack, cause } = error as ChannelError;
    for (const text of [message, stack, JSON.stringify(error), JSON.stringify(cause)]) {
      expect(text ?? '').not.toContain(SECRET);
    }
    return error as ChannelError;
  }
  throw new Error('it was taken');
}

it('follows no redirect, and names only its server', async () => {
  const other = await server();
  const first = await server();
  for (const status of [300, 301, 302, 303, 307, 308]) {
    first.answer = (_request, response) => {
      response.writeHead(status, { location: `${other.origin}/steal?key=${SECRET}` }).end();
      return undefined;
    };
    expect(await failure(first.origin)).toMatchObject({
      fault: 'redirect',
      detail: `HTTP ${status} to ${other.origin}`,
    });
  }
  first.answer = (_request, response) => {
    response.writeHead(308, { location: `/moved/${SECRET}` }).end();
    return undefined;
  };
  expect((await failure(first.origin)).detail).toBe('HTTP 308 to another address of the same server');
  expect(first.requests).toHaveLength(7);
  expect(other.requests).toEqual([]);
});

it('accepts no answer over 64 KiB, and none without an end', async () => {
  const huge = await server((_request, response) => {
    const more = () => {
      if (!response.destroyed) response.write('x'.repeat(16_384), more);
    };
    more();
    return undefined;
  });
  expect(await failure(huge.origin)).toMatchObject({
    fault: 'unexpected',
    detail: 'HTTP 200, an answer of over 64 KiB',
  });
  const endless = await server((_request, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
    return undefined;
  });
  expect(await failure(endless.origin, { timeoutMs: 200 })).toMatchObject({ fault: 'timeout' });
});

it('has a timeout for a silent server', async () => {
  const silent = await server(() => undefined);
  expect(await failure(silent.origin, { timeoutMs: 100 })).toMatchObject({ fault: 'timeout', isPermanent: false });
  expect(await failure(silent.origin, {}, AbortSignal.timeout(100))).toMatchObject({ fault: 'timeout' });
});

it('names the fault of a connection', async () => {
  expect(await failure('http://no-such-host.invalid')).toMatchObject({ fault: 'dns', isPermanent: false });
  const gone = await AlertServer.start();
  await gone.close();
  expect(await failure(gone.origin)).toMatchObject({ fault: 'refused', detail: 'ECONNREFUSED' });
  const cut = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => cut.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => cut.close(resolve)));
  const { port } = cut.address() as { port: number };
  expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ fault: 'unreachable' });
  expect(await failure(`https://127.0.0.1:${(await server()).origin.split(':')[2]}`)).toMatchObject({ fault: 'tls' });
  expect(await failure('file:///etc')).toMatchObject({ fault: 'unexpected' });
});

it('sends nothing to a server with an invalid certificate', async () => {
  const right = ownCertificate(['127.0.0.1', 'localhost']);
  const other = ownCertificate(['other.example']);
  const old = ownCertificate(['127.0.0.1'], 0);
  const servers = await Promise.all([right, other, old].map((certificate) => server(undefined, certificate)));
  const [good, misnamed, expired] = servers.map(({ origin }) => origin);
  expect(await failure(good!)).toMatchObject({ fault: 'certificate_untrusted', detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  setDefaultCACertificates([...caCertificates, right.cert, other.cert, old.cert]);
  expect(await failure(misnamed!)).toMatchObject({ fault: 'certificate_name' });
  expect(await failure(expired!)).toMatchObject({ fault: 'certificate_expired' });
  expect(servers.flatMap(({ requests }) => requests)).toEqual([]);
  const signal = new AbortController().signal;
  expect(await post({ url: good!, json: '{}', isAnswerRead: true }, signal)).toMatchObject({ status: 204 });
});

it('shows a server’s words as one line without secrets or tricks', () => {
  const words = `<b>no</b>\n\u202e${SECRET} ${encodeURIComponent('p/w=')} ${Buffer.from('p/w=').toString('base64')}`;
  expect(serverWords(words, [SECRET, 'p/w='])).toBe('<b>no</b> … … …');
  expect(serverWords('x'.repeat(5000), []).length).toBeLessThanOrEqual(200);
  expect(serverWords({ not: 'text' }, [])).toBe('');
});
