import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { closeServer } from './listening.ts';

/** Networks come and go: how often the machine's addresses are looked at. */
const LOOK_EVERY_MS = 2000;

/** An address of this machine, and a port; 0 leaves the port to the system. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/** Why there is no listener: `Reason`, or what the address or the system says. */
export interface Hindrance<Reason extends string> {
  readonly reason: Reason | 'no_such_address' | 'taken' | 'refused';
  /** The words of whoever refused, where there are any. */
  readonly detail: string | null;
}

/** Where a listener is, with the port that it has, or why it is not. */
export type Standing<Reason extends string = never> =
  | { readonly state: 'off' }
  | ({ readonly state: 'listening' } & Place)
  | ({ readonly state: 'waiting' } & Place & Hindrance<Reason>);

export interface FollowerDependencies<Reason extends string> {
  /** The listener's name in the log. */
  readonly name: string;
  readonly log: Logger;
  /** Where the owner wants it; null: nowhere. */
  readonly place: Place | null;
  /** Whether this machine has the address now. */
  readonly isHere: (address: string) => boolean;
  /** Called each time before it listens, and while it does; what hinders it, or null. */
  readonly prepare?: (place: Place) => Promise<Hindrance<Reason> | null>;
  readonly createServer: () => FastifyInstance | Promise<FastifyInstance>;
  /** Called after each change of `standing`. */
  readonly onChange: (standing: Standing<Reason>) => void;
  /** Called each time the addresses are looked at. */
  readonly onLook?: () => void;
}

/**
 * Keeps a server listening at the address that the owner chose, and at no other. An address that this machine does not have
 * just now (Wi-Fi off, another network) or a port that is taken is no failure: it is said, and tried again.
 */
export class AddressFollower<Reason extends string = never> {
  readonly #dependencies: FollowerDependencies<Reason>;
  readonly #turns = new SerialQueue();
  #place: Place | null;
  #server: FastifyInstance | null = null;
  #standing: Standing<Reason> = { state: 'off' };
  #timer: NodeJS.Timeout | null = null;

  constructor(dependencies: FollowerDependencies<Reason>) {
    this.#dependencies = dependencies;
    this.#place = dependencies.place;
  }

  get standing(): Standing<Reason> {
    return this.#standing;
  }

  /** Resolves once it listens, or `standing` says why it does not. */
  async start(): Promise<void> {
    await this.#turns.run(() => this.#follow());
    this.#lookWhileWanted();
  }

  /** Listens there from now on, as `start`. */
  async moveTo(place: Place | null): Promise<void> {
    const isElsewhere = place?.address !== this.#place?.address || place?.port !== this.#place?.port;
    this.#place = place;
    await this.#turns.run(async () => {
      if (isElsewhere) await this.#close();
      await this.#follow();
    });
    this.#lookWhileWanted();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#turns.run(() => this.#close());
  }

  /** Where no listener is wanted, nothing is looked at. */
  #lookWhileWanted(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#place === null) return;
    this.#timer = setInterval(() => {
      this.#dependencies.onLook?.();
      void this.#turns.run(() => this.#follow());
    }, LOOK_EVERY_MS).unref();
  }

  /** Opens or closes the server as place and machine ask for. */
  async #follow(): Promise<void> {
    const place = this.#place;
    if (place === null) {
      await this.#close();
      return this.#set({ state: 'off' });
    }
    if (!this.#dependencies.isHere(place.address)) {
      await this.#close();
      return this.#set({ state: 'waiting', ...place, reason: 'no_such_address', detail: null });
    }
    const hindrance = (await this.#dependencies.prepare?.(place)) ?? null;
    if (hindrance !== null) this.#set({ state: 'waiting', ...place, ...hindrance });
    else if (this.#server === null) await this.#listen(place);
  }

  async #listen(place: Place): Promise<void> {
    const server = await this.#dependencies.createServer();
    try {
      await server.listen({ host: place.address, port: place.port });
    } catch (error) {
      await server.close();
      const { code, message } = error as NodeJS.ErrnoException;
      return this.#set({ state: 'waiting', ...place, reason: reasonOf(code), detail: message });
    }
    this.#server = server;
    const { port } = server.server.address() as AddressInfo;
    this.#set({ state: 'listening', address: place.address, port });
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) await closeServer(server);
  }

  #set(standing: Standing<Reason>): void {
    if (JSON.stringify(standing) === JSON.stringify(this.#standing)) return;
    this.#standing = standing;
    const { name, log } = this.#dependencies;
    if (standing.state === 'waiting') log.warn({ [name]: standing }, `the ${name} does not listen`);
    else log.info({ [name]: standing }, standing.state === 'listening' ? `${name} listens` : `${name} is off`);
    this.#dependencies.onChange(standing);
  }
}

function reasonOf(code: string | undefined): 'taken' | 'no_such_address' | 'refused' {
  if (code === 'EADDRINUSE') return 'taken';
  return code === 'EADDRNOTAVAIL' ? 'no_such_address' : 'refused';
}
