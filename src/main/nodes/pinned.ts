import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { faultOf, NodeFault } from './fault.ts';

const LOOK_WITHIN_MS = 10_000;
/** The limit of a chain; no door has so many certificates. */
const MAX_CHAIN = 8;

/** The pinned certificate of a door: its own, or that of its authority. */
export interface Pin {
  /** SHA-256 of the DER form in lowercase hex. */
  readonly fingerprint: string;
  /** In PEM. */
  readonly certificate: string;
}

/**
 * Returns the options of a connection that trusts only the pinned certificate and those that it signed. OpenSSL checks
 * that before a byte of the request is written.
 */
export function trustOnly({ certificate }: Pin): ConnectionOptions {
  return {
    ca: certificate,
    rejectUnauthorized: true,
    allowPartialTrustChain: true,
    // A node's own authority signs only for that node, whose address may change. A public authority signs for everyone,
    // so the name is checked.
    ...(isOfOneNode(new X509Certificate(certificate)) ? { checkServerIdentity: () => undefined } : {}),
    minVersion: 'TLSv1.2',
  };
}

/**
 * Returns whether a node's door made the certificate itself, by its name. No public authority has this name, and the
 * fingerprint proves the node.
 */
function isOfOneNode({ subject, issuer }: X509Certificate): boolean {
  return subject === issuer && subject.startsWith('CN=Wellhouse on ');
}

/**
 * Resolves with the certificate of this fingerprint from the door at `url`. Sends no data to the other side. Rejects
 * with NodeFault: `certificate` if it shows another one, or one that did not sign its own.
 */
export async function pinAt(url: URL, fingerprint: string): Promise<Pin> {
  const shown = await withSocket(url, { rejectUnauthorized: false }, chainOf);
  const found = shown.find((each) => fingerprintOf(each) === fingerprint);
  if (found === undefined) throw new NodeFault('certificate', 'another certificate than the link names');
  const pin = { fingerprint, certificate: found.toString() };
  // An impostor can show a copied certificate, but can't complete a handshake with it.
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
