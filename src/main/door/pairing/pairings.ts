import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import { MAX_PAIRINGS } from '../../../shared/owner-api/door.ts';
import { ROLES } from '../../../shared/owner-api/method.ts';
import { deviceId, timeMs } from '../../../shared/owner-data/values.ts';
import type { Clock } from '../../common/clock.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Caller } from '../../owner/caller.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import type { StateFile, StateFileKind } from '../../state-files/state-file.ts';

/** The times of the last use are written at most this often. */
const WRITE_USES_EVERY_MS = 3_600_000;

const pairing = z.object({
  id: z.uuid(),
  name: z.string(),
  role: z.enum(ROLES),
  /** The devices that it may see; null means all. */
  devices: z.array(deviceId).nullable(),
  mayUnlock: z.boolean(),
  /** Earlier versions did not have this right. */
  mayLog: z.boolean().default(false),
  kind: z.enum(['browser', 'app', 'key']),
  /** SHA-256 of the token, in hex. */
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  createdAt: timeMs,
  /** The owner's key that opened the door; null if a code did. */
  ownerKey: z.string().nullable(),
  /** The time when its token expires; null if it only ends by revocation. */
  endsAt: timeMs.nullable(),
  // A damaged value here must not lose the pairing.
  lastUsedAt: timeMs.nullable().catch(null),
  lastAddress: z.string().nullable().catch(null),
});
export type Pairing = z.infer<typeof pairing>;

/** A pairing that the owner revoked, identified by its token. */
const ended = z.object({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/), at: timeMs });
/** Older ones are dropped: a client with such a token gets the same answer as a stranger. */
const MAX_ENDED = 200;
/** The facts of a new pairing. */
export type NewPairing = Pick<
  Pairing,
  'name' | 'role' | 'devices' | 'mayUnlock' | 'mayLog' | 'kind' | 'endsAt' | 'ownerKey'
>;

const document = z.object({
  version: z.literal(1),
  pairings: z.array(pairing),
  /** Owners' public keys that open the door by a signature. */
  keys: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  /** Revoked pairings, latest last. */
  ended: z.array(ended).default([]),
});

/** The file in the data folder with the pairings. It has only hashes of tokens. */
export const PAIRINGS_FILE: StateFileKind<typeof document> = {
  ...{ name: 'door.json', schema: document, empty: { version: 1, pairings: [], keys: [], ended: [] } },
  // A revoked pairing stays revoked in a copy.
  copy: 'same',
};

interface Entry {
  pairing: Pairing;
  readonly caller: Caller;
  /** The end in time of the steady clock: a clock that is set back must not extend it. */
  readonly closesAt: number;
}

/** The pairings of this node. A client proves its pairing by a token, whose hash the node stores. */
export class Pairings {
  readonly #file: StateFile<typeof document>;
  readonly #clock: Clock;
  readonly #log: Logger;
  #byHash = new Map<string, Entry>();
  #keys: readonly string[] = [];
  #ended: readonly z.infer<typeof ended>[] = [];
  #timer: NodeJS.Timeout | null = null;

  /** Reads the file. Throws StartError if it may not be read. */
  constructor(dataDir: string, clock: Clock, log: Logger) {
    this.#file = openStateFile(PAIRINGS_FILE, { path: dataDir, log, now: () => clock.now() });
    this.#clock = clock;
    this.#log = log;
    const { pairings, keys, ended: endedBefore } = this.#file.read() ?? { pairings: [], keys: [], ended: [] };
    for (const each of pairings) this.#put(each);
    this.#keys = keys;
    this.#ended = endedBefore;
  }

