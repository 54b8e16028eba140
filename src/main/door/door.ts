import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { VERIFY_PATH } from '../../shared/auth-challenge.ts';
import type { DoorStanding } from '../../shared/owner-api/door.ts';
import { PAIR_PATH } from '../../shared/pairing-link.ts';
import { isEveryAddress } from '../../shared/private-address.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { once } from '../common/once.ts';
import { isOwnAddress } from '../common/own-address.ts';
import { OwnerError } from '../common/owner-error.ts';
import { AddressFollower, type Hindrance, type Place } from '../http/address-follower.ts';
import { answersOf, refusalsOf } from '../http/refusals.ts';
import { sortedAddresses } from '../owner/api/addresses.ts';
import type { OwnerService } from '../owner/api/service.ts';
import { rendererDir, type UiFiles, uiFilesIn } from '../owner/page/ui-files.ts';
import type { WebClients } from '../owner/transports/web.ts';
import type { Settings } from '../settings/settings.ts';
import { Challenges } from './challenges.ts';
import { DoorListener } from './door-listener.ts';
import { doorRoutes } from './door-routes.ts';
import { OpenPairing } from './pairing/open-pairing.ts';
import { Pairings } from './pairing/pairings.ts';
import { Patience } from './pairing/patience.ts';
import { DoorCertificate, type DoorTls } from './tls/certificate.ts';

/** Tells the page that the door serves it, so that a pairing opens it instead of the machine's own link. */
const MARK = '<meta name="wellhouse-door" content="1">';

/** Returns the files of the owner's view with the door's mark. */
function doorPage(ownFiles: UiFiles): UiFiles {
  return once(() => withMark(ownFiles()));
}

function withMark(files: ReturnType<UiFiles>): ReturnType<UiFiles> {
  const index = files.get('index.html')!;
  const html = index.bytes.toString('utf8').replace('<head>', () => `<head>\n    ${MARK}`);
  return new Map([...files, ['index.html', { ...index, bytes: Buffer.from(html) }]]);
}

export interface DoorDependencies {
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  readonly clock: Clock;
  /** Available once the node's folder is open. */
  readonly dataDir: () => string;
  readonly nodePublicKey: () => string;
  /** The service for owner calls; null if this node has no owner's view. */
  readonly service: () => OwnerService | null;
}

const TRIES: ReadonlySet<string> = new Set([PAIR_PATH, VERIFY_PATH]);

/** The objects that exist while the node runs. */
interface Running {
  readonly pairings: Pairings;
  readonly certificate: DoorCertificate;
  readonly listener: DoorListener;
}

/**
 * Keeps the door open at the address that the owner chose: the TLS listener for paired people. An unusable certificate
 * does not stop the node: it is reported, and checked again. On the machine itself, the owner has access regardless of
 * the door.
 */
export class Door {
  readonly name = 'door';
  readonly openPairing: OpenPairing;
  readonly #dependencies: DoorDependencies;
  readonly #challenges: Challenges;
  readonly #patience: Patience;
  readonly #follower: AddressFollower<'certificate'>;
  #settings: Settings;
  #running: Running | null = null;
  #clients: WebClients | null = null;
  #files: UiFiles | null = null;

