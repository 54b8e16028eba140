import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';

/** The certificate chain of a TLS server, its own certificate first, and its key, both PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The facts in a chain. */
export interface CertificateFacts {
  /** The names and addresses in the server's certificate. */
  readonly names: readonly string[];
  /** Unix milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
  /** SHA-256 of the last certificate of the chain, in lowercase hex. Clients pin it. */
  readonly fingerprint: string;
  /** The last certificate, PEM. A phone is told to trust it. */
  readonly authority: string;
  /** Returns whether a host name (not an address) is in the server's certificate. */
  readonly isName: (name: string) => boolean;
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Reads a chain and checks that the key belongs to it. Throws an Error with one line that names the problem. */
export function factsOf({ cert, key }: TlsPair): CertificateFacts {
  const blocks = cert.match(PEM_CERTIFICATE) ?? [];
  if (blocks.length === 0) throw new Error('it contains no certificate (PEM)');
  const chain = blocks.map((block) => new X509Certificate(block));
  const [own] = chain;
  const last = chain.at(-1)!;
  if (!own!.checkPrivateKey(createPrivateKey(key))) throw new Error('the key does not belong to the certificate');
  // The server does the same. An unusable certificate is refused before it replaces a working one.
  createSecureContext({ cert, key });
  const names = (own!.subjectAltName ?? '').split(', ').flatMap((entry) => {
    const [, name] = /^(?:DNS|IP Address):(.+)$/.exec(entry) ?? [];
    return name === undefined ? [] : [canonicalName(name)];
  });
  return {
    names,
    validFrom: own!.validFromDate.getTime(),
    validTo: own!.validToDate.getTime(),
    fingerprint: last.fingerprint256.replaceAll(':', '').toLowerCase(),
    authority: `${blocks.at(-1)!}\n`,
    isName: (name) => own!.checkHost(name, { subject: 'never' }) !== undefined,
  };
}

/** Returns one spelling for each name or address, for comparisons: OpenSSL writes IPv6 in full and in capitals. */
export function canonicalName(name: string): string {
  return isIP(name) === 6 ? new URL(`http://[${name}]/`).hostname.slice(1, -1) : name.toLowerCase();
}
