import type { DayHours } from '../../../shared/owner-data/day-parts.ts';
import { type DayTimes, dayTimes, type ToPlace } from '../../../shared/owner-data/day-times.ts';
import type { KnownDevices } from './known-devices.ts';

/** The times of day at the devices, for ranges that differ by night. */
export class DeviceDays {
  readonly #devices: Pick<KnownDevices, 'find'>;
  readonly #hoursOf: (device: string) => DayHours | undefined;
  /** Making the formats of a time zone takes long, so each result is kept. */
  readonly #known = new Map<string, DayTimes>();
  #toPlace: ToPlace | null = null;

  /** `hoursOf` returns the owner's own hours for a device. */
  constructor(devices: Pick<KnownDevices, 'find'>, hoursOf: (device: string) => DayHours | undefined) {
    this.#devices = devices;
    this.#hoursOf = hoursOf;
  }

  /** Loads h3-js, which is large. Call this before `of` is used. */
  async prepare(): Promise<void> {
    if (this.#toPlace === null) this.#toPlace = (await import('h3-js')).cellToLatLng;
  }

  /** Returns what counts as day at a device, by hours of an IANA time zone. */
  of(device: string, zone: string): DayTimes {
    const own = this.#hoursOf(device);
    const location = this.#devices.find(device)?.entries[0]?.device.location?.toString() ?? null;
    const key = JSON.stringify([own, location, zone, this.#toPlace !== null]);
    const known = this.#known.get(key) ?? dayTimes(own, location, zone, this.#toPlace);
    this.#known.set(key, known);
    return known;
  }
}
