import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { someAlert, someNotice } from '../../../../test/support/alert-notices.ts';
import { ownCertificate } from '../../../../test/support/certificate.ts';
import { ChannelError, type TargetOf } from './channel.ts';
import { openChannel } from './kinds.ts';
import type { Notice } from './notice.ts';

const PASSWORD = 'pässword/correct+horse';
const certificate = ownCertificate(['localhost', '127.0.0.1']);

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly isSecure: boolean;
}

const closing: (() => void)[] = [];
const caCertificates = getCACertificates('default');
afterEach(() => {
  setDefaultCACertificates(caCertificates);
  for (const close of closing.splice(0)) close();
});

function trust(...certificates: string[]): void {
  setDefaultCACertificates([...caCertificates, ...certificates]);
}

/** Starts a real mail server on this machine. */
async function mailServer(options: SMTPServerOptions = {}): Promise<{ port: number; mails: Mail[]; logins: string[] }> {
  const mails: Mail[] = [];
  const logins: string[] = [];
  const server = new SMTPServer({
    ...{ key: certificate.key, cert: certificate.cert, logger: false },
    onAuth({ username, password }, session, done) {
      logins.push(`${username} ${session.secure}`);
      if (username === 'grower' && password === PASSWORD) done(null, { user: username });
      // Repeats the password, as some servers do.
      else done(new Error(`wrong: ${password} ${Buffer.from(`\0${username}\0${password}`).toString('base64')}`));
    },
    onData(stream, { envelope, secure }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, text: Buffer.concat(parts).toString('utf8'), isSecure: secure });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close(() => {}));
  return { port: (server.server.address() as AddressInfo).port, mails, logins };
}

function target(port: number, change: Partial<TargetOf<'email'>> = {}): TargetOf<'email'> {
  return {
    ...{ kind: 'email', host: 'localhost', port, security: 'starttls', user: 'grower' },
    ...{ from: 'well@garden.example', to: ['ana@garden.example', 'bo@garden.example'] },
    ...change,
  };
}

async function send(to: TargetOf<'email'>, notice: Notice, password?: string): Promise<ChannelError | null> {
  const secrets = password === undefined ? {} : { password };
  try {
    await openChannel({ target: to, secrets, show: async () => 'no_view' }).send(notice, new AbortController().signal);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(ChannelError);
    for (const secret of [PASSWORD, Buffer.from(`\0grower\0${PASSWORD}`).toString('base64')]) {
      for (const text of [(error as ChannelError).stack, JSON.stringify(error)]) expect(text).not.toContain(secret);
    }
    return error as ChannelError;
  }
}

/** Parses headers (lower-case names, unfolded) and the body. */
function read({ text }: Mail): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]);
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

