import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DoorStanding } from '../../shared/owner-api/door.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { isOwnAddress } from '../common/own-address.ts';
import { closeServer } from '../http/listening.ts';
import { sortedAddresses } from '../owner/api/addresses.ts';
import type { OwnerService } from '../owner/api/service.ts';
import { loadUiFiles, rendererDir, type UiFile } from '../owner/page/ui-files.ts';
import type { EventSockets } from '../owner/transports/event-sockets.ts';
import type { Settings } from '../settings/settings.ts';
import { Challenges } from './challenges.ts';
import { DoorListener } from './door-listener.ts';
import { doorPage } from './door-page.ts';
import { doorRoutes } from './door-routes.ts';
import { OpenPairing } from './pairing/open-pairing.ts';
import { Pairings } from './pairing/pairings.ts';
import { Patience } from './pairing/patience.ts';
import { DoorCertificate, type DoorTls } from './tls/certificate.ts';

/** Networks come and go, and so do certificates: how often both are looked at. */
const LOOK_EVERY_MS = 2000;

/** What the door is made of. */
export interface DoorParts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  /** Known once the node's folder is open. */
  readonly dataDir: () => string;
  readonly nodePublicKey: () => string;
  /** What answers the owner's calls; null: this node has no owner's view. */
  readonly service: () => OwnerService | null;
}

/** What there is while the node runs. */
interface Running {
  readonly pairings: Pairings;
  readonly certificate: DoorCertificate;
  readonly listener: DoorListener;
}

/**
 * Keeps the door open at the address that the owner chose: people's way in, over TLS, for those who were paired. An address
 * that this machine does not have, a port that is taken or a certificate that can't be used is no failure of the node: it is
 * said, and tried again. The machine itself is open to its owner whatever becomes of the door.
 */
