import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/main/common/clock.ts';
import { CERTIFICATE_FILE, DoorCertificate } from '../../src/main/door/tls/certificate.ts';
import { makeAuthority, makeLeaf } from '../../src/main/door/tls/make-certificate.ts';
import { readSettings } from '../../src/main/settings/settings.ts';
import { ownCertificate } from '../support/certificate.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const DAY_MS = 86_400_000;
const log = pino({ level: 'silent' });
const settingsOf = (env: Record<string, string> = {}) => readSettings(env, { dataDir: '', publicEnabled: false });

/** By how much the node's time is another than this machine's. */
let ahead = 0;
const clock = { ...SYSTEM_CLOCK, now: () => Date.now() + ahead };
let folder: string;
let certificate: DoorCertificate;
beforeEach(() => {
  ahead = 0;
  folder = temporaryFolder();
  certificate = new DoorCertificate(folder, clock, log);
});
afterEach(() => removeFolder(folder));

it('makes a certificate that phones take: P-256, for this machine’s names and addresses, less than 398 days, for servers', async () => {
  expect(await certificate.follow(settingsOf(), ['192.168.1.5', 'fd00::1'])).toBe(true);
  const { facts, cert } = certificate.current!;
  expect(facts.names).toEqual(expect.arrayContaining(['localhost', '192.168.1.5', 'fd00::1']));
  expect(facts.validTo - facts.validFrom).toBeLessThan(398 * DAY_MS);
  expect(facts.validFrom).toBeLessThan(Date.now());
  const leaf = new X509Certificate(cert);
  const authority = new X509Certificate(facts.authority);
  expect(leaf.checkIssued(authority) && leaf.verify(authority.publicKey)).toBe(true);
  expect([leaf.ca, authority.ca]).toEqual([false, true]);
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(leaf.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
  expect(facts.isName('localhost')).toBe(true);
  expect(facts.isName('evil.example')).toBe(false);
  if (process.platform !== 'win32') expect(statSync(join(folder, CERTIFICATE_FILE.name)).mode & 0o777).toBe(0o600);
});

it('keeps its authority over starts, and makes a new certificate for a new address alone', async () => {
  await certificate.follow(settingsOf(), ['192.168.1.5']);
  const first = certificate.current!;
  expect(await certificate.follow(settingsOf(), ['192.168.1.5'])).toBe(false);
  const next = new DoorCertificate(folder, clock, log);
  await next.follow(settingsOf(), ['192.168.1.5']);
  expect(next.current!.cert).toBe(first.cert);
  expect(await next.follow(settingsOf(), ['10.0.0.7'])).toBe(true);
  expect(next.current!.facts).toMatchObject({ fingerprint: first.facts.fingerprint });
  expect(next.current!.facts.names).toContain('10.0.0.7');
});

it.each([
  ['is about to end', -380],
  ['is of a time to come, as after a wrong clock', 30],
])('makes another certificate where its own %s', async (_name, days) => {
  const authority = await makeAuthority('Test');
  const leaf = await makeLeaf(authority, ['localhost', '10.0.0.7'], Date.now() + days * DAY_MS);
  writeFileSync(join(folder, CERTIFICATE_FILE.name), JSON.stringify({ version: 1, authority, leaf }));
  await certificate.follow(settingsOf(), ['10.0.0.7']);
  const { facts, cert } = certificate.current!;
  expect(cert).not.toContain(leaf.cert);
  expect(facts.authority.trim()).toBe(authority.cert.trim());
  expect(facts.validTo - Date.now()).toBeGreaterThan(300 * DAY_MS);
});

it('is made and renewed by the node’s time, whatever the machine’s clock says', async () => {
  ahead = 400 * DAY_MS;
  await certificate.follow(settingsOf(), ['192.168.1.5']);
  const { validFrom, validTo } = certificate.current!.facts;
  expect(validFrom).toBeGreaterThan(Date.now() + 398 * DAY_MS);
  expect(await certificate.follow(settingsOf(), ['192.168.1.5'])).toBe(false);
  ahead = validTo - Date.now() - 10 * DAY_MS;
  expect(await certificate.follow(settingsOf(), ['192.168.1.5'])).toBe(true);
});

it('takes the owner’s files, reads them again when they change, and keeps what works where they are bad', async () => {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const settings = settingsOf({ DOOR_CERT: cert, DOOR_KEY: key });
  const write = (pair: { cert: string; key: string }) => {
    writeFileSync(cert, pair.cert);
    writeFileSync(key, pair.key);
  };
  expect(await certificate.follow(settings, [])).toBe(false);
  expect(certificate.problem).toBe(`DOOR_CERT ${cert} can't be read (ENOENT)`);
  write(ownCertificate(['shed.example']));
  expect(await certificate.follow(settings, [])).toBe(true);
  expect(certificate.current).toMatchObject({ kind: 'files', facts: { names: ['shed.example'] } });
  expect(certificate.problem).toBeNull();
  const works = certificate.current;
  for (const bad of [
    { cert: 'no certificate at all, and longer', key: ownCertificate(['a']).key },
    { cert: ownCertificate(['another.example']).cert, key: ownCertificate(['b']).key },
    { cert: ownCertificate(['c.example.com']).cert, key: 'no key' },
  ]) {
    write(bad);
    expect(await certificate.follow(settings, [])).toBe(false);
    expect(certificate.problem).toContain(`DOOR_CERT ${cert} and DOOR_KEY ${key}: `);
    expect(certificate.problem).not.toContain('\n');
    expect(certificate.current).toBe(works);
  }
  write(ownCertificate(['renewed.example.com']));
  expect(await certificate.follow(settings, [])).toBe(true);
  expect(certificate.current!.facts.names).toEqual(['renewed.example.com']);
});

it('a damaged file of its own is not replaced by another authority, which phones would not know', async () => {
  const path = join(folder, CERTIFICATE_FILE.name);
  writeFileSync(path, '{"version":1,');
  expect(await certificate.follow(settingsOf(), ['10.0.0.7'])).toBe(false);
  expect(certificate.problem).toContain(path);
  expect(readFileSync(path, 'utf8')).toBe('{"version":1,');
});
