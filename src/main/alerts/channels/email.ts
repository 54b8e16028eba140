import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { isOnLan } from '../../../shared/alerts/lan.ts';
import { ChannelError, type ChannelKind, type Secrets, type TargetOf } from './channel.ts';
import { netError } from './net-faults.ts';
import type { Notice } from './notice.ts';
import { serverWords } from './request.ts';

const TIMEOUT_MS = 10_000;
/** The limit for the whole delivery, which has many steps. */
const DEADLINE_MS = 30_000;

type Target = TargetOf<'email'>;

/** Sends mail by SMTP. It is encrypted unless the owner says that the server is on this machine or its network. */
export const email: ChannelKind<'email'> = {
  secretsFor: ({ host, port, security, user }) => JSON.stringify([host.toLowerCase(), port, security, user]),
  isPlainBeyondLan: ({ host, security }) => security === 'none' && !isOnLan(host),
  open: ({ target, secrets }) => ({
    async send(notice, signal) {
      if (target.user !== null && secrets.password === undefined) {
        throw new ChannelError('no_secret', 'the password', { isPermanent: true });
      }
      const ended = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
      await checkNear(target);
      // Loaded when it is needed: most nodes send no mail.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(optionsOf(target, secrets));
      try {
        const { rejected } = await transport.sendMail({ ...mailOf(target, notice), signal: ended });
        // The other recipients have the message, so it is not sent again.
        if (rejected.length > 0) {
          throw new ChannelError('rejected', `not for ${rejected.join(', ')}`, { isPermanent: true });
        }
      } catch (error) {
        throw ended.aborted ? netError(ended.reason) : mailError(error, secrets, target);
      } finally {
        transport.close();
      }
    },
  }),
};

/** Throws ChannelError if the connection is not encrypted and an address of the server is outside of this network. */
async function checkNear({ host, security }: Target): Promise<void> {
  if (security !== 'none') return;
  let addresses: readonly LookupAddress[];
  try {
    addresses = await lookup(host, { all: true });
  } catch (error) {
    throw netError(error);
  }
  const far = addresses.find(({ address }) => !isOnLan(address));
  if (far === undefined) return;
  throw new ChannelError('plain_beyond_lan', `${host} is ${far.address}`, { isPermanent: true });
}

function optionsOf({ host, port, security, user }: Target, { password }: Secrets) {
  return {
    ...{ host, port, secure: security === 'tls' },
    // `requireTLS` also protects if the server does not offer encryption, or an attacker removes the offer.
    ...{ requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...(user === null ? {} : { auth: { user, pass: password! } }),
    tls: { servername: isIP(host) === 0 ? host : '', minVersion: 'TLSv1.2' as const },
    // The server must not learn the name of this machine.
    name: '[127.0.0.1]',
    ...{
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
    },
    ...{ maxResponseSize: 64 * 1024, disableFileAccess: true, disableUrlAccess: true, logger: false },
  };
}

function mailOf({ from, to }: Target, notice: Notice) {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const { id, alert, title, text, html, link, severity, kind } = notice;
  return {
    from: { name: 'Wellhouse', address: from },
    to,
    subject: title,
    text: [text, link].filter((part) => part !== null && part !== '').join('\n\n'),
    ...(html === null ? {} : { html }),
    // The id is the same for every try, so that a mail program shows the message once.
    messageId: `<${id}@${domain}>`,
    // Mail programs group the messages about one alert.
    ...(alert === null ? {} : { references: `<${alert.id}@${domain}>` }),
    ...(severity === 'critical' && kind !== 'ended' ? { priority: 'high' as const } : {}),
    // Prevents automatic replies such as absence notes (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** Translates an error of nodemailer to a ChannelError. */
function mailError(error: unknown, { password = '' }: Secrets, { user }: Target): ChannelError {
  if (error instanceof ChannelError) return error;
  const { code, originalCode, responseCode, response, permanent } = error as NodemailerError;
  // The server's reply to a login may repeat the password.
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return new ChannelError('unauthorized', `SMTP ${responseCode ?? 'login'}`, { isPermanent: permanent === true });
  }
  if (responseCode !== undefined && code !== 'ETLS' && code !== 'ECONNECTION') {
    const logins = [`\0${user}\0${password}`, password, user ?? ''];
    const words = serverWords(response, logins);
    const isPermanent = permanent === true;
    return new ChannelError(isPermanent ? 'rejected' : 'busy', `SMTP ${words || responseCode}`, { isPermanent });
  }
  if (originalCode !== undefined) return netError(Object.assign(new Error(), { code: originalCode }));
  if (code === 'ETLS') return new ChannelError('tls', 'the server does not encrypt');
  if (code === 'EDNS') return new ChannelError('dns', 'EDNS');
  if (code === 'ETIMEDOUT') return new ChannelError('timeout', 'ETIMEDOUT');
  if (code === 'EPROTOCOL') return new ChannelError('unexpected', 'not as a mail server answers');
  return new ChannelError('unreachable', code ?? 'the connection broke');
}