export class Door {
  readonly name = 'door';
  readonly openPairing: OpenPairing;
  readonly #parts: DoorParts;
  readonly #turns = new SerialQueue();
  readonly #challenges = new Challenges();
  readonly #patience = new Patience();
  #settings: Settings;
  #running: Running | null = null;
  #server: FastifyInstance | null = null;
  #sockets: EventSockets | null = null;
  #files: ReadonlyMap<string, UiFile> | null = null;
  #standing: DoorStanding = { state: 'off' };
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
    this.openPairing = new OpenPairing(() => this.changed());
  }

  /** Where it listens, or why it does not. */
  get standing(): DoorStanding {
    return this.#standing;
  }

  /** The certificate in use; null: there is none yet. */
  get tls(): DoorTls | null {
    return this.#running?.certificate.current ?? null;
  }

  /** Why the certificate of the settings can't be used; null: it can. */
  get certificateProblem(): string | null {
    return this.#running?.certificate.problem ?? null;
  }

  /** Who is paired. To be asked while the node runs. */
  get pairings(): Pairings {
    return this.#running!.pairings;
  }

  async start(): Promise<void> {
    const { log, dataDir, settings } = this.#parts;
    const certificate = new DoorCertificate(dataDir(), log);
    this.#running = {
      pairings: new Pairings(dataDir(), log),
      certificate,
      listener: new DoorListener({ log, settings, tls: () => certificate.current! }),
    };
    if (this.#parts.service() === null) {
      if (this.#settings.doorAddress !== null) {
        log.warn("DOOR_ADDRESS is set, but this node has no owner's view: start it with --ui; the door stays shut");
      }
      return;
    }
    await this.#turns.run(() => this.#follow());
    this.#lookWhileWanted();
  }

  /** Is open as the settings say from now on. */
  async apply(settings: Settings): Promise<void> {
    const { doorAddress, doorPort } = this.#settings;
    const isElsewhere = settings.doorAddress !== doorAddress || settings.doorPort !== doorPort;
    this.#settings = settings;
    this.#running?.listener.applySettings(settings);
    if (this.#parts.service() === null) return;
    await this.#turns.run(async () => {
      if (isElsewhere) await this.#close();
      await this.#follow();
    });
    if (settings.doorAddress === null) this.openPairing.close();
    this.#lookWhileWanted();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.openPairing.close();
    await this.#turns.run(() => this.#close());
    await this.#running?.pairings.close();
  }

  /** Takes a pairing away, and cuts its connections off. Rejects with OwnerError. */
  async revoke(id: string): Promise<void> {
    try {
      await this.pairings.revoke(id);
    } finally {
      this.cutOff([id]);
    }
  }

  /** Ends the open connections of pairings. */
  cutOff(ids: readonly string[]): void {
    for (const id of ids) this.#sockets?.closePairing(id);
    this.changed();
  }

  /** Tells the owner's view that something is not as it was. */
  changed(): void {
    this.#parts.events.emit('doorChanged', () => ({}));
  }

  /** A node without a door looks at nothing. */
  #lookWhileWanted(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#settings.doorAddress === null) return;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  #look(): void {
    const ended = this.pairings.takeEnded();
    if (ended.length > 0) this.cutOff(ended);
    void this.#turns.run(() => this.#follow());
  }

  /** Opens or closes the server as address, certificate and settings ask for. */
  async #follow(): Promise<void> {
    const { doorAddress: address, doorPort: port } = this.#settings;
    if (address === null) {
      await this.#close();
      return this.#set({ state: 'off' });
    }
    if (!isEverywhere(address) && !isOwnAddress(address)) {
      await this.#close();
      return this.#set({ state: 'waiting', address, port, reason: 'no_such_address', detail: null });
    }
    const { certificate, listener } = this.#running!;
    const problem = certificate.problem;
    if (await certificate.follow(this.#settings, reachableAt(address))) listener.followCertificate();
    if (certificate.problem !== problem) this.changed();
    if (certificate.current === null) {
      return this.#set({ state: 'waiting', address, port, reason: 'certificate', detail: certificate.problem });
    }
    if (this.#server === null) await this.#listen(address, port);
  }

  async #listen(address: string, port: number): Promise<void> {
    const { pairings, certificate, listener } = this.#running!;
    this.#files ??= doorPage(loadUiFiles(rendererDir()));
    const server = listener.createServer((app) => {
      this.#sockets = doorRoutes(app, {
        ...{ pairings, openPairing: this.openPairing, challenges: this.#challenges, patience: this.#patience },
        service: this.#parts.service()!,
        files: this.#files!,
        nodePublicKey: this.#parts.nodePublicKey,
        tls: () => certificate.current!,
        changed: () => this.changed(),
      });
    });
    try {
      await server.listen({ host: address, port });
    } catch (error) {
      await server.close();
      const { code, message } = error as NodeJS.ErrnoException;
      return this.#set({ state: 'waiting', address, port, reason: reasonOf(code), detail: message });
    }
    this.#server = server;
    const { port: actual } = server.server.address() as AddressInfo;
    this.#set({ state: 'listening', address, port: actual });
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#sockets = null;
    if (server !== null) await closeServer(server);
  }

  #set(standing: DoorStanding): void {
    if (JSON.stringify(standing) === JSON.stringify(this.#standing)) return;
    this.#standing = standing;
    const { log } = this.#parts;
    if (standing.state === 'waiting') log.warn({ door: standing }, 'the door does not listen');
    else log.info({ door: standing }, standing.state === 'listening' ? 'door listens' : 'door is off');
    this.changed();
  }
}

/** The addresses at which people reach a door that listens at one, or at all of this machine's; the likeliest first. */
export function reachableAt(address: string): string[] {
  if (!isEverywhere(address)) return [address.split('%')[0]!];
  const isIPv6Too = address.includes(':');
  const own = sortedAddresses().filter((each) => isIPv6Too || !each.address.includes(':'));
  return own.length === 0 ? ['127.0.0.1'] : own.map((each) => each.address);
}

/** Whether an address stands for all of this machine's. */
function isEverywhere(address: string): boolean {
  return address === '0.0.0.0' || /^[0:]+$/.test(address);
}

function reasonOf(code: string | undefined): 'taken' | 'no_such_address' | 'refused' {
  if (code === 'EADDRINUSE') return 'taken';
  return code === 'EADDRNOTAVAIL' ? 'no_such_address' : 'refused';
}
