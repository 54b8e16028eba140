import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { hostPort } from '../../shared/host-port.ts';
import type { GateView } from '../../shared/owner-api/gate.ts';
import { BUDGETS } from '../../shared/owner-api/limits.ts';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { isOwnAddress } from '../common/own-address.ts';
import { AddressFollower, type Place } from '../http/address-follower.ts';
import { GateListener } from '../http/listeners/gate-listener.ts';
import { answersOf, refusalsOf } from '../http/refusals.ts';
import { Joining } from '../intake/joining/joining.ts';
import type { GateStanding } from '../owner/api/gate.ts';
import type { Settings } from '../settings/settings.ts';
import type { Intakes } from './intakes.ts';
import type { NodeFolder } from './node-folder.ts';
import type { Part } from './part.ts';

export interface GateDependencies {
  readonly folder: NodeFolder;
  readonly intakes: Intakes;
  readonly settings: Settings;
  readonly log: Logger;
  readonly events: NodeEvents;
  readonly clock: Clock;
}

/** The number of former addresses that are remembered. */
const MAX_PREVIOUS = 8;

/**
 * Keeps the gate listening at the address that the owner chose, and remembers the addresses that devices were given.
 */
export class Gate implements Part {
  readonly name = 'gate';
  readonly joining: Joining;
  readonly #dependencies: GateDependencies;
  readonly #listener: GateListener;
  readonly #follower: AddressFollower;
  #previous: readonly string[] = [];
  /** The address that devices were given: the last one, or the one in the settings. */
  #known: string | null;
  #stopListening: (() => void) | null = null;

  constructor(dependencies: GateDependencies) {
    const { log, settings } = dependencies;
    this.#dependencies = dependencies;
    this.#known = knownPlace(settings);
    this.joining = new Joining(dependencies.events, dependencies.clock);
    this.#listener = new GateListener({
      ...{ log, settings, joining: this.joining, clock: dependencies.clock },
      onRefused: refusalsOf(dependencies.events, 'gate'),
      onAnswered: answersOf(dependencies.events, 'gate'),
      onOverBudget: () => dependencies.events.emit('gateChanged', () => ({})),
    });
    this.#follower = new AddressFollower({
      name: this.name,
      log,
      place: placeIn(settings),
      isHere: isOwnAddress,
      createServer: () => this.#createServer(),
      onChange: (standing) => this.#onChange(standing),
    });
  }

  /** The address of the gate, or the reason why it does not listen. */
  get standing(): GateStanding {
    return this.#follower.standing;
  }

  /** The former addresses that devices were given, latest last; empty if the gate has not moved since this start. */
  get previous(): readonly string[] {
    return this.#previous;
  }

  /** The devices that exceeded a budget within the last day, latest last. */
  get overBudget(): GateView['overBudget'] {
    const told = { ...this.#dependencies.intakes.refused, rate: this.#listener.overBudget };
    return BUDGETS.flatMap((budget) => told[budget].map((device) => ({ ...device, budget }))).sort(
      (one, other) => one.lastAt - other.lastAt,
    );
  }

  async start(): Promise<void> {
    const { events, folder, intakes, clock, log } = this.#dependencies;
    const stops = [
      events.on('clockMoved', (moved) => this.joining.moved(moved)),
      events.on('registered', ({ store, deviceId }) => {
        if (store === 'private') this.joining.registered(deviceId);
      }),
      events.on('knocked', ({ store, deviceId }) => {
        if (store === 'private') this.joining.signed(deviceId);
      }),
      events.on('forgotten', ({ store, deviceId }) => {
        if (store === 'private') this.joining.forgotten(deviceId);
      }),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    const { reads } = await intakes.open('private');
    await this.joining.start({ path: folder.path, log, now: () => clock.now() }, async (id) => {
      return (await reads.device(id)) !== undefined;
    });
    await this.#follower.start();
    this.#tellState();
  }

  /** Applies new settings. */
  async apply(settings: Settings): Promise<void> {
    this.#listener.applySettings(settings);
    await this.#follower.moveTo(placeIn(settings));
    this.#known ??= knownPlace(settings);
    if (settings.gateAddress === null) this.joining.close();
  }

  async stop(): Promise<void> {
    this.#stopListening?.();
    await this.#follower.stop();
    await this.joining.stop();
  }

  async #createServer(): Promise<FastifyInstance> {
    const { reads, intake, refusal, clock } = await this.#dependencies.intakes.open('private');
    return this.#listener.createServer({ devices: { device: (id) => reads.device(id) }, intake, refusal, clock });
  }

  #onChange(standing: GateStanding): void {
    if (standing.state === 'listening') {
      const now = hostPort(standing.address, standing.port);
      if (this.#known !== null && this.#known !== now) this.#previous = movedFrom(this.#previous, this.#known, now);
      this.#known = now;
    }
    this.#dependencies.events.emit('gateChanged', () => ({}));
    this.#tellState();
  }

  #tellState(): void {
    this.#dependencies.events.emit('gateState', () => ({ isLost: this.standing.state === 'waiting' }));
  }
}

/**
 * Returns the former addresses after a move. If the gate is back at one of them, the devices that know that address
 * need no update.
 */
function movedFrom(previous: readonly string[], known: string, now: string): readonly string[] {
  const back = previous.indexOf(now);
  return back === -1 ? [...previous, known].slice(-MAX_PREVIOUS) : previous.slice(0, back);
}

function placeIn({ gateAddress, gatePort }: Settings): Place | null {
  return gateAddress === null ? null : { address: gateAddress, port: gatePort };
}

/** Returns the address for devices from the settings; null if the gate is off or the system chooses the port. */
function knownPlace({ gateAddress, gatePort }: Settings): string | null {
  return gateAddress === null || gatePort === 0 ? null : hostPort(gateAddress, gatePort);
}
