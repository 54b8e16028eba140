import type { Logger } from 'pino';
import type { GeneralUnits } from '../../shared/measures/field-scale.ts';
import { CHOICES, type OwnerChoices } from '../../shared/owner-data/choices.ts';
import type { DayHours } from '../../shared/owner-data/day-parts.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { StoreLocations } from '../store/engine.ts';
import { readStores } from '../store/engines.ts';

/** The owner's current units for all devices and leaf temperature offset for each device. */
export class OwnerPreferences {
  readonly #locations: () => StoreLocations;
  readonly #log: Logger;
  readonly #reads = new SerialQueue();
  #units: GeneralUnits = {};
  #climate: OwnerChoices['climate'] = {};
  #stopListening = () => {};

  constructor(locations: () => StoreLocations, log: Logger) {
    this.#locations = locations;
    this.#log = log;
  }

  get units(): GeneralUnits {
    return this.#units;
  }

  /** Returns by how many °C leaves are warmer than the air at a device; null if the owner did not say. */
  leafOffsetOf(device: string): number | null {
    return this.#climate[device]?.leafOffset ?? null;
  }

  /** Returns the owner's own hours of day at a device. */
  dayHoursOf(device: string): DayHours | undefined {
    return this.#climate[device]?.dayHours;
  }

  /** Reads the preferences, now and after each change by the owner. */
  async start(events: NodeEvents): Promise<void> {
    this.#stopListening = events.on('chosen', ({ names }) => {
      if (names.includes('units') || names.includes('climate')) void this.#read();
    });
    await this.#read();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#reads.settled();
  }

  #read(): Promise<void> {
    return this.#reads.run(async () => {
      try {
        const kept = await readStores(this.#locations(), (stores) => stores.choices());
        this.#units = CHOICES.units.safeParse(kept.get('units') ?? {}).data ?? {};
        this.#climate = CHOICES.climate.safeParse(kept.get('climate') ?? {}).data ?? {};
      } catch (error) {
        this.#log.warn({ err: error }, 'messages have the units that devices send: the owner’s can’t be read');
      }
    });
  }
}
