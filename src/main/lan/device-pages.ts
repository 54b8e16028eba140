import { lookup } from 'node:dns/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { localNameOf, type ServerLists, sameServers } from '../../shared/device-page.ts';
import type { Output } from '../../shared/owner-api/contract.ts';
import type { AskedDevice, DeviceSays } from '../../shared/owner-api/device-pages.ts';
import { isPrivateAddress } from '../../shared/private-address.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { ask, type Place, placeOf, TooLongError, textOf } from './ask.ts';
import { readStatus } from './device-status.ts';

/** A look-up can't be aborted, and occupies one of the few threads that also read files. */
const LOOK_UPS_AT_ONCE = 2;
const LOOK_UP_MS = 3000;
/** The maximum duration of a search for devices. */
const FIND_MS = 20_000;
/** A device may restart after its servers were changed. */
const CONFIRM_TRIES = 6;
const CONFIRM_EVERY_MS = 1000;
/** The stored MAC of a device that was registered without one. */
const NO_MAC = /^0*$/;

/** A device that may be on the network. */
export interface Wanted {
  readonly id: string;
  /** 12 hex digits, or null. */
  readonly mac: string | null;
  /** The address at which it was last seen, or null. */
  readonly address: string | null;
}

export interface DevicePagesDependencies {
  readonly events: NodeEvents;
  /** Returns the addresses of a name, by default from the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

/** Reads the status pages of devices on the owner's network, and configures the gate's address in devices. */
export class DevicePages {
  readonly #events: NodeEvents;
  readonly #resolve: (name: string) => Promise<readonly string[]>;
  readonly #lookUps = new Map<string, Promise<readonly string[]>>();
  /** The places at which devices answered; forgotten when the node stops. */
  readonly #places = new Map<string, Place>();

  constructor({ events, resolve = bySystem }: DevicePagesDependencies) {
    this.#events = events;
    this.#resolve = resolve;
  }

  /** Asks a device. Without an address, it tries the place of its last answer, then its name on the network. */
  async ask({ id, mac }: Omit<Wanted, 'address'>, address: string | null): Promise<AskedDevice> {
    if (address !== null) {
      const place = placeOf(address);
      return place === null ? { state: 'not_private', address } : this.#ask(place, id);
    }
    const known = this.#places.get(id);
    const first = known === undefined ? null : await this.#ask(known, id);
    if (first?.state === 'answered') return first;
    const places = mac === null || NO_MAC.test(mac) ? [] : await this.#placesOf(mac);
    for (const place of places) {
      const asked = await this.#ask(place, id);
      if (asked.state === 'answered') return asked;
    }
    return first ?? { state: 'not_found', address: null };
  }

  /** Asks the device at an address. */
  async askAt(address: string): Promise<AskedDevice> {
    const place = placeOf(address);
    return place === null ? { state: 'not_private', address } : this.#ask(place, null);
  }

  /** Asks all wanted devices, and returns those that answered. */
  async find(wanted: readonly Wanted[]): Promise<Output<'findDevices'>> {
    const found = new Map<string, Extract<AskedDevice, { state: 'answered' }>>();
    const queue = [...wanted];
    const until = performance.now() + FIND_MS;
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && performance.now() < until; next = queue.shift()) {
        const seen = next.address === null ? null : await this.ask(next, next.address);
        const asked = seen?.state === 'answered' ? seen : await this.ask(next, null);
        if (asked.state === 'answered') found.set(asked.says.id, asked);
      }
    };
    await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, work));
    return { found: [...found.values()], asked: wanted.length };
  }

  /** Gives a device the servers of `after`, if it still has those of `before`. */
  async point(id: string, address: string, before: ServerLists, after: ServerLists): Promise<Output<'pointDevice'>> {
    const asked = await this.ask({ id, mac: null }, address);
    if (asked.state !== 'answered') return { state: asked.state };
    const { name } = asked.says;
    if (name === null) return { state: 'no_name' };
    if (!sameServers(asked.says, before)) return { state: 'changed' };
    const place = placeOf(address)!;
    try {
      await ask(place, '/config/save', formOf(name, after));
    } catch {
      // It may restart before it answers, so its next status decides.
    }
    let answered = false;
    for (let count = 0; count < CONFIRM_TRIES; count += 1) {
      const again = await this.#ask(place, id);
      if (again.state === 'answered' && sameServers(again.says, after)) return { state: 'told' };
      answered = again.state === 'answered';
      await delay(CONFIRM_EVERY_MS);
    }
    return { state: answered ? 'not_taken' : 'unconfirmed' };
  }

  async #ask(place: Place, id: string | null): Promise<AskedDevice> {
    const address = textOf(place);
    let says: DeviceSays | null;
    try {
      const answer = await ask(place, '/api/status');
      says = answer.status === 200 ? readStatus(answer.text) : null;
    } catch (error) {
      return { state: error instanceof TooLongError ? 'not_a_device' : 'no_answer', address };
    }
    if (says === null) return { state: 'not_a_device', address };
    if (id !== null && says.id !== id) return { state: 'other_device', address };
    this.#places.set(says.id, place);
    const { sensors, battery } = says;
    this.#events.emit('deviceSaid', () => ({
      deviceId: says.id,
      // A device on mains power has no battery that could be low.
      batteryPercent: sensors.battery === false ? null : battery.percent,
      failedSensors: (['dht', 'tds', 'laser'] as const).filter((name) => sensors[name] === false),
    }));
    return { state: 'answered', address, says };
  }

  /** Returns the addresses of a name. Never rejects. */
  #lookUp(name: string): Promise<readonly string[]> {
    const known = this.#lookUps.get(name);
    if (known !== undefined) return known;
    if (this.#lookUps.size >= LOOK_UPS_AT_ONCE) return Promise.resolve([]);
    const lookUp = this.#resolve(name)
      .catch(() => [])
      .finally(() => this.#lookUps.delete(name));
    this.#lookUps.set(name, lookUp);
    return lookUp;
  }

  async #placesOf(mac: string): Promise<Place[]> {
    const late = delay(LOOK_UP_MS, [], { ref: false });
    const addresses = await Promise.race([this.#lookUp(localNameOf(mac)), late]);
    return addresses.filter(isPrivateAddress).map((address) => ({ address, port: 80 }));
  }
}

async function bySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address);
}

/** Returns the form that replaces the firmware's name and both lists of servers. */
function formOf(name: string, { external, local }: ServerLists): URLSearchParams {
  const form = new URLSearchParams({ device_name: name });
  for (const [kind, list] of [['ext', external] as const, ['loc', local] as const]) {
    form.set(`${kind}_count`, String(list.length));
    for (const [index, entry] of list.entries()) {
      form.set(`${kind}_name_${index}`, entry.name);
      form.set(`${kind}_url_${index}`, entry.url);
    }
  }
  return form;
}
