import { clientKey } from '../../common/client-key.ts';
import type { SharedLimits } from '../../store/port.ts';
import type { KnownAddresses } from './known-addresses.ts';

/** Limits for each client address at the public endpoint, so that strangers can't starve the private side. */

const BURST_SECONDS = 5;
const BLOCKS_PER_REQUEST = 10;
const MAX_ADDRESSES = 10_000;
const MAX_REGISTRATIONS_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

interface Client {
  requests: number;
  blocks: number;
  refilledAt: number;
  /** The times of its latest registrations, oldest first. */
  registrations: number[];
}

interface RateLimitOptions {
  readonly now?: () => number;
  readonly sparesLoopback?: boolean;
  /** Addresses that are counted alone instead of by their /64 network. */
  readonly known?: Pick<KnownAddresses, 'has'>;
}

/**
 * Token buckets by client address, for IPv6 by its /64 network: `perSecond` requests and ten times as many blocks, with
 * bursts of five seconds' worth.
 */
export class RateLimits {
  #perSecond: number;
  readonly #now: () => number;
  readonly #sparesLoopback: boolean;
  readonly #known: Pick<KnownAddresses, 'has'> | null;
  readonly #clients = new Map<string, Client>();

  /**
   * `perSecond` 0 switches every limit off; `now` is a monotonic clock in milliseconds. With `sparesLoopback`, programs
   * on this machine have no limit.
   */
  constructor(
    perSecond: number,
    { now = () => performance.now(), sparesLoopback = true, known }: RateLimitOptions = {},
  ) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#sparesLoopback = sparesLoopback;
    this.#known = known ?? null;
  }

  /** Changes the rate. Tokens that clients have used stay used. */
  set perSecond(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Counts one request. Returns 0, or the seconds to wait. */
  takeRequest(address: string): number {
    const client = this.#client(address);
    if (client === null) return 0;
    if (client.requests >= 1) {
      client.requests -= 1;
      return 0;
    }
    return wait(1 - client.requests, this.#perSecond);
  }

  /** Counts the blocks of a batch. Returns 0, or the seconds to wait. */
  takeBlocks(address: string, count: number): number {
    const client = this.#client(address);
    if (client === null) return 0;
    // A full bucket admits a batch larger than a burst; otherwise such a batch could never pass.
    const needed = Math.min(count, this.#perSecond * BLOCKS_PER_REQUEST * BURST_SECONDS);
    if (client.blocks >= needed) {
      client.blocks -= count;
      return 0;
    }
    return wait(needed - client.blocks, this.#perSecond * BLOCKS_PER_REQUEST);
  }

  /**
   * Counts a registration for all nodes that share a store; `mayRegister` and `countRegistration` do it for one node.
   * Rejects with StorageUnavailable.
   */
  async takeShared(address: string, shared: SharedLimits): Promise<{ wait: number; takeBack: () => Promise<void> }> {
    if (this.#client(address) === null) return { wait: 0, takeBack: async () => {} };
    const taken = await shared.takeRegistration(clientKey(address), MAX_REGISTRATIONS_PER_HOUR, HOUR_MS);
    return { wait: Math.ceil(taken.waitMs / 1000), takeBack: taken.takeBack };
  }

  /** Checks whether the address may register another device. Returns 0, or the seconds to wait. */
  mayRegister(address: string): number {
    const client = this.#client(address);
    if (client === null) return 0;
    const now = this.#now();
    client.registrations = client.registrations.filter((at) => now - at < HOUR_MS);
    if (client.registrations.length < MAX_REGISTRATIONS_PER_HOUR) return 0;
    return Math.ceil((client.registrations[0]! + HOUR_MS - now) / 1000);
  }

  /**
   * Counts a registration that is about to be made. Returns a function that undoes this, to be called if no new device
   * was registered.
   */
  countRegistration(address: string): () => void {
    const client = this.#client(address);
    if (client === null) return () => {};
    const at = this.#now();
    client.registrations.push(at);
    return () => {
      const index = client.registrations.indexOf(at);
      if (index >= 0) client.registrations.splice(index, 1);
    };
  }

  /** Returns null if the limits do not apply. */
  #client(address: string): Client | null {
    if (this.#perSecond === 0 || (this.#sparesLoopback && isLoopback(address))) return null;
    const key = this.#known?.has(address) ? address : clientKey(address);
    const now = this.#now();
    const requestBurst = this.#perSecond * BURST_SECONDS;
    const blockBurst = requestBurst * BLOCKS_PER_REQUEST;
    let client = this.#clients.get(key);
    if (client === undefined) {
      client = { requests: requestBurst, blocks: blockBurst, refilledAt: now, registrations: [] };
    } else {
      const seconds = (now - client.refilledAt) / 1000;
      client.requests = Math.min(requestBurst, client.requests + seconds * this.#perSecond);
      client.blocks = Math.min(blockBurst, client.blocks + seconds * this.#perSecond * BLOCKS_PER_REQUEST);
      client.refilledAt = now;
      this.#clients.delete(key);
    }
    // Inserting it again keeps the map in order of use, so the address that was unseen for longest is dropped first.
    this.#clients.set(key, client);
    const oldest = this.#clients.size > MAX_ADDRESSES ? this.#clients.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#clients.delete(oldest.value);
    return client;
  }
}

function wait(missing: number, perSecond: number): number {
  return Math.max(1, Math.ceil(missing / perSecond));
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}
