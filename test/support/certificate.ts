import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

/** A self-signed certificate and its key, both in PEM. */
export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Creates a certificate for names and addresses, encoded here as DER (RFC 5280). It is valid from yesterday for
 * `validDays` days.
 */
export function ownCertificate(names: readonly string[], validDays = 30): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(tlv(0x31, sequence(oid(COMMON_NAME), tlv(0x0c, Buffer.from(names[0]!)))));
  const now = Date.now();
  const serial = Buffer.concat([Buffer.of(1), randomBytes(8)]);
  const toBeSigned = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, serial),
    algorithm,
    name,
    sequence(time(now - DAY_MS), time(now + (validDays - 1) * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(
      0xa3,
      sequence(
        extension(SUBJECT_ALT_NAME, sequence(...names.map(altName))),
        extension(BASIC_CONSTRAINTS, sequence(tlv(0x01, Buffer.of(0xff)))),
      ),
    ),
  );
  const der = sequence(toBeSigned, algorithm, bits(signed(toBeSigned, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function signed(data: Buffer, key: KeyObject): Buffer {
  return sign('sha256', data, key);
}

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Buffer): Buffer => tlv(0x03, Buffer.of(0), content);

function time(ms: number): Buffer {
  return tlv(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

function altName(name: string): Buffer {
  return isIP(name) === 4 ? tlv(0x87, Buffer.from(name.split('.').map(Number))) : tlv(0x82, Buffer.from(name));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tlv(0x04, value));
}
