import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { hostPort } from '../../shared/host-port.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { isOwnAddress } from '../common/own-address.ts';
import { GateListener } from '../http/listeners/gate-listener.ts';
import { closeServer } from '../http/listening.ts';
import { Joining } from '../intake/joining.ts';
import type { GateStanding } from '../owner/api/gate.ts';
import type { Settings } from '../settings/settings.ts';
import type { Intakes } from './intakes.ts';
import type { Part } from './part.ts';

/** Networks come and go: how often the machine's addresses are looked at. */
const LOOK_EVERY_MS = 2000;

/** What the gate is made of. */
export interface GateParts {
  readonly intakes: Intakes;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
}

/**
 * Keeps the gate listening at the one address that the owner chose, and at no other. An address that this machine does not
 * have (Wi-Fi off, another network) or a port that is taken is no failure of the node: it is said, and tried again.
 */
export class Gate implements Part {
  readonly name = 'gate';
  readonly joining: Joining;
  readonly #parts: GateParts;
  readonly #listener: GateListener;
  readonly #turns = new SerialQueue();
  #settings: Settings;
  #server: FastifyInstance | null = null;
  #standing: GateStanding = { state: 'off' };
  #previous: string | null = null;
  /** Where devices were told that it is: where it listened last, or should. */
  #place: string | null;
  #timer: NodeJS.Timeout | null = null;
  #stopListening: (() => void) | null = null;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.#settings = parts.settings;
    this.#place = placeIn(parts.settings);
    this.joining = new Joining(parts.events);
    this.#listener = new GateListener({ log: parts.log, settings: parts.settings, joining: this.joining });
  }

  /** Where it listens, or why it does not. */
  get standing(): GateStanding {
    return this.#standing;
  }

  /** Where devices were told that it is, before it moved; null: it has not since this start. */
  get previous(): string | null {
    return this.#previous;
  }

  async start(): Promise<void> {
    const { events } = this.#parts;
    const stops = [
      events.on('registered', ({ store, deviceId }) => {
        if (store === 'private') this.joining.registered(deviceId);
      }),
      events.on('forgotten', ({ store, deviceId }) => {
        if (store === 'private') this.joining.forgotten(deviceId);
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    await this.#turns.run(() => this.#follow());
    this.#tellState();
    this.#lookWhileWanted();
  }

  /** Listens as the settings say from now on. */
  async apply(settings: Settings): Promise<void> {
    this.#listener.applySettings(settings);
    const { gateAddress, gatePort } = this.#settings;
    this.#place ??= placeIn(this.#settings);
    const isElsewhere = settings.gateAddress !== gateAddress || settings.gatePort !== gatePort;
    this.#settings = settings;
    await this.#turns.run(async () => {
      if (isElsewhere) await this.#close();
      await this.#follow();
    });
    if (settings.gateAddress === null) this.joining.close();
    this.#lookWhileWanted();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#stopListening?.();
    this.joining.close();
    await this.#turns.run(() => this.#close());
  }

  /** A node without a gate looks at no addresses. */
  #lookWhileWanted(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#settings.gateAddress === null) return;
    this.#timer = setInterval(() => void this.#turns.run(() => this.#follow()), LOOK_EVERY_MS).unref();
  }

  /** Opens or closes the server as address and settings ask for. */
  async #follow(): Promise<void> {
    const { gateAddress: address, gatePort: port } = this.#settings;
    if (address === null) {
      await this.#close();
      return this.#set({ state: 'off' });
    }
    if (!isOwnAddress(address)) {
      await this.#close();
      return this.#set({ state: 'waiting', address, port, reason: 'no_such_address', detail: null });
    }
    if (this.#server !== null) return;
    const { reads, intake, refusal } = await this.#parts.intakes.open('private');
    const server = this.#listener.createServer({ devices: { device: (id) => reads.device(id) }, intake, refusal });
    try {
      await server.listen({ host: address, port });
    } catch (error) {
      await server.close();
      const { code, message } = error as NodeJS.ErrnoException;
      return this.#set({ state: 'waiting', address, port, reason: reasonOf(code), detail: message });
    }
    this.#server = server;
    const { port: actual } = server.server.address() as AddressInfo;
    const place = hostPort(address, actual);
    // Back at the place that devices know, there is nothing to tell them.
    if (this.#place !== null && this.#place !== place) this.#previous = this.#previous === place ? null : this.#place;
    this.#place = place;
    this.#set({ state: 'listening', address, port: actual });
  }

  async #close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server !== null) await closeServer(server);
  }

  #set(standing: GateStanding): void {
    if (JSON.stringify(standing) === JSON.stringify(this.#standing)) return;
    this.#standing = standing;
    if (standing.state === 'waiting') this.#parts.log.warn({ gate: standing }, 'the gate does not listen');
    else this.#parts.log.info({ gate: standing }, standing.state === 'listening' ? 'gate listens' : 'gate is off');
    this.#parts.events.emit('gateChanged', () => ({}));
    this.#tellState();
  }

  #tellState(): void {
    this.#parts.events.emit('gateState', () => ({ isLost: this.#standing.state === 'waiting' }));
  }
}

/** Where the settings say that it is; null: nowhere, or at a port that the system chooses. */
function placeIn({ gateAddress, gatePort }: Settings): string | null {
  return gateAddress === null || gatePort === 0 ? null : hostPort(gateAddress, gatePort);
}

function reasonOf(code: string | undefined): 'taken' | 'no_such_address' | 'refused' {
  if (code === 'EADDRINUSE') return 'taken';
  return code === 'EADDRNOTAVAIL' ? 'no_such_address' : 'refused';
}