  get all(): readonly Pairing[] {
    return [...this.#byHash.values()].filter((entry) => !this.#hasEnded(entry)).map(({ pairing: each }) => each);
  }

  /** The owners' keys that open the door. */
  get keys(): readonly string[] {
    return this.#keys;
  }

  /** Returns the caller with a token; null if the token is not valid. Records its use. */
  callerOf(token: string, address: string): Caller | null {
    const entry = this.#byHash.get(hashOf(token));
    if (entry === undefined || this.#hasEnded(entry)) return null;
    entry.pairing = { ...entry.pairing, lastUsedAt: this.#clock.now(), lastAddress: address };
    this.#timer ??= setTimeout(() => this.#writeUses(), WRITE_USES_EVERY_MS).unref();
    return entry.caller;
  }

  /**
   * Returns the time (Unix milliseconds) when the owner revoked the pairing of a token; null if it was not revoked or
   * is not known.
   */
  endOf(token: string): number | null {
    const hash = hashOf(token);
    return this.#ended.find(({ tokenHash }) => tokenHash === hash)?.at ?? null;
  }

  /** Adds a pairing; resolves with its token once it is on disk. Rejects with OwnerError. */
  async add(made: NewPairing): Promise<{ readonly pairing: Pairing; readonly token: string }> {
    if (this.all.length >= MAX_PAIRINGS) throw new OwnerError('conflict', 'too many pairings: revoke some');
    const token = randomBytes(32).toString('base64url');
    const added: Pairing = {
      ...{ id: randomUUID(), ...made, tokenHash: hashOf(token), createdAt: this.#clock.now() },
      ...{ lastUsedAt: null, lastAddress: null },
    };
    this.#put(added);
    try {
      await this.#write();
    } catch (error) {
      this.#byHash.delete(added.tokenHash);
      throw new OwnerError('storage_unavailable', `${this.#file.path} can't be written (${(error as Error).message})`);
    }
    return { pairing: added, token };
  }

  /**
   * Revokes a pairing. It takes effect at once, and permanently once this resolves. With `byOwner`, `endOf` reports the
   * revocation to the client with the token. If it rejects with OwnerError, the revocation lasts until the next start.
   */
  async revoke(id: string, byOwner = true): Promise<void> {
    const found = this.all.find((each) => each.id === id);
    if (found === undefined) throw new OwnerError('not_found', 'no such pairing');
    this.#byHash.delete(found.tokenHash);
    if (byOwner) this.#noteEnd([found]);
    await this.#writeOrSay();
  }

  /**
   * Sets the owners' keys that open the door, and revokes pairings of other keys; `ended` has their ids. It takes
   * effect at once, and permanently when `written` resolves. `written` rejects with OwnerError.
   */
  setKeys(keys: readonly string[]): { readonly ended: readonly string[]; readonly written: Promise<void> } {
    this.#keys = [...new Set(keys)];
    const ended = this.all.filter(({ ownerKey }) => ownerKey !== null && !keys.includes(ownerKey));
    for (const { tokenHash } of ended) this.#byHash.delete(tokenHash);
    this.#noteEnd(ended);
    return { ended: ended.map(({ id }) => id), written: this.#writeOrSay() };
  }

  /** Removes expired pairings. Returns their ids. */
  takeEnded(): string[] {
    const ended = [...this.#byHash.values()].filter((entry) => this.#hasEnded(entry)).map(({ pairing: each }) => each);
    for (const { tokenHash } of ended) this.#byHash.delete(tokenHash);
    return ended.map(({ id }) => id);
  }

  /** Writes the pending times of use. */
  async close(): Promise<void> {
    if (this.#timer === null) return this.#file.settled();
    await this.#writeUses();
  }

  #noteEnd(revoked: readonly Pairing[]): void {
    const at = Math.round(this.#clock.now());
    this.#ended = [...this.#ended, ...revoked.map(({ tokenHash }) => ({ tokenHash, at }))].slice(-MAX_ENDED);
  }

  #put(added: Pairing): void {
    const { id, name, role, devices, mayUnlock, mayLog, endsAt } = added;
    const { tokenHash } = added;
    const caller: Caller = {
      by: added.kind === 'key' ? 'key' : 'pairing',
      role,
      devices: devices === null ? null : new Set(devices),
      mayUnlock,
      mayLog,
      pairing: { id, name },
      isValid: () => this.#byHash.get(tokenHash) === entry && !this.#hasEnded(entry),
    };
    const closesAt = endsAt === null ? Number.POSITIVE_INFINITY : this.#clock.steady() + endsAt - this.#clock.now();
    const entry: Entry = { pairing: added, caller, closesAt };
    this.#byHash.set(tokenHash, entry);
  }

  #hasEnded({ pairing: { endsAt }, closesAt }: Entry): boolean {
    return endsAt !== null && (endsAt <= this.#clock.now() || closesAt <= this.#clock.steady());
  }

  async #writeUses(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    try {
      await this.#write();
    } catch (error) {
      // They stay in memory, and are written with the next ones.
      this.#log.warn({ err: error, file: this.#file.path }, 'the last uses of pairings can’t be written');
    }
  }

  async #writeOrSay(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      throw new OwnerError('storage_unavailable', `${this.#file.path} can't be written (${(error as Error).message})`);
    }
  }

  #write(): Promise<void> {
    return this.#file.write(() => ({
      version: 1,
      pairings: [...this.all],
      keys: [...this.#keys],
      ended: [...this.#ended],
    }));
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
