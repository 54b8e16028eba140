import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../../common/clock.ts';
import type { Settings } from '../../settings/settings.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import { isRegularFile } from '../../state-files/regular-file.ts';
import type { StateFile, StateFileKind } from '../../state-files/state-file.ts';
import { type CertificateFacts, canonicalName, factsOf, type TlsPair } from './certificate-facts.ts';
import { isPermitted } from './name-constraints.ts';

const RENEW_BEFORE_MS = 30 * 86_400_000;

const pair = z.object({ cert: z.string(), key: z.string() });
const kept = z.object({
  version: z.literal(1),
  /**
   * `own`: the node's names and addresses that it may sign for; null for an older authority, which may sign for
   * anything.
   */
  authority: pair.extend({ own: z.array(z.string()).nullable().default(null) }),
  leaf: pair,
});
type Kept = z.infer<typeof kept>;

/** The file in the data folder with the node's own authority, the certificate that it signed last, and their keys. */
export const CERTIFICATE_FILE: StateFileKind<typeof kept> = {
  ...{ name: 'door-certificate.json', schema: kept, empty: { version: 1 } },
  copy: 'same',
};

/** The certificate of the door in use. */
export interface DoorTls extends TlsPair {
  /** `own`: signed by the node's own authority; `files`: the owner's certificate. */
  readonly kind: 'own' | 'files';
  readonly facts: CertificateFacts;
  /**
   * The node's own authority: the names that it may sign for in addition to home networks (null: anything), and its
   * end. null if the owner's certificate is in use.
   */
  readonly authority: { readonly own: readonly string[] | null; readonly validTo: number } | null;
}

/**
 * The certificate of the door: the owner's files if the settings name them, else one that the node makes for the names
 * and addresses of this machine. The node renews it before it expires and when there is a new address. An unusable
 * certificate changes nothing: the present one stays in use.
 */
export class DoorCertificate {
  readonly #file: StateFile<typeof kept>;
  readonly #clock: Clock;
  readonly #log: Logger;
  #current: DoorTls | null = null;
  #problem: string | null = null;
  /** The state of the files at their last read. */
  #read = '';
  #isAuthorityWanted = false;

  constructor(dataDir: string, clock: Clock, log: Logger) {
    this.#file = openStateFile(CERTIFICATE_FILE, { path: dataDir, log, now: () => clock.now() });
    this.#clock = clock;
    this.#log = log;
  }

  /** The certificate in use; null if none has been usable yet. */
  get current(): DoorTls | null {
    return this.#current;
  }

  /** One line with the reason why the certificate of the settings can't be used; null if it is in use. */
  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Makes the next `follow` create a new authority. Clients that trust the present one must then be told to trust the
   * new one.
   */
  replaceAuthority(): void {
    this.#isAuthorityWanted = true;
  }

  /**
   * Updates the certificate; returns whether another one is in use now. `addresses` are those at which people reach the
   * door.
   */
  async follow({ doorCert, doorKey }: Settings, addresses: readonly string[]): Promise<boolean> {
    const before = this.#current;
    try {
      if (doorCert === null && doorKey === null) await this.#followOwn(addresses);
      else this.#followFiles(doorCert, doorKey);
      this.#problem = null;
    } catch (error) {
      const problem = (error as Error).message.replace(/\s+/g, ' ');
      if (problem !== this.#problem) this.#log.warn({ reason: problem }, "the door's certificate can't be used");
      this.#problem = problem;
    }
    return this.#current !== before;
  }

  #followFiles(cert: string | null, key: string | null): void {
    if (cert === null || key === null) throw new Error('DOOR_CERT and DOOR_KEY must both be set');
    const state = [cert, key].map(stateOf).join();
    if (state === this.#read && this.#current?.kind === 'files') return;
    // Unusable files are remembered, too, so that they are not read repeatedly.
    if (state === this.#read && this.#problem !== null) throw new Error(this.#problem);
    this.#read = state;
    const pair = { cert: readText('DOOR_CERT', cert), key: readText('DOOR_KEY', key) };
    try {
      this.#use({ kind: 'files', ...pair, facts: factsOf(pair), authority: null });
    } catch (error) {
      throw new Error(`DOOR_CERT ${cert} and DOOR_KEY ${key}: ${(error as Error).message}`);
    }
  }

  async #followOwn(addresses: readonly string[]): Promise<void> {
    this.#read = '';
    const now = this.#clock.now();
    const wanted = [...new Set([...namesOfMachine(), ...addresses].map(canonicalName))];
    const isKept = !this.#isAuthorityWanted;
    if (isKept && this.#current?.kind === 'own' && isGood(this.#current, wanted, now)) return;
    const before = isKept ? this.#readKept() : null;
    if (before !== null) {
      const tls = ownTls(before);
      if (isGood(tls, wanted, now)) return this.#use(tls);
    }
    const { makeAuthority, makeLeaf } = await import('./make-certificate.ts');
    const name = `Wellhouse on ${hostname().slice(0, 40)}`;
    const authority =
      before !== null && now < endOf(before.authority) - RENEW_BEFORE_MS
        ? before.authority
        : { ...(await makeAuthority(name, wanted, now)), own: wanted };
    const leaf = await makeLeaf(authority, permitted(wanted, authority.own), now);
    const made: Kept = { version: 1, authority, leaf };
    const tls = ownTls(made);
    await this.#file.write(() => made);
    this.#isAuthorityWanted = false;
    this.#use(tls);
  }

  /**
   * Reads the file. A new authority would invalidate the trust of phones and the pins of apps, so an unreadable file is
   * not replaced.
   */
  #readKept(): Kept | null {
    const { path } = this.#file;
    if (!isRegularFile(path)) return null;
    if (this.#file.peek() !== null) return this.#file.read();
    throw new Error(`${path} contains no certificate: restore the file, or delete it to get a new one`);
  }

  #use(tls: DoorTls): void {
    this.#current = tls;
    const { names, fingerprint, validTo } = tls.facts;
    this.#log.info({ kind: tls.kind, names, fingerprint, validTo: new Date(validTo) }, "the door's certificate");
  }
}

/** Returns the leaf with the authority's certificate in the chain, for clients that pin the authority. */
function ownTls({ authority, leaf }: Kept): DoorTls {
  const pair = { cert: leaf.cert + authority.cert, key: leaf.key };
  const { own } = authority;
  return { kind: 'own', ...pair, facts: factsOf(pair), authority: { own, validTo: endOf(authority) } };
}

function endOf({ cert }: TlsPair): number {
  return new X509Certificate(cert).validToDate.getTime();
}

/** Returns the wanted names that an authority may sign for. */
function permitted(wanted: readonly string[], own: readonly string[] | null): string[] {
  return wanted.filter((name) => own === null || isPermitted(name, own));
}

function isGood({ facts, authority }: DoorTls, wanted: readonly string[], now: number): boolean {
  const { names, validFrom, validTo } = facts;
  const isWhole = permitted(wanted, authority?.own ?? null).every((name) => names.includes(name));
  return isWhole && validFrom <= now && now < validTo - RENEW_BEFORE_MS;
}

/** Returns the names of this machine in its network, in addition to its addresses. */
function namesOfMachine(): string[] {
  const name = hostname().toLowerCase();
  if (!/^[a-z0-9](?:[a-z0-9.-]{0,60}[a-z0-9])?$/.test(name)) return ['localhost'];
  return ['localhost', name, ...(name.includes('.') ? [] : [`${name}.local`])];
}

function stateOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${path} ${mtimeMs} ${size} ${ino}`;
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${variable} ${path} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
