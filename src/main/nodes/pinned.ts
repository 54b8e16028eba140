import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { faultOf, NodeFault } from './fault.ts';

const LOOK_WITHIN_MS = 10_000;
/** More certificates than any door shows. */
const MAX_CHAIN = 8;

/** The certificate that a door is known by: its own, or that of the authority that signs them. */
export interface Pin {
  /** SHA-256 of the DER, lowercase hex. */
  readonly fingerprint: string;
  /** In PEM. */
  readonly certificate: string;
}

/**
 * The options of a connection that trusts only the pinned certificate, and those that it signed. OpenSSL checks that
 * before a byte of the request is written.
 */
export function trustOnly({ certificate }: Pin): ConnectionOptions {
  return {
    ca: certificate,
    rejectUnauthorized: true,
    allowPartialTrustChain: true,
    // A node's own authority signs for that node alone, which may move. A public one signs for everybody.
    ...(isOfOneNode(new X509Certificate(certificate)) ? { checkServerIdentity: () => undefined } : {}),
    minVersion: 'TLSv1.2',
  };
}

/**
 * The name in a certificate that a node's door makes itself. No public authority has this name, and the fingerprint
 * proves which node it is.
 */
function isOfOneNode({ subject, issuer }: X509Certificate): boolean {
  return subject === issuer && subject.startsWith('CN=Wellhouse on ');
}

/**
 * The certificate of this fingerprint, as the door at `url` shows it. Nothing is said to whoever answers. Rejects with
 * NodeFault: `certificate` where it shows another, or shows it without being signed by it.
 */
export async function pinAt(url: URL, fingerprint: string): Promise<Pin> {
  const shown = await withSocket(url, { rejectUnauthorized: false }, chainOf);
  const found = shown.find((each) => fingerprintOf(each) === fingerprint);
  if (found === undefined) throw new NodeFault('certificate', 'another certificate than the link names');
  const pin = { fingerprint, certificate: found.toString() };
  // Whoever copied the certificate can show it, but can't answer with it.
  await withSocket(url, trustOnly(pin), () => null);
  return pin;
}

function fingerprintOf(certificate: X509Certificate): string {
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}

function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  let next = socket.getPeerX509Certificate();
  while (next !== undefined && chain.length < MAX_CHAIN) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

function withSocket<T>(url: URL, options: ConnectionOptions, take: (socket: TLSSocket) => T): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...options,
  });
  socket.setTimeout(LOOK_WITHIN_MS, () => reject(new NodeFault('unreachable', 'no answer in time')));
  socket.once('secureConnect', () => {
    try {
      resolve(take(socket));
    } catch (error) {
      reject(error as Error);
    }
  });
  socket.once('error', (error) => reject(faultOf(error)));
  socket.once('close', () => reject(new NodeFault('unreachable', 'closed')));
  return promise.finally(() => socket.destroy());
}