describe('mail', () => {
  it('is sent by STARTTLS with a login, and with an id that no retry changes', async () => {
    const server = await mailServer();
    trust(certificate.cert);
    const notice = someNotice();
    expect(await send(target(server.port), notice, PASSWORD)).toBeNull();
    expect(await send(target(server.port), notice, PASSWORD)).toBeNull();
    expect(server.logins).toEqual(['grower true', 'grower true']);
    const [first, second] = server.mails.map(read);
    expect(server.mails[0]).toMatchObject({
      from: 'well@garden.example',
      to: ['ana@garden.example', 'bo@garden.example'],
      isSecure: true,
    });
    expect(first!.headers).toMatchObject({
      from: 'Wellhouse <well@garden.example>',
      'message-id': `<${notice.id}@garden.example>`,
      references: `<${notice.alert!.id}@garden.example>`,
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(second!.headers['message-id']).toBe(first!.headers['message-id']);
    const subject = first!.headers.subject!.replaceAll(/\?= =\?UTF-8\?[QB]\?/g, '');
    expect(subject).toMatch(/^=\?UTF-8\?/);
    expect(server.mails[0]!.text).toContain(notice.link);
  });

  it('contains a summary as text and as HTML, each complete', async () => {
    const server = await mailServer({ secure: true });
    trust(certificate.cert);
    const summary = someNotice({
      alert: null,
      kind: 'digest',
      text: 'All 3 are well.',
      html: '<h1>All 3 are well.</h1>',
    });
    expect(await send(target(server.port, { security: 'tls' }), summary, PASSWORD)).toBeNull();
    const { headers, body } = read(server.mails[0]!);
    expect(headers['content-type']).toMatch(/^multipart\/alternative;/);
    expect(headers).not.toHaveProperty('references');
    const [, boundary] = headers['content-type']!.match(/boundary="(.*?)"/)!;
    const parts = body.split(`--${boundary}`).map((part) => part.split('\r\n\r\n'));
    expect(parts[1]![0]).toContain('text/plain; charset=utf-8');
    expect(parts[1]![1]).toContain('All 3 are well.');
    expect(parts[1]!.join()).toContain(summary.link);
    expect(parts[2]![0]).toContain('text/html; charset=utf-8');
    expect(parts[2]![1]).toContain('<h1>All 3 are well.</h1>');
  });

  it('can be encrypted from the start', async () => {
    const server = await mailServer({ secure: true });
    trust(certificate.cert);
    const critical = someNotice({ severity: 'critical', alert: someAlert({ severity: 'critical' }) });
    expect(await send(target(server.port, { security: 'tls' }), critical, PASSWORD)).toBeNull();
    expect(server.mails[0]).toMatchObject({ isSecure: true });
    expect(read(server.mails[0]!).headers).toMatchObject({ importance: 'High' });
  });

  it('never sends a password unencrypted, also if the server offers no encryption', async () => {
    const server = await mailServer({ disabledCommands: ['STARTTLS'], authOptional: true });
    expect(await send(target(server.port), someNotice(), PASSWORD)).toMatchObject({ fault: 'tls', isPermanent: false });
    const plain = await mailServer();
    expect(await send(target(plain.port, { security: 'tls' }), someNotice(), PASSWORD)).toMatchObject({ fault: 'tls' });
    expect([...server.logins, ...server.mails, ...plain.logins]).toEqual([]);
  });

  it('is sent unencrypted only to this machine and its network', async () => {
    const server = await mailServer({ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true });
    const plain = target(server.port, { security: 'none', user: null });
    expect(await send(plain, someNotice())).toBeNull();
    expect(server.mails[0]).toMatchObject({ isSecure: false });
    // This is a documentation address. It is checked first, so no connection is tried.
    expect(await send({ ...plain, host: '192.0.2.1' }, someNotice())).toMatchObject({
      ...{ fault: 'plain_beyond_lan', detail: '192.0.2.1 is 192.0.2.1', isPermanent: true },
    });
  });

  it('names the fault of a certificate', async () => {
    const server = await mailServer();
    expect(await send(target(server.port), someNotice(), PASSWORD)).toMatchObject({ fault: 'certificate_untrusted' });
    const old = ownCertificate(['localhost'], 0);
    const other = ownCertificate(['mail.example']);
    trust(old.cert, other.cert);
    const expired = await mailServer({ ...old });
    expect(await send(target(expired.port), someNotice(), PASSWORD)).toMatchObject({ fault: 'certificate_expired' });
    const misnamed = await mailServer({ ...other, secure: true });
    const direct = target(misnamed.port, { security: 'tls' });
    expect(await send(direct, someNotice(), PASSWORD)).toMatchObject({ fault: 'certificate_name' });
    expect([...server.logins, ...expired.logins, ...misnamed.logins]).toEqual([]);
  });

  it('reports a wrong password without the server’s words', async () => {
    const server = await mailServer();
    trust(certificate.cert);
    expect(await send(target(server.port), someNotice(), `${PASSWORD}!`)).toMatchObject({
      ...{ fault: 'unauthorized', detail: 'SMTP 535', isPermanent: true },
    });
    expect(await send(target(server.port), someNotice())).toMatchObject({ fault: 'no_secret' });
  });

  it('distinguishes a permanent refusal from a temporary one', async () => {
    const refuse = (code: number) => ({
      onRcptTo: (_address: unknown, _session: unknown, done: (error: Error) => void) => {
        done(Object.assign(new Error(`not now, ${PASSWORD}`), { responseCode: code }));
      },
    });
    trust(certificate.cert);
    const busy = await mailServer(refuse(451));
    expect(await send(target(busy.port), someNotice(), PASSWORD)).toMatchObject({ fault: 'busy', isPermanent: false });
    const never = await mailServer(refuse(550));
    expect(await send(target(never.port), someNotice(), PASSWORD)).toMatchObject({
      fault: 'rejected',
      isPermanent: true,
    });
  });

  it('is not sent again to addresses that received it', async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('bo@') ? new Error('no such user') : null),
    });
    trust(certificate.cert);
    const error = await send(target(server.port), someNotice(), PASSWORD);
    expect(error).toMatchObject({ fault: 'rejected', detail: 'not for bo@garden.example', isPermanent: true });
    expect(server.mails.map(({ to }) => to)).toEqual([['ana@garden.example']]);
  });

  it('reports a missing mail server', async () => {
    expect(await send(target(1), someNotice(), PASSWORD)).toMatchObject({ fault: 'refused', isPermanent: false });
    const nowhere = target(25, { host: 'no-such-host.invalid' });
    expect(await send(nowhere, someNotice(), PASSWORD)).toMatchObject({ fault: 'dns' });
  });
});
