import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { closeServer } from './listening.ts';

/** The interval at which the machine's addresses are checked: networks appear and disappear. */
const LOOK_EVERY_MS = 2000;

/** An address of this machine and a port. Port 0 lets the system choose. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

/** The reason why a listener is not open: `Reason`, or one from the address or the system. */
export interface Hindrance<Reason extends string> {
  readonly reason: Reason | 'no_such_address' | 'taken' | 'refused';
  /** The error message of the system; null if there is none. */
  readonly detail: string | null;
}

/** The state of a listener, with its address and actual port, or with the reason why it is not open. */
export type Standing<Reason extends string = never> =
  | { readonly state: 'off' }
  | ({ readonly state: 'listening' } & Place)
  | ({ readonly state: 'waiting' } & Place & Hindrance<Reason>);

export interface FollowerDependencies<Reason extends string> {
  /** The listener's name in the log. */
  readonly name: string;
  readonly log: Logger;
  /** The address that the owner chose; null if the listener is off. */
  readonly place: Place | null;
  /** Returns whether this machine has the address now. */
  readonly isHere: (address: string) => boolean;
  /** Called each time before the server listens and while it does. Returns the obstacle, or null. */
  readonly prepare?: (place: Place) => Promise<Hindrance<Reason> | null>;
  readonly createServer: () => FastifyInstance | Promise<FastifyInstance>;
  /** Called after each change of `standing`. */
  readonly onChange: (standing: Standing<Reason>) => void;
  /** Called each time the addresses are checked. */
  readonly onLook?: () => void;
}

/**
 * Keeps a server listening at the address that the owner chose, and at no other. If this machine does not have the
 * address now (Wi-Fi off, another network) or the port is taken, `standing` says so, and it tries again.
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

  /** Resolves once the server listens or `standing` has the reason why it does not. */
  async start(): Promise<void> {
    await this.#turns.run(() => this.#follow());
    this.#lookWhileWanted();
  }

  /** Changes the address; resolves as `start` does. */
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

  /** Checks the addresses only while a listener is wanted. */
  #lookWhileWanted(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#place === null) return;
    this.#timer = setInterval(() => {
      this.#dependencies.onLook?.();
      void this.#turns.run(() => this.#follow());
    }, LOOK_EVERY_MS).unref();
  }

  /** Opens or closes the server, according to the chosen place and the machine's addresses. */
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