  constructor(dependencies: DoorDependencies) {
    this.#dependencies = dependencies;
    this.#settings = dependencies.settings;
    const { clock } = dependencies;
    this.#challenges = new Challenges(clock);
    this.#patience = new Patience(() => clock.steady());
    this.openPairing = new OpenPairing(clock, () => this.changed());
    this.#follower = new AddressFollower<'certificate'>({
      name: this.name,
      log: dependencies.log,
      place: placeIn(dependencies.settings),
      isHere: (address) => isEveryAddress(address) || isOwnAddress(address),
      prepare: (place) => this.#followCertificate(place),
      createServer: () => this.#createServer(),
      onChange: () => this.changed(),
      onLook: () => this.#endPairings(),
    });
  }

  /** The address of the door, or the reason why it does not listen. */
  get standing(): DoorStanding {
    return this.#follower.standing;
  }

  /** The certificate in use; null if there is none yet. */
  get tls(): DoorTls | null {
    return this.#running?.certificate.current ?? null;
  }

  /** The reason why the certificate of the settings can't be used; null if it is in use. */
  get certificateProblem(): string | null {
    return this.#running?.certificate.problem ?? null;
  }

  /** The pairings. Read them only while the node runs. */
  get pairings(): Pairings {
    return this.#running!.pairings;
  }

  async start(): Promise<void> {
    const { log, dataDir, settings, clock } = this.#dependencies;
    const certificate = new DoorCertificate(dataDir(), clock, log);
    const pairings = new Pairings(dataDir(), clock, log);
    this.#running = {
      pairings,
      certificate,
      listener: new DoorListener({
        log,
        settings,
        tls: () => certificate.current!,
        onRefused: this.#refusals(),
        onAnswered: answersOf(this.#dependencies.events, 'door'),
        lastAddresses: pairings.all.flatMap(({ lastAddress }) => lastAddress ?? []),
      }),
    };
    if (this.#dependencies.service() !== null) await this.#follower.start();
    else if (this.#settings.doorAddress !== null) {
      log.warn("DOOR_ADDRESS is set, but this node has no owner's view, so the door stays closed: start it with --ui");
    }
  }

  /** Applies new settings. */
  async apply(settings: Settings): Promise<void> {
    this.#settings = settings;
    this.#running?.listener.applySettings(settings);
    if (this.#dependencies.service() === null) return;
    await this.#follower.moveTo(placeIn(settings));
    if (settings.doorAddress === null) this.openPairing.close();
  }

  async stop(): Promise<void> {
    this.openPairing.close();
    await this.#follower.stop();
    await this.#running?.pairings.close();
  }

  /** Revokes a pairing and closes its connections. `byOwner` as for `Pairings.revoke`. Rejects with OwnerError. */
  async revoke(id: string, byOwner = true): Promise<void> {
    // The revocation takes effect at once: a slow or full disk must not keep the connections open.
    const written = this.pairings.revoke(id, byOwner);
    this.#close(id);
    // A client that left by itself still gets its answer.
    if (byOwner) this.#clients?.cutOff(id);
    await written.finally(() => this.changed());
  }

  /** Sets the owners' keys that open the door, and closes sessions of other keys. Rejects with OwnerError. */
  async setKeys(keys: readonly string[]): Promise<void> {
    const { ended, written } = this.pairings.setKeys(keys);
    this.#cutOff(ended);
    await written;
  }

  /**
   * Makes a new authority and uses its certificate for new connections; open ones stay. Rejects with OwnerError if the
   * door does not use its own certificate, or if a new one can't be written.
   */
  async replaceAuthority(): Promise<void> {
    const { certificate } = this.#running!;
    const before = certificate.current;
    if (before?.authority === null || before === null || this.standing.state !== 'listening')
      throw new OwnerError('conflict', 'the door shows no certificate of its own');
    certificate.replaceAuthority();
    await this.#follower.moveTo(placeIn(this.#settings));
    if (certificate.current === before) throw new OwnerError('storage_unavailable', certificate.problem ?? '');
    this.changed();
  }

  /** Closes all connections of these pairings at once. */
  #cutOff(ids: readonly string[]): void {
    for (const id of ids) {
      this.#close(id);
      this.#clients?.cutOff(id);
    }
    this.changed();
  }

  #close(id: string): void {
    this.#clients?.closePairing(id);
    // A code that a revoked pairing made is no longer valid.
    this.openPairing.closeOf(id);
  }

  /** Emits that the state of the door changed. */
  changed(): void {
    this.#dependencies.events.emit('doorChanged', () => ({}));
  }

  #endPairings(): void {
    const ended = this.pairings.takeEnded();
    if (ended.length > 0) this.#cutOff(ended);
  }

  /** Updates the certificate; returns the problem if there is none to use. */
  async #followCertificate({ address }: Place): Promise<Hindrance<'certificate'> | null> {
    const { certificate, listener } = this.#running!;
    const problem = certificate.problem;
    if (await certificate.follow(this.#settings, reachableAt(address))) listener.followCertificate();
    if (certificate.problem !== problem) this.changed();
    return certificate.current === null ? { reason: 'certificate', detail: certificate.problem } : null;
  }

  #refusals(): ReturnType<typeof refusalsOf> {
    const tell = refusalsOf(this.#dependencies.events, 'door');
    // The routes report wrong codes and signatures themselves.
    return (error, request) => {
      if (error !== 'unauthorized' || !TRIES.has(request.routeOptions.url ?? '')) tell(error, request);
    };
  }

  #createServer(): FastifyInstance {
    const { pairings, certificate, listener } = this.#running!;
    this.#files ??= doorPage(uiFilesIn(rendererDir()));
    return listener.createServer((app) => {
      this.#clients = doorRoutes(app, {
        ...{ pairings, openPairing: this.openPairing, challenges: this.#challenges, patience: this.#patience },
        clock: this.#dependencies.clock,
        service: this.#dependencies.service()!,
        files: this.#files!,
        nodePublicKey: this.#dependencies.nodePublicKey,
        tls: () => certificate.current!,
        letIn: (socket) => listener.letIn(socket),
        paired: (letIn) => {
          this.#dependencies.events.emit('letIn', () => letIn);
          this.changed();
        },
        refused: (cause, address) =>
          this.#dependencies.events.emit('turnedAway', () => ({ listener: 'door', cause, address })),
      });
    });
  }
}

function placeIn({ doorAddress, doorPort }: Settings): Place | null {
  return doorAddress === null ? null : { address: doorAddress, port: doorPort };
}

/**
 * Returns the addresses at which people can reach a door that listens at `address`, likeliest first. The address may
 * stand for all addresses of this machine.
 */
export function reachableAt(address: string): string[] {
  if (!isEveryAddress(address)) return [address.split('%')[0]!];
  const isIPv6Too = address.includes(':');
  const own = sortedAddresses().filter((each) => isIPv6Too || !each.address.includes(':'));
  return own.length === 0 ? ['127.0.0.1'] : own.map((each) => each.address);
}
