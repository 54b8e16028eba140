import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { NAME_CONSTRAINTS, permittedSubtrees } from './name-constraints.ts';

// Loaded only when a certificate is made, once a year, because of the library and its polyfill.

/** A certificate and its key, both PEM. */
export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** iOS and Chromium do not accept a server certificate that is valid for 398 days or more. */
const LEAF_DAYS = 397;
/** A fixed date, since a small computer may not know the year at its first start. */
const AUTHORITY_FROM = Date.parse('2025-01-01T00:00:00Z');
const AUTHORITY_DAYS = 3652;

/**
 * Makes an authority for the certificates of one node. It is valid for ten years from `now`, and can sign only for the
 * names and addresses in `own` and those of home networks. Phones show `name` for it.
 */
export async function makeAuthority(name: string, own: readonly string[], now: number): Promise<PemPair> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    notBefore: new Date(AUTHORITY_FROM),
    notAfter: new Date(Math.max(now, AUTHORITY_FROM) + AUTHORITY_DAYS * DAY_MS),
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new Extension(NAME_CONSTRAINTS, true, permittedSubtrees(own)),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: pemOf(certificate), key: keyPem(keys) };
}

/** Makes the certificate of the door for names and addresses, valid from a day ago. */
export async function makeLeaf(authority: PemPair, names: readonly string[], now: number): Promise<PemPair> {
  const keys = await newKeys();
  const issuer = new X509Certificate(authority.cert);
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: ['Wellhouse'] }],
    issuer: issuer.subjectName,
    notBefore: new Date(now - DAY_MS),
    // Clients refuse a certificate that outlives its issuer.
    notAfter: new Date(Math.min(now + (LEAF_DAYS - 1) * DAY_MS, issuer.notAfter.getTime())),
    publicKey: keys.publicKey,
    signingKey: createPrivateKey(authority.key).toCryptoKey(KEY, false, ['sign']),
    signingAlgorithm: SIGNING,
    extensions: [
      new SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) === 0 ? ('dns' as const) : ('ip' as const), value: name })),
      ),
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: pemOf(certificate), key: keyPem(keys) };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify']);
}

function keyPem({ privateKey }: webcrypto.CryptoKeyPair): string {
  return KeyObject.from(privateKey).export({ type: 'pkcs8', format: 'pem' }) as string;
}

const pemOf = (certificate: X509Certificate): string => `${certificate.toString('pem').trim()}\n`;
