import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, isIP } from 'node:net';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_CLOCK } from '../../src/main/common/clock.ts';
import { CERTIFICATE_FILE, DoorCertificate } from '../../src/main/door/tls/certificate.ts';
import { makeAuthority, makeLeaf, type PemPair } from '../../src/main/door/tls/make-certificate.ts';
import { isPermitted } from '../../src/main/door/tls/name-constraints.ts';
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

it('creates a certificate that phones accept: P-256, for this machine’s names and addresses, less than 398 days, for servers', async () => {
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

it('keeps its authority over restarts, and creates another certificate only for a new address', async () => {
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
])('creates another certificate if its own %s', async (_name, days) => {
  const authority = await makeAuthority('Test', [], Date.now());
  const leaf = await makeLeaf(authority, ['localhost', '10.0.0.7'], Date.now() + days * DAY_MS);
  writeFileSync(join(folder, CERTIFICATE_FILE.name), JSON.stringify({ version: 1, authority, leaf }));
  await certificate.follow(settingsOf(), ['10.0.0.7']);
  const { facts, cert } = certificate.current!;
  expect(cert).not.toContain(leaf.cert);
  expect(facts.authority.trim()).toBe(authority.cert.trim());
  expect(facts.validTo - Date.now()).toBeGreaterThan(300 * DAY_MS);
});

it('is created and renewed by the node’s time, whatever the machine’s clock', async () => {
  ahead = 400 * DAY_MS;
  await certificate.follow(settingsOf(), ['192.168.1.5']);
  const { validFrom, validTo } = certificate.current!.facts;
  expect(validFrom).toBeGreaterThan(Date.now() + 398 * DAY_MS);
  expect(await certificate.follow(settingsOf(), ['192.168.1.5'])).toBe(false);
  ahead = validTo - Date.now() - 10 * DAY_MS;
  expect(await certificate.follow(settingsOf(), ['192.168.1.5'])).toBe(true);
});

it('uses the owner’s files, reads them again when they change, and keeps the previous ones if they are invalid', async () => {
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

it('does not replace a damaged file by another authority, which phones would not know', async () => {
  const path = join(folder, CERTIFICATE_FILE.name);
  writeFileSync(path, '{"version":1,');
  expect(await certificate.follow(settingsOf(), ['10.0.0.7'])).toBe(false);
  expect(certificate.problem).toContain(path);
  expect(readFileSync(path, 'utf8')).toBe('{"version":1,');
});

describe('the authority', () => {
  const hour = 3_600_000;
  const canOpenssl = spawnSync('openssl', ['version']).status === 0;
  const own = ['well', 'well.example.org', '203.0.113.7', '2001:db8::7'];
  const allowed = [
    'localhost',
    'well',
    'shed.local',
    'a.b.lan',
    'x.home.arpa',
    'well.example.org',
    '192.168.1.5',
    '10.0.0.1',
  ];
  const more = ['100.64.0.9', '172.31.255.255', '127.0.0.1', '::1', 'fd00::1', 'fe80::1', '203.0.113.7', '2001:db8::7'];
  const refused = [
    'example.com',
    'local.example.com',
    'example.org',
    'wellx',
    '8.8.8.8',
    '172.32.0.1',
    '203.0.113.8',
    '2001:db8::8',
  ];
  let authority: PemPair;
  beforeEach(async () => {
    authority = await makeAuthority('Wellhouse on well', own, Date.now());
  });

  /** The error of a TLS client that trusts the authority, for a server with that certificate; null if it takes it. */
  async function handshake({ cert, key }: PemPair, name: string): Promise<string | null> {
    const server = createServer({ cert: cert + authority.cert, key }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const servername = isIP(name) === 0 ? { servername: name } : {};
    const socket = connect({
      port,
      host: '127.0.0.1',
      ca: authority.cert,
      checkServerIdentity: () => undefined,
      ...servername,
    });
    try {
      await once(socket, 'secureConnect');
      return null;
    } catch (error) {
      return (error as Error).message;
    } finally {
      socket.destroy();
      server.close();
    }
  }

  it('signs only for this node and for home networks: a client refuses other certificates by it', async () => {
    for (const name of [...allowed, ...more]) {
      expect([name, isPermitted(name, own)]).toEqual([name, true]);
      expect([name, await handshake(await makeLeaf(authority, [name], Date.now()), name)]).toEqual([name, null]);
    }
    for (const name of refused) {
      expect([name, isPermitted(name, own)]).toEqual([name, false]);
      const leaf = await makeLeaf(authority, ['shed.local', name], Date.now());
      expect([name, await handshake(leaf, name)]).toEqual([name, 'permitted subtree violation']);
    }
  });

  it.skipIf(!canOpenssl)(
    'is refused by openssl verify for other names, other uses, and as the issuer of another authority',
    async () => {
      const verify = (pem: string, ...flags: string[]): string => {
        const [ca, leaf] = [join(folder, 'ca.pem'), join(folder, 'leaf.pem')];
        writeFileSync(ca, authority.cert);
        writeFileSync(leaf, pem);
        const { stdout, stderr } = spawnSync('openssl', ['verify', ...flags, '-CAfile', ca, leaf], {
          encoding: 'utf8',
        });
        return stdout + stderr;
      };
      const good = await makeLeaf(authority, allowed, Date.now());
      expect(verify(good.cert, '-purpose', 'sslserver')).toContain(': OK');
      expect(verify(good.cert, '-purpose', 'sslclient')).toContain('purpose');
      expect(verify((await makeLeaf(authority, ['example.com'], Date.now())).cert)).toContain(
        'permitted subtree violation',
      );
      const text = spawnSync('openssl', ['x509', '-noout', '-text'], {
        input: authority.cert,
        encoding: 'utf8',
      }).stdout;
      expect(text).toMatch(/Name Constraints: critical/);
      expect(text).toMatch(/CA:TRUE, pathlen:0/);
      expect(text).toContain('TLS Web Server Authentication');
    },
  );

  it('is valid for ten years, and no certificate outlives it', async () => {
    const { validToDate } = new X509Certificate(authority.cert);
    expect(Math.round((validToDate.getTime() - Date.now()) / DAY_MS)).toBe(3652);
    const late = await makeLeaf(authority, ['localhost'], validToDate.getTime() - 40 * DAY_MS);
    expect(new X509Certificate(late.cert).validToDate.getTime()).toBe(validToDate.getTime());
  });

  it('signs no forbidden name, and is created again before its end', async () => {
    await certificate.follow(settingsOf(), ['203.0.113.7']);
    const first = certificate.current!;
    expect(first.facts.names).toContain('203.0.113.7');
    // As where the provider gave the machine another address.
    expect(await certificate.follow(settingsOf(), ['203.0.113.8', '192.168.1.5'])).toBe(true);
    const { names, fingerprint } = certificate.current!.facts;
    expect([names.includes('203.0.113.8'), names.includes('192.168.1.5')]).toEqual([false, true]);
    expect(fingerprint).toBe(first.facts.fingerprint);
    expect(await certificate.follow(settingsOf(), ['203.0.113.8', '192.168.1.5'])).toBe(false);
    ahead = first.authority!.validTo - Date.now() - 20 * DAY_MS;
    expect(await certificate.follow(settingsOf(), ['203.0.113.8'])).toBe(true);
    expect(certificate.current!.facts.fingerprint).not.toBe(fingerprint);
    expect(certificate.current!.facts.names).toContain('203.0.113.8');
  });

  it('of an earlier version stays until its owner wants another', async () => {
    const path = join(folder, CERTIFICATE_FILE.name);
    const leaf = await makeLeaf(authority, ['localhost', 'example.com'], Date.now());
    writeFileSync(path, JSON.stringify({ version: 1, authority, leaf }));
    await certificate.follow(settingsOf(), ['example.com']);
    const before = certificate.current!;
    expect([before.authority!.own, before.facts.authority.trim()]).toEqual([null, authority.cert.trim()]);
    expect(before.facts.names).toContain('example.com');
    certificate.replaceAuthority();
    expect(await certificate.follow(settingsOf(), ['10.0.0.7'])).toBe(true);
    const after = certificate.current!;
    expect(after.facts.fingerprint).not.toBe(before.facts.fingerprint);
    expect(after.authority!.own).toContain('10.0.0.7');
    const next = new DoorCertificate(folder, clock, log);
    await next.follow(settingsOf(), ['10.0.0.7']);
    expect(next.current!.facts.fingerprint).toBe(after.facts.fingerprint);
    expect(after.authority!.validTo - Date.now()).toBeGreaterThan(3651 * DAY_MS - hour);
  });
});
